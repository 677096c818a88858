//! Uploading.

use bytes::Bytes;
use chrono::Datelike;
use md5::{Digest, Md5};

use crate::answer::{Refusal, Reply};
use crate::asked::{Asked, Params};
use crate::callers::Caller;
use crate::media::{Words, body, files};
use crate::options::Release;
use crate::rows::{Media, Status};
use crate::site::Site;
use crate::slugs;

/// A file that has passed all checks.
struct Checked {
    sent_name: String,
    name: String,
    mime: &'static str,
    bytes: Bytes,
    multipart: bool,
}

/// Reads `filename=` the way WordPress does: split at semicolons, `filename*=` unknown.
fn file_name(disposition: &str) -> Option<String> {
    let (_, rest) = disposition.split_once(';')?;
    for part in rest.split(';') {
        if let Some((name, value)) = part.split_once('=')
            && name.trim().eq_ignore_ascii_case("filename")
        {
            let value = value.trim();
            let bare = value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(value);
            return (!bare.is_empty()).then(|| bare.to_owned());
        }
    }
    None
}

fn checked(site: &Site, asked: &Asked) -> Result<Checked, Refusal> {
    let (sent_name, bytes, multipart) = match &asked.file {
        Some(file) => (file.name.clone(), file.bytes.clone(), true),
        None => {
            let multipart = asked.header("content-type").is_some_and(|kind| kind.starts_with("multipart/"));
            // PHP hands a multipart body on in pieces only, so there is nothing left to read here.
            if asked.body.is_empty() || multipart {
                return Err(Refusal::new(400, "rest_upload_no_data"));
            }
            let disposition = asked.header("content-disposition");
            let Some(disposition) = disposition else {
                return Err(Refusal::new(400, "rest_upload_no_content_disposition"));
            };
            let Some(name) = file_name(disposition) else {
                return Err(Refusal::new(400, "rest_upload_invalid_disposition"));
            };
            (name, asked.body.clone(), false)
        }
    };
    if let Some(sum) = asked.header("content-md5").filter(|sum| !sum.is_empty()) {
        let actual: String = Md5::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if sum.trim() != actual {
            return Err(Refusal::new(412, "rest_upload_hash_mismatch"));
        }
    }
    let code = if multipart { "rest_upload_unknown_error" } else { "rest_upload_sideload_error" };
    let refused = || Refusal::new(500, code);
    let (mime, ending) = files::kind(&bytes, site.release).ok_or_else(refused)?;
    let name = files::stored_name(&sent_name, ending).ok_or_else(refused)?;
    if site.stored() + bytes.len() as u64 > site.max_stored {
        return Err(Refusal::new(400, "rest_upload_limited_space"));
    }
    Ok(Checked { sent_name, name, mime, bytes, multipart })
}

/// The first of `name.png`, `name-1.png`, ... that is free in the folder.
fn free_path(site: &Site, folder: &str, name: &str) -> String {
    let first = format!("{folder}/{name}");
    let mut path = first.clone();
    let mut number = 1;
    while site.media.values().any(|item| item.path == path) {
        path = files::with_suffix(&first, &format!("-{number}"));
        number += 1;
    }
    path
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Stores an upload; with `dies` the sizes are not made and the answer is PHP's fatal error.
pub(crate) fn create(site: &mut Site, caller: &Caller, params: &Params, asked: &Asked, dies: bool) -> Reply {
    let words = Words::read(params, caller, None)?;
    if !caller.can("upload_files") {
        return Err(Refusal::forbidden(caller.known(), "rest_cannot_create"));
    }
    words.check_parent(site, caller)?;
    words.check(caller, params)?;
    let file = checked(site, asked)?;
    let local = site.now + chrono::TimeDelta::hours(site.gmt_offset_hours.into());
    let path = free_path(site, &format!("{:04}/{:02}", local.year(), local.month()), &file.name);
    let stored_stem = stem(path.rsplit('/').next().unwrap_or_default()).to_owned();
    // Since 6.6 an untitled multipart upload is called what its sender called it.
    let untitled = if file.multipart && site.release >= Release::V7_1 {
        stem(&file.sent_name).to_owned()
    } else {
        stored_stem
    };
    let title = words.title.filter(|title| !title.is_empty()).unwrap_or(untitled);
    let id = site.take_id();
    let wanted = words.slug.filter(|slug| !slug.is_empty()).unwrap_or_else(|| slugs::sanitise(&title));
    let wanted = if wanted.is_empty() { id.to_string() } else { wanted };
    let (width, height) = imagesize::blob_size(&file.bytes).map_or((0, 0), |size| (size.width, size.height));
    let (width, height) = (u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0));
    let sized = params.flag("generate_sub_sizes")?.unwrap_or(true) || site.release < Release::V7_1;
    let item = Media {
        id,
        slug: slugs::unique_media(&wanted, |slug| site.any_slug_taken(slug, id)),
        status: words.status.unwrap_or(Status::Inherit),
        title,
        caption: words.caption.unwrap_or_default(),
        description: words.description.unwrap_or_default(),
        alt_text: words.alt_text.unwrap_or_default(),
        author: caller.id(),
        parent: words.parent.unwrap_or(0),
        date: site.now,
        modified: site.now,
        sent_name: file.sent_name,
        path,
        mime: file.mime,
        bytes: file.bytes,
        width,
        height,
        scaled: sized && !dies && files::is_scaled(file.mime, width, height, site.release),
        unfinished: dies || (!sized && !files::smaller(width, height).is_empty()),
        hiding: None,
    };
    site.media.insert(id, item.clone());
    if dies {
        let answer = Refusal::new(500, "internal_server_error").answer(site.language);
        return Ok(answer.with("x-wp-upload-attachment-id", id.to_string()).made(id));
    }
    let answer = crate::answer::Answer::json(201, &body(site, caller, &item, true));
    Ok(answer
        .with("location", site.rest_url(&format!("wp/v2/media/{id}")))
        .with("x-wp-upload-attachment-id", id.to_string())
        .made(id))
}
