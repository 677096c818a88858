//! From HTTP to the site and back.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, Response, header};
use axum::middleware::{self, Next};
use axum::routing::{get, post};
use bytes::{Bytes, BytesMut};
use chrono::TimeDelta;
use futures_util::{StreamExt as _, stream};
use tokio::sync::Semaphore;

use crate::answer::{Answer, Refusal};
use crate::asked::{Asked, SentFile};
use crate::callers::authenticate;
use crate::faults::{Fault, Met};
use crate::log::{self, Effect};
use crate::options::{Options, UPLOAD_CEILING};
use crate::pages;
use crate::route::{Kind, Route, rest_route};
use crate::site::Site;
use crate::wire::{Delivery, prevented, spoiled};

/// The largest body that is not an upload, in bytes.
const MOST_TEXT: u64 = 8 * 1024 * 1024;

/// What a multipart body may hold besides the file, in bytes.
const MULTIPART_ROOM: u64 = 256 * 1024;

/// What all requests share.
pub(crate) struct Shared {
    site: Mutex<Site>,
    pub(crate) port: u16,
    max_upload: u64,
    /// Turns for uploads: few at a time, so that memory is bounded.
    uploads: Semaphore,
}

/// How many uploads are read at once.
const UPLOADS_AT_ONCE: usize = 8;

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn new(options: &Options, url: String, port: u16) -> Shared {
        Shared {
            site: Mutex::new(Site::new(options, url)),
            port,
            max_upload: options.max_upload.min(UPLOAD_CEILING),
            uploads: Semaphore::new(UPLOADS_AT_ONCE),
        }
    }

    /// The site, with everything carried out that has become due.
    pub(crate) fn site(&self) -> MutexGuard<'_, Site> {
        let mut site = self.site.lock().unwrap_or_else(PoisonError::into_inner);
        site.catch_up();
        site
    }
}

/// The routes of a site.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/practice/style.css", get(pages::style))
        .route("/practice/switch", post(pages::switch))
        .route("/wp-admin/", get(pages::posts))
        .route("/wp-admin/edit.php", get(pages::posts))
        .route("/wp-admin/upload.php", get(pages::library))
        .route("/wp-admin/post.php", get(pages::post))
        .fallback(answer)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Lets in only who asked for this very site, so that no page elsewhere can reach it through a name of its own.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response<Body> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let own = ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", shared.port));
    if !own {
        return Delivery::Whole(Answer::html(403, "<!doctype html><title>403</title><p>403</p>"))
            .respond()
            .await;
    }
    let (paused, date) = {
        let site = shared.site();
        (site.maintenance && !request.uri().path().starts_with("/practice/"), site.now)
    };
    let mut response =
        if paused { maintenance(&shared, &request).respond().await } else { next.run(request).await };
    let date = date.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    if let Ok(date) = HeaderValue::from_str(&date) {
        response.headers_mut().insert(header::DATE, date);
    }
    response
}

/// What WordPress says during its own update: nothing has been carried out.
fn maintenance(shared: &Shared, request: &Request) -> Delivery {
    let json = [header::ACCEPT, header::CONTENT_TYPE].iter().any(|name| {
        request
            .headers()
            .get(name)
            .is_some_and(|value| value.to_str().unwrap_or_default().contains("application/json"))
    });
    let mut site = shared.site();
    let answer = if json {
        Refusal::new(503, "wp_die").answer(site.language)
    } else {
        let words = crate::messages::of("wp_die", site.language);
        Answer::html(503, format!("<!doctype html><title>Maintenance</title><h1>{words}</h1>"))
    };
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
    let route = rest_route(path, query, site.permalinks);
    let kind = route.map_or(Kind::Page, |route| Kind::of(request.method(), &route));
    let entry = log::Request {
        number: 0,
        at: site.now,
        method: request.method().to_string(),
        path: path.to_owned(),
        query: query.to_owned(),
        kind,
        user: None,
        operation: None,
        effect: Effect::None,
        created: None,
        answered: Some(503),
        met: None,
        hides: None,
    };
    site.log.note(entry);
    Delivery::Whole(answer.with("retry-after", "600"))
}

