<?php
// One site of the tests. The WordPress tree is shared by all sites; everything that is a site's own stands in the
// folder that ICHIDO_SITE names: this file, wp-content, the database's socket.

$ichido_site = getenv('ICHIDO_SITE');
// The address is the one that the request came to, so that a proxy in front of the site is the site.
$ichido_home = 'http://' . ($_SERVER['HTTP_HOST'] ?? 'site.invalid');

define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . $ichido_site . '/db.sock');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
$table_prefix = 'wp_';

define('WP_HOME', $ichido_home);
define('WP_SITEURL', $ichido_home);
define('WP_CONTENT_DIR', $ichido_site . '/wp-content');
define('WP_CONTENT_URL', $ichido_home . '/wp-content');

// Application passwords over plain http, on loopback, are allowed in this type alone.
define('WP_ENVIRONMENT_TYPE', 'local');
define('WP_DEBUG', false);
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('FS_METHOD', 'direct');

foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $ichido_name) {
    define($ichido_name . '_KEY', 'tests-' . $ichido_name . '-key');
    define($ichido_name . '_SALT', 'tests-' . $ichido_name . '-salt');
}

require_once ABSPATH . 'wp-settings.php';
