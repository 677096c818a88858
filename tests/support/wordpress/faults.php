<?php
// Faults that only WordPress itself can have. The proxy asks for them with a header; without it nothing happens.

if (($_SERVER['HTTP_X_ICHIDO_FAULT'] ?? '') === 'media-fatal-after-insert') {
    add_filter('intermediate_image_sizes_advanced', function () {
        ichido_dies_while_making_the_sizes();
    });
}
