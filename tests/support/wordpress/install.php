<?php
// Installs WordPress into an empty database and prints its users, with their application passwords, as JSON.

require __DIR__ . '/prepend.php';
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = 'site.invalid';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI'] = '/';

// Stands in for the mail that a new site sends to its owner.
function wp_new_blog_notification($title, $url, $user, $password) {}

$connection = mysqli_init();
$connection->real_connect('localhost', 'root', '', '', 0, getenv('ICHIDO_SITE') . '/db.sock');
$connection->query('CREATE DATABASE wordpress CHARACTER SET utf8mb4');
$connection->close();

require getenv('ICHIDO_WORDPRESS') . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

wp_install('Tests', 'administrator', 'administrator@example.invalid', true, '', wp_generate_password(24, false));

// The sample post, page and comment would be in the way of every count.
foreach (get_posts(['post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1]) as $sample) {
    wp_delete_post($sample->ID, true);
}

update_option('timezone_string', 'Asia/Tokyo');
update_option('template', 'plain');
update_option('stylesheet', 'plain');
update_option('permalink_structure', '/%postname%/');
$GLOBALS['wp_rewrite']->init();
$GLOBALS['wp_rewrite']->flush_rules(false);

$users = [];
$roles = [
    'administrator' => 'administrator',
    'editor' => 'editor',
    'author' => 'author',
    'other-author' => 'author',
    'contributor' => 'contributor',
    'subscriber' => 'subscriber',
];
foreach ($roles as $login => $role) {
    $user = get_user_by('login', $login);
    $id = $user ? $user->ID : wp_insert_user([
        'user_login' => $login,
        'user_pass' => wp_generate_password(24, false),
        'user_email' => $login . '@example.invalid',
        'role' => $role,
    ]);
    if (is_wp_error($id)) {
        fwrite(STDERR, $id->get_error_message() . "\n");
        exit(1);
    }
    $made = WP_Application_Passwords::create_new_application_password($id, ['name' => 'tests']);
    $users[$login] = ['id' => $id, 'login' => $login, 'password' => WP_Application_Passwords::chunk_password($made[0])];
}
echo json_encode(['version' => $GLOBALS['wp_version'], 'users' => $users]);
