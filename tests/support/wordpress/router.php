<?php
// What a web server does in front of WordPress, and a door for the tests to act as a person on the site.

// The server's own prepending leaves the router out.
require __DIR__ . '/prepend.php';

$ichido_site = getenv('ICHIDO_SITE');
$ichido_path = rawurldecode((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));

if ($ichido_path === '/.ichido/php') {
    if (!hash_equals(getenv('ICHIDO_TOKEN'), $_SERVER['HTTP_X_ICHIDO_TOKEN'] ?? '')) {
        http_response_code(403);
        return true;
    }
    ['code' => $ichido_code, 'args' => $args] = json_decode(file_get_contents('php://input'), true);
    // A person at the server acts in maintenance too. Filters that stand here before WordPress loads are taken over by it.
    $wp_filter = ['enable_maintenance_mode' => [10 => [['function' => fn() => false, 'accepted_args' => 0]]]];
    require getenv('ICHIDO_WORDPRESS') . '/wp-load.php';
    foreach (['post', 'taxonomy', 'image', 'file', 'media', 'plugin', 'user'] as $ichido_part) {
        require_once ABSPATH . 'wp-admin/includes/' . $ichido_part . '.php';
    }
    wp_set_current_user(1);
    header('Content-Type: application/json');
    try {
        echo json_encode(['value' => eval($ichido_code)], JSON_THROW_ON_ERROR);
    } catch (Throwable $ichido_error) {
        http_response_code(500);
        echo json_encode(['error' => $ichido_error->getMessage()]);
    }
    return true;
}

if (str_starts_with($ichido_path, '/wp-content/')) {
    $ichido_file = realpath($ichido_site . $ichido_path);
    $ichido_root = realpath($ichido_site . '/wp-content') . '/';
    if ($ichido_file !== false && is_file($ichido_file) && str_starts_with($ichido_file, $ichido_root) && !str_ends_with($ichido_file, '.php')) {
        header('Content-Type: ' . mime_content_type($ichido_file));
        header('Content-Length: ' . filesize($ichido_file));
        readfile($ichido_file);
        return true;
    }
    http_response_code(404);
    return true;
}

$ichido_file = $_SERVER['DOCUMENT_ROOT'] . $ichido_path;
if (is_file($ichido_file) || ($ichido_path !== '/' && is_file(rtrim($ichido_file, '/') . '/index.php'))) {
    return false;
}

foreach (['SCRIPT_NAME', 'PHP_SELF'] as $ichido_name) {
    $_SERVER[$ichido_name] = '/index.php';
}
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/index.php';
unset($_SERVER['PATH_INFO']);
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