/// Answers everything that is no page of the administration: the REST API, uploaded files, the front.
async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let permalinks = shared.site().permalinks;
    let Some(route) = rest_route(parts.uri.path(), &query, permalinks) else {
        return pages::front(&shared, &parts).await;
    };
    let kind = Kind::of(&parts.method, &route);
    // The semaphore is never closed, so waiting for a turn cannot fail.
    let turn = if kind == Kind::UploadMedia { shared.uploads.acquire().await.ok() } else { None };
    let most = if route == Route::Library { shared.max_upload + MULTIPART_ROOM } else { MOST_TEXT };
    let body = match read(body, most).await {
        Ok(Some(body)) => body,
        Ok(None) => return too_large().respond().await,
        // The client left in the middle of its request: there is nobody to answer.
        Err(_) => return Delivery::Cut.respond().await,
    };
    let mut asked = Asked {
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query,
        headers: parts.headers,
        body,
        form: Vec::new(),
        file: None,
        route,
        user: None,
    };
    read_form(&mut asked).await;
    let file_size = asked.file.as_ref().map_or(0, |file| file.bytes.len() as u64);
    let raw_upload = asked.route == Route::Library && asked.file.is_none();
    if file_size > shared.max_upload || (raw_upload && asked.body.len() as u64 > shared.max_upload) {
        return too_large().respond().await;
    }
    let delivery = decide(&mut shared.site(), asked, kind);
    drop(turn);
    delivery.respond().await
}

fn too_large() -> Delivery {
    Delivery::Whole(Answer::html(
        413,
        "<html><head><title>413 Request Entity Too Large</title></head><body></body></html>",
    ))
}

/// Carries a request out, unless a fault is in its way, and says what goes over the wire.
fn decide(site: &mut Site, mut asked: Asked, kind: Kind) -> Delivery {
    asked.user = authenticate(&site.members, asked.header("authorization"));
    let mut entry = log::Request {
        number: 0,
        at: site.now,
        method: asked.method.to_string(),
        path: asked.path.clone(),
        query: asked.query.clone(),
        kind,
        user: site.login(asked.user),
        operation: asked.operation(),
        effect: Effect::None,
        created: None,
        answered: None,
        met: None,
        hides: None,
    };
    let chosen = site.watcher.as_mut().and_then(|watcher| watcher(&entry));
    let met = match chosen {
        Some(fault) => Met { fault: Some(fault), hide: None },
        None => site.faults.meet(kind),
    };
    entry.met.clone_from(&met.fault);
    entry.hides = met.hide;
    if let Some(delivery) = met.fault.as_ref().and_then(prevented) {
        entry.answered = delivery.status();
        if let Some(Fault::CommitLater(delay)) = met.fault {
            entry.effect = Effect::Later;
            let due = site.clock.now() + TimeDelta::from_std(delay).unwrap_or(TimeDelta::days(3650));
            let number = site.log.note(entry);
            site.postpone(asked, kind, met.hide, due, number);
        } else {
            site.log.note(entry);
        }
        return delivery;
    }
    let dies = met.fault == Some(Fault::MediaFatalAfterInsert);
    let answer = site.carry_out(&asked, dies);
    site.hide_new(kind, answer.created, met.hide);
    entry.created = answer.created;
    entry.effect = if answer.committed { Effect::Committed } else { Effect::None };
    let delivery = spoiled(met.fault.as_ref(), answer);
    entry.answered = delivery.status();
    site.log.note(entry);
    delivery
}

/// Reads a body; none if it is larger than allowed. What is too much is read and thrown away, so that the client
/// gets to read the answer.
async fn read(body: Body, most: u64) -> Result<Option<Bytes>, axum::Error> {
    let mut kept = BytesMut::new();
    let mut size: u64 = 0;
    let mut stream = body.into_data_stream();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        size += chunk.len() as u64;
        if size > most.saturating_mul(4) {
            break;
        }
        if size <= most {
            kept.extend_from_slice(&chunk);
        } else {
            kept.clear();
        }
    }
    Ok((size <= most).then(|| kept.freeze()))
}

/// Takes a form body apart.
async fn read_form(asked: &mut Asked) {
    let Some(kind) = asked.header("content-type").map(str::to_owned) else { return };
    if asked.method == Method::GET || asked.method == Method::HEAD {
        return;
    }
    if kind.starts_with("application/x-www-form-urlencoded") {
        asked.form = url::form_urlencoded::parse(&asked.body).into_owned().collect();
        return;
    }
    let Ok(boundary) = multer::parse_boundary(&kind) else { return };
    let body = asked.body.clone();
    let mut parts =
        multer::Multipart::new(stream::once(async move { Ok::<Bytes, Infallible>(body) }), boundary);
    while let Ok(Some(field)) = parts.next_field().await {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let Ok(bytes) = field.bytes().await else { return };
        match file_name {
            Some(file_name) if name == "file" => asked.file = Some(SentFile { name: file_name, bytes }),
            Some(_) => {}
            None => asked.form.push((name, String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
}
