//! What of an image goes over the wire.

use std::path::Path;

use md5::Md5;
use sha2::{Digest, Sha256};

use crate::folder::{Folder, ReadError};
use crate::image;
use crate::images::hex;
use crate::options::Options;

/// The version of the way images are prepared; part of what is remembered of an upload.
pub const PREPARATION_VERSION: u32 = 1;

/// The bytes to be sent and what proves them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedImage {
    /// What is sent.
    pub bytes: Vec<u8>,
    /// The type by content.
    pub mime: &'static str,
    /// MD5 of `bytes` in lower-case hex, the form in which WordPress checks it.
    pub md5_hex: String,
    /// SHA-256 of `bytes`.
    pub sha256: [u8; 32],
}

/// Why an image cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The folder or the file cannot be opened or read.
    #[error("read the image again")]
    Read(#[source] std::io::Error),
    /// The file is gone, or is no file any more.
    #[error("find the image again")]
    Gone,
    /// A link now leads out of the folder.
    #[error("find the image inside its folder again")]
    Outside,
    /// The bytes are not those that were checked.
    #[error("find the image unchanged since it was checked")]
    Changed,
    /// The camera's data cannot be told from the picture.
    #[error("take the camera's data out of the image")]
    Strip,
}

pub(crate) fn prepare(
    folder: &Path,
    relative: &Path,
    digest: [u8; 32],
    options: &Options,
) -> Result<PreparedImage, PrepareError> {
    let folder = Folder::open(folder).map_err(PrepareError::Read)?;
    let original = folder.read(relative, options.limits.image_bytes).map_err(|error| match error {
        ReadError::NotFound { .. } | ReadError::NotAFile => PrepareError::Gone,
        ReadError::Outside => PrepareError::Outside,
        ReadError::TooLarge { .. } => PrepareError::Changed,
        ReadError::Io(error) => PrepareError::Read(error),
    })?;
    if <[u8; 32]>::from(Sha256::digest(&original)) != digest {
        return Err(PrepareError::Changed);
    }
    let (kind, _) = image::inspect(&original).map_err(|_| PrepareError::Strip)?;
    let bytes = if options.strip_metadata {
        image::without_metadata(kind, original).map_err(|_| PrepareError::Strip)?
    } else {
        original
    };
    Ok(PreparedImage {
        mime: kind.mime(),
        md5_hex: hex(&Md5::digest(&bytes)),
        sha256: Sha256::digest(&bytes).into(),
        bytes,
    })
}
