<?php
// Runs before every script of a site. WordPress reads its configuration, and the file that puts it into maintenance, from
// ABSPATH: each site has a folder of links there, so that sites that share a tree share nothing else.

if (!defined('ABSPATH')) {
    define('ABSPATH', getenv('ICHIDO_SITE') . '/www/');
}
