//! `wp/v2/users/me` and its kin.

use serde_json::{Map, Value, json};

use crate::answer::{Answer, Refusal, Reply};
use crate::asked::Params;
use crate::callers::Caller;
use crate::fields::Fields;
use crate::options::Language;
use crate::rows::User;
use crate::site::Site;

fn body(site: &Site, user: &User, edits: bool) -> Value {
    let slug = crate::slugs::sanitise(&user.login);
    let mut body = json!({
        "id": user.id, "name": user.name, "url": "", "description": "",
        "link": format!("{}/author/{slug}/", site.url), "slug": slug, "avatar_urls": {}, "meta": [],
        "_links": { "self": [{ "href": site.rest_url(&format!("wp/v2/users/{}", user.id)) }] },
    });
    if edits {
        let granted = |names: Vec<&str>| -> Map<String, Value> {
            names.into_iter().map(|name| (name.to_owned(), Value::Bool(true))).collect()
        };
        let mut capabilities = granted(user.role.capabilities());
        capabilities.insert(user.role.word().to_owned(), Value::Bool(true));
        body["username"] = json!(user.login);
        body["first_name"] = json!("");
        body["last_name"] = json!("");
        body["email"] = json!(format!("{}@example.com", user.id));
        body["nickname"] = json!(user.name);
        body["locale"] = json!(match site.language {
            Language::Japanese => "ja",
            Language::English => "en_US",
        });
        body["roles"] = json!([user.role.word()]);
        body["capabilities"] = Value::Object(capabilities);
        body["extra_capabilities"] = Value::Object(granted(vec![user.role.word()]));
    }
    body
}

fn known(site: &Site, id: u64) -> Option<&User> {
    site.members.iter().map(|member| &member.user).find(|user| user.id == id)
}

pub(crate) fn me(site: &Site, caller: &Caller, params: &Params) -> Reply {
    let edits = params.edits()?;
    let user = known(site, caller.id()).ok_or_else(|| Refusal::new(401, "rest_not_logged_in"))?;
    Ok(Answer::json(200, &Fields::read(params)?.cut(body(site, user, edits))))
}

pub(crate) fn get(site: &Site, caller: &Caller, params: &Params, id: u64) -> Reply {
    let edits = params.edits()?;
    let user = known(site, id).ok_or_else(|| Refusal::new(404, "rest_user_invalid_id"))?;
    let own = caller.id() == id;
    if edits && !own && !caller.can("edit_users") {
        return Err(Refusal::forbidden(caller.known(), "rest_user_cannot_view"));
    }
    let writes =
        site.posts.values().any(|post| post.author == id && post.status == crate::rows::Status::Publish);
    if !own && !writes && !caller.can("list_users") {
        return Err(Refusal::forbidden(caller.known(), "rest_user_cannot_view"));
    }
    Ok(Answer::json(200, &Fields::read(params)?.cut(body(site, user, edits))))
}

pub(crate) fn introspect(site: &Site, caller: &Caller) -> Reply {
    if !caller.known() {
        return Err(Refusal::new(401, "rest_not_logged_in"));
    }
    Ok(Answer::json(
        200,
        &json!({
            "uuid": format!("00000000-0000-4000-8000-{:012}", caller.id()), "app_id": "", "name": "Ichido",
            "created": Site::gmt(site.now), "last_used": null, "last_ip": null,
        }),
    ))
}
