//! Small images, made here.
