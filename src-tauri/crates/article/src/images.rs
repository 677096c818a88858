//! The images of an article: found, read and checked once, however often they are referred to.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ichido_core::slug::Slug;
use sha2::{Digest, Sha256};

use crate::finding::{FindingCode, Findings};
use crate::folder::{ReadError, reason};
use crate::gates;
use crate::image::{self, Kind};
use crate::options::Options;
use crate::places::{Missing, Places};
use crate::prepare::{self, PrepareError, PreparedImage};
use crate::reference::Refused;

pub(crate) use crate::reference::is_remote;

/// A local image that an article uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleImage {
    /// The folder out of which no path leads.
    pub(crate) folder: PathBuf,
    /// Where the file lies in the folder.
    pub relative: PathBuf,
    /// The reference as it is written where it was first met.
    pub reference: String,
    /// SHA-256 of the original bytes: the identity of the image.
    pub digest: [u8; 32],
    /// The ASCII name under which it is uploaded, with the extension of its true type.
    pub file_name: String,
    /// The slug of the attachment: the file name without extension.
    pub slug: Slug,
    /// The type by content.
    pub mime: &'static str,
    /// Length of the original in bytes.
    pub bytes: u64,
    /// Width in pixels as stored.
    pub width: u32,
    /// Height in pixels as stored.
    pub height: u32,
    /// The text that stands for the image.
    pub alt: String,
    /// The title, empty if none.
    pub title: String,
    /// The caption, empty if none.
    pub caption: String,
}

impl ArticleImage {
    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(&self.relative)
    }

    /// Reads the file again and makes what is to be sent; with `shrink`, a picture beyond
    /// [`BIG_IMAGE`](crate::BIG_IMAGE) is made smaller where that can be done. The same file gives the same bytes.
    ///
    /// # Errors
    /// When the file has changed since the preflight saw it, cannot be read, or cannot be cleaned.
    pub fn prepare(&self, options: &Options, shrink: bool) -> Result<PreparedImage, PrepareError> {
        prepare::prepare(&self.folder, &self.relative, self.digest, options, shrink)
    }
}

/// What is said about an image where it is referred to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Described<'a> {
    pub(crate) alt: &'a str,
    pub(crate) title: &'a str,
    pub(crate) caption: &'a str,
}

/// Where the picture of a reference comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// An image of the article, by its index.
    Local(usize),
    /// An address on the web.
    Remote(String),
    /// Nothing usable; a finding says why.
    Broken,
}

/// The images of an article under way.
#[derive(Debug)]
pub(crate) struct Images {
    places: Places,
    options: Options,
    list: Vec<ArticleImage>,
    /// Where each image was first met.
    lines: Vec<Option<u32>>,
    by_reference: HashMap<String, Source>,
    by_path: HashMap<PathBuf, Source>,
    by_digest: HashMap<[u8; 32], usize>,
    told_too_many: bool,
}

impl Images {
    pub(crate) fn of(places: Places, options: &Options) -> Self {
        Self {
            places,
            options: options.clone(),
            list: Vec::new(),
            lines: Vec::new(),
            by_reference: HashMap::new(),
            by_path: HashMap::new(),
            by_digest: HashMap::new(),
            told_too_many: false,
        }
    }

    /// Tells of images without a text that stands for them.
    pub(crate) fn tell_missing_texts(&self, findings: &mut Findings) {
        if self.options.gates.alt {
            for (image, line) in self.list.iter().zip(&self.lines).filter(|(image, _)| image.alt.is_empty()) {
                findings.add(FindingCode::AltMissing, *line, &[("reference", &image.reference)]);
            }
        }
    }

