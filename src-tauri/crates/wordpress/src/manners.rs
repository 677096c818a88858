//! What a site can do that older ones cannot, as it says itself.

use reqwest::Method;
use serde_json::Value;

use crate::Class;
use crate::address::Query;
use crate::client::Client;
use crate::errors::AskError;
use crate::read::Patience;

/// The parameter of an upload by which the sizes of an image are left for later.
const LATER_SIZES: &str = "generate_sub_sizes";

impl Client {
    /// Tells whether the site can store an image first and make its sizes later: whether uploads take the parameter
    /// that says so.
    ///
    /// # Errors
    /// Returns why the site could not be asked.
    pub async fn defers_sizes(&self) -> Result<bool, AskError> {
        let route = Class::Media.path();
        let got = self.ask::<Value>(Method::OPTIONS, route, &Query::default(), Patience::Once).await?;
        Ok(takes(&got.value, "POST", LATER_SIZES))
    }
}

/// Whether a route takes a parameter with a method.
fn takes(route: &Value, method: &str, parameter: &str) -> bool {
    let endpoints = route.get("endpoints").and_then(Value::as_array);
    endpoints.into_iter().flatten().any(|endpoint| {
        let methods = endpoint.get("methods").and_then(Value::as_array);
        methods.is_some_and(|methods| methods.iter().any(|known| known == method))
            && endpoint.get("args").and_then(|args| args.get(parameter)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scripted::{self, Scripted, client};

    #[tokio::test]
    async fn a_site_says_itself_whether_sizes_can_wait() {
        let endpoint = |method: &str, args: Value| json!({"methods": [method], "args": args});
        for (endpoints, can) in [
            (json!([endpoint("GET", json!({})), endpoint("POST", json!({LATER_SIZES: {}}))]), true),
            (json!([endpoint("GET", json!({LATER_SIZES: {}})), endpoint("POST", json!([]))]), false),
            (json!([]), false),
            (Value::Null, false),
        ] {
            let body = json!({"namespace": "wp/v2", "endpoints": endpoints}).to_string();
            let server = Scripted::site(move |_| scripted::json(200, "", &body)).await;
            assert_eq!(client(&server).defers_sizes().await.unwrap(), can, "{endpoints}");
            assert!(server.lines()[0].starts_with("OPTIONS /wp-json/wp/v2/media?"), "{:?}", server.lines());
        }
        let server = Scripted::site(|_| scripted::json(403, "", "<html>")).await;
        assert!(client(&server).defers_sizes().await.is_err());
        assert_eq!(server.lines().len(), 1, "asked once");
    }
}
