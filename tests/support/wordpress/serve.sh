#!/bin/sh
# Runs the database and, when a port is given, the web server of one site until standard input ends: that is when the
# test that holds the other end is over, or dead. Then both are killed and the site's folder is removed.
#
#   serve.sh SITE WWW [PORT]
set -u
export ICHIDO_SITE="$1" ICHIDO_WORDPRESS="$2"
port="${3:-}"
here="$(cd "$(dirname "$0")" && pwd)"

# A group of its own, so that the web server's workers die too.
# shellcheck disable=SC2016 # the inner shell expands these.
ICHIDO_HERE="$here" ICHIDO_PORT="$port" setsid sh -c '
  # A root user must be named to the database server; for others the option is an error.
  if [ "$(id -u)" = 0 ]; then set -- --user=root; else set --; fi
  PATH="$PATH:/usr/sbin:/usr/local/sbin"
  mariadbd --no-defaults "$@" --datadir="$ICHIDO_SITE/data" --socket="$ICHIDO_SITE/db.sock" --pid-file="$ICHIDO_SITE/db.pid" \
    --skip-networking --skip-log-bin --skip-name-resolve --skip-slave-start --performance-schema=OFF \
    --innodb-log-file-size=8M --innodb-buffer-pool-size=32M --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 \
    --innodb-use-native-aio=0 --innodb-flush-method=nosync --aria-pagecache-buffer-size=8M --key-buffer-size=1M \
    --max-connections=40 --tmpdir="$ICHIDO_SITE" >"$ICHIDO_SITE/db.log" 2>&1 &
  if [ -n "$ICHIDO_PORT" ]; then
    PHP_CLI_SERVER_WORKERS=4 php -d opcache.enable_cli=1 -d opcache.validate_timestamps=1 -d opcache.revalidate_freq=0 \
      -d opcache.jit=0 -d display_errors=0 -d log_errors=1 -d "error_log=$ICHIDO_SITE/php.log" -d memory_limit=256M \
      -d upload_max_filesize=64M -d post_max_size=64M -d max_execution_time=0 -d "sys_temp_dir=$ICHIDO_SITE" \
      -d "auto_prepend_file=$ICHIDO_HERE/prepend.php" \
      -S "127.0.0.1:$ICHIDO_PORT" -t "$ICHIDO_WORDPRESS" "$ICHIDO_HERE/router.php" >"$ICHIDO_SITE/access.log" 2>&1 &
  fi
  wait
' </dev/null >/dev/null 2>&1 &
group=$!

# Nothing is ever written to it: only the end matters.
read -r _
kill -s KILL -- "-$group" 2>/dev/null
wait "$group" 2>/dev/null
rm -rf "$ICHIDO_SITE"
