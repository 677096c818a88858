//! One multipart request body.
