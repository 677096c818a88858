<!DOCTYPE html>
<html <?php language_attributes(); ?>>
<head><meta charset="<?php bloginfo('charset'); ?>"><?php wp_head(); ?></head>
<body>
<?php
while (have_posts()) {
    the_post();
    echo '<article><h1>', esc_html(get_the_title()), '</h1>';
    the_content();
    echo '</article>';
}
wp_footer();
?>
</body>
</html>
