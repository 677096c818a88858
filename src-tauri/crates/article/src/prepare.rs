//! What of an image goes over the wire.

use std::path::Path;

use md5::Md5;
use sha2::{Digest, Sha256};

use crate::folder::{Folder, ReadError};
use crate::image;
use crate::images::hex;
use crate::options::Options;

/// The version of the way images are prepared, kept with each upload. An image stays the same image whatever it is:
/// its identity is the original.
pub const PREPARATION_VERSION: u32 = 2;
/// The longest side of a picture that WordPress shows as it was uploaded, in pixels.
pub const BIG_IMAGE: u32 = 2560;

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
    /// Whether the picture was made smaller than the original.
    pub shrunk: bool,
    /// Whether the site has neither to turn the picture nor to make it smaller, so that it may make its sizes later.
    pub stands_as_it_is: bool,
    /// Whether it is larger than sites show it and was to be made smaller, which this format or picture does not
    /// allow.
    pub kept_large: bool,
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
    shrink: bool,
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
    let (kind, size) = image::inspect(&original).map_err(|_| PrepareError::Strip)?;
    let large = size.width.max(size.height) > BIG_IMAGE;
    let smaller = if large && shrink {
        image::shrunk(kind, &original, BIG_IMAGE, !options.strip_metadata)
    } else {
        None
    };
    let shrunk = smaller.is_some();
    let stands_as_it_is = shrunk || (!large && image::is_upright(kind, &original));
    let bytes = match smaller {
        Some(smaller) => smaller,
        None if options.strip_metadata => {
            image::without_metadata(kind, original).map_err(|_| PrepareError::Strip)?
        }
        None => original,
    };
    Ok(PreparedImage {
        shrunk,
        stands_as_it_is,
        kept_large: large && shrink && !shrunk,
        mime: kind.mime(),
        md5_hex: hex(&Md5::digest(&bytes)),
        sha256: Sha256::digest(&bytes).into(),
        bytes,
    })
}