    /// The files that were read, or could not be.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.by_path.keys().map(|relative| self.places.root().join(relative)).collect()
    }

    pub(crate) fn into_list(self) -> Vec<ArticleImage> {
        self.list
    }

    /// Where the article's files lie.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    pub(crate) fn set_root_url(&mut self, written: &str) {
        self.places.set_root_url(written);
    }

    /// Whether a reference names something in the folder.
    pub(crate) fn holds(&self, reference: &str) -> bool {
        self.places.find(reference).is_ok()
    }

    pub(crate) fn resolve(
        &mut self,
        reference: &str,
        described: Described<'_>,
        line: Option<u32>,
        findings: &mut Findings,
    ) -> Source {
        let source = match self.by_reference.get(reference) {
            Some(known) => known.clone(),
            None => {
                let source = self.find(reference, line, findings);
                self.by_reference.insert(reference.to_owned(), source.clone());
                source
            }
        };
        if let Source::Local(index) = source
            && let Some(image) = self.list.get_mut(index)
        {
            for (known, new) in [
                (&mut image.alt, described.alt),
                (&mut image.title, described.title),
                (&mut image.caption, described.caption),
            ] {
                if known.is_empty() {
                    new.trim().clone_into(known);
                }
            }
        }
        source
    }

    fn find(&mut self, reference: &str, line: Option<u32>, findings: &mut Findings) -> Source {
        if is_remote(reference.trim()) {
            if self.options.gates.local_links && gates::is_local(reference) {
                findings.add(FindingCode::LinkLocal, line, &[("link", reference.trim())]);
            }
            return Source::Remote(reference.trim().to_owned());
        }
        let relative = match self.places.find(reference) {
            Ok(relative) => relative,
            Err(Missing::Refused(refused)) => {
                let code = match refused {
                    Refused::Absolute => FindingCode::ImageAbsolute,
                    Refused::Outside => FindingCode::ImageOutside,
                    Refused::Forbidden => FindingCode::ImagePathForbidden,
                    Refused::Inline => FindingCode::ImageInline,
                };
                // Data written into the text would fill the report and say nothing.
                let shown = if refused == Refused::Inline { "data:" } else { reference };
                findings.add(code, line, &[("reference", shown)]);
                return Source::Broken;
            }
            Err(Missing::Read(error)) => {
                report(&error, reference, line, self.options.limits.image_bytes, findings);
                return Source::Broken;
            }
            Err(Missing::Several(first, second)) => {
                let (first, second) = (first.display().to_string(), second.display().to_string());
                let params = [("reference", reference), ("first", &first), ("second", &second)];
                findings.add(FindingCode::ImageAmbiguous, line, &params);
                return Source::Broken;
            }
        };
        if let Some(known) = self.by_path.get(&relative) {
            return known.clone();
        }
        let source = self.read(reference, &relative, line, findings);
        self.by_path.insert(relative, source.clone());
        source
    }

    fn read(
        &mut self,
        reference: &str,
        relative: &Path,
        line: Option<u32>,
        findings: &mut Findings,
    ) -> Source {
        let limits = &self.options.limits;
        if self.list.len() >= limits.images {
            if !std::mem::replace(&mut self.told_too_many, true) {
                findings.add(FindingCode::ImagesTooMany, line, &[("limit", &limits.images.to_string())]);
            }
            return Source::Broken;
        }
        if !self.options.fetch && self.places.folder().is_hollow(relative) {
            findings.add(FindingCode::ImageInCloud, line, &[("reference", reference)]);
            return Source::Broken;
        }
        let bytes = match self.places.folder().read(relative, limits.image_bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&error, reference, line, limits.image_bytes, findings);
                return Source::Broken;
            }
        };
        let (kind, width, height) = match checked(&bytes, reference, line, limits.image_pixels, findings) {
            Some(found) => found,
            None => return Source::Broken,
        };
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        if let Some(&index) = self.by_digest.get(&digest) {
            return Source::Local(index);
        }
        let name = relative.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        if !kind.extensions().contains(&extension.to_ascii_lowercase().as_str()) {
            findings.add(
                FindingCode::ImageWrongExtension,
                line,
                &[("reference", reference), ("mime", kind.mime())],
            );
        }
        let stem = format!("{}-{}", ascii_name(stem), hex(&digest[..6]));
        let file_name = format!("{stem}.{}", kind.extensions()[0]);
        let Ok(slug) = Slug::sanitise(&stem) else { return Source::Broken };
        let index = self.list.len();
        self.by_digest.insert(digest, index);
        self.lines.push(line);
        self.list.push(ArticleImage {
            folder: self.places.root().to_owned(),
            relative: relative.to_owned(),
            reference: reference.to_owned(),
            digest,
            file_name,
            slug,
            mime: kind.mime(),
            bytes: bytes.len() as u64,
            width,
            height,
            alt: String::new(),
            title: String::new(),
            caption: String::new(),
        });
        Source::Local(index)
    }
}

fn checked(
    bytes: &[u8],
    reference: &str,
    line: Option<u32>,
    most_pixels: u64,
    findings: &mut Findings,
) -> Option<(Kind, u32, u32)> {
    let problem = match image::inspect(bytes) {
        Ok((kind, size)) => {
            let pixels = u64::from(size.width) * u64::from(size.height);
            if pixels <= most_pixels {
                return Some((kind, size.width, size.height));
            }
            let params = [
                ("reference", reference),
                ("width", &size.width.to_string()),
                ("height", &size.height.to_string()),
                ("limit", &most_pixels.to_string()),
            ];
            findings.add(FindingCode::ImageTooManyPixels, line, &params);
            return None;
        }
        Err(image::Problem::Empty) => FindingCode::ImageEmpty,
        Err(image::Problem::Svg) => FindingCode::ImageSvg,
        Err(image::Problem::Heic) => FindingCode::ImageHeic,
        Err(image::Problem::Unknown) => FindingCode::ImageTypeUnknown,
        Err(image::Problem::Damaged) => FindingCode::ImageDamaged,
    };
    findings.add(problem, line, &[("reference", reference)]);
    None
}

fn report(error: &ReadError, reference: &str, line: Option<u32>, limit: u64, findings: &mut Findings) {
    let named = ("reference", reference);
    match error {
        ReadError::NotFound { similar: Some(similar) } => {
            findings.add(FindingCode::ImageNotFound, line, &[named, ("similar", similar)]);
        }
        ReadError::NotFound { similar: None } => findings.add(FindingCode::ImageNotFound, line, &[named]),
        ReadError::Outside => findings.add(FindingCode::ImageOutside, line, &[named]),
        ReadError::NotAFile => {
            findings.add(FindingCode::ImageUnreadable, line, &[named, ("reason", "not_a_file")]);
        }
        ReadError::TooLarge { bytes } => {
            let sizes = [named, ("bytes", &bytes.to_string()), ("limit", &limit.to_string())];
            findings.add(FindingCode::ImageTooLarge, line, &sizes);
        }
        ReadError::Io(error) => {
            findings.add(FindingCode::ImageUnreadable, line, &[named, ("reason", reason(error))]);
        }
    }
}

/// A name that every server, cache and file system takes.
fn ascii_name(stem: &str) -> String {
    const LONGEST: usize = 60;
    let plain = Slug::sanitise(stem).map(|slug| slug.as_str().to_owned()).unwrap_or_default();
    let mut name = String::with_capacity(plain.len());
    for character in plain.chars() {
        if character.is_ascii_alphanumeric() {
            name.push(character);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
        if name.len() >= LONGEST {
            break;
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() { "image".to_owned() } else { name.to_owned() }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing into a String cannot fail.
        let _: std::fmt::Result = write!(out, "{byte:02x}");
        out
    })
}
