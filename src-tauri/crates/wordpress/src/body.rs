//! Request bodies that tell how far they were written.
