//! The texts of the REST errors. Clients must not lean on them, so the site speaks its own language.

use crate::options::Language;

/// The message of an error code, in the site's language.
pub(crate) fn of(code: &str, language: Language) -> &'static str {
    let (english, japanese) = both(code);
    match language {
        Language::English => english,
        Language::Japanese => japanese,
    }
}

fn both(code: &str) -> (&'static str, &'static str) {
    match code {
        "rest_no_route" => (
            "No route was found matching the URL and request method.",
            "URL とリクエストメソッドに一致するルートが見つかりませんでした。",
        ),
        "rest_invalid_param" => ("Invalid parameter(s): ", "無効なパラメーター: "),
        "rest_missing_callback_param" => ("Missing parameter(s): ", "足りないパラメーター: "),
        "rest_invalid_json" => ("Invalid JSON body passed.", "JSON の形式が正しくありません。"),
        "rest_not_logged_in" => ("You are not currently logged in.", "現在ログインしていません。"),
        "rest_post_invalid_id" => ("Invalid post ID.", "無効な投稿 ID です。"),
        "rest_term_invalid" => ("Term does not exist.", "項目が存在しません。"),
        "rest_user_invalid_id" => ("Invalid user ID.", "無効なユーザー ID です。"),
        "rest_invalid_author" => ("Invalid author ID.", "無効な投稿者 ID です。"),
        "rest_post_invalid_page_number" => (
            "The page number requested is larger than the number of pages available.",
            "要求されたページ番号が、ページの総数を超えています。",
        ),
        "empty_content" => {
            ("Content, title, and excerpt are empty.", "本文、タイトル、抜粋のすべてが空です。")
        }
        "db_insert_error" => {
            ("Could not insert post into the database.", "投稿をデータベースに追加できませんでした。")
        }
        "term_exists" => (
            "A term with the name provided already exists in this taxonomy.",
            "その名前の項目はこの分類にすでにあります。",
        ),
        "empty_term_name" => ("A name is required for this term.", "名前は必須です。"),
        "rest_cannot_create" => (
            "Sorry, you are not allowed to create posts as this user.",
            "このユーザーとして投稿を作成する権限がありません。",
        ),
        "rest_cannot_publish" => (
            "Sorry, you are not allowed to publish posts in this post type.",
            "この投稿タイプで公開する権限がありません。",
        ),
        "rest_already_trashed" => {
            ("The post has already been deleted.", "この投稿はすでに削除されています。")
        }
        "rest_trash_not_supported" => (
            "The post does not support trashing. Set 'force=true' to delete.",
            "ゴミ箱には対応していません。削除するには force=true を指定してください。",
        ),
        "rest_upload_hash_mismatch" => {
            ("Content hash did not match expected.", "内容のハッシュ値が期待されたものと一致しません。")
        }
        "rest_upload_unknown_error" | "rest_upload_sideload_error" => (
            "Sorry, you are not allowed to upload this file type.",
            "このファイルタイプをアップロードする権限がありません。",
        ),
        "rest_upload_no_data" => ("No data supplied.", "データがありません。"),
        "rest_upload_no_content_disposition" => {
            ("No Content-Disposition supplied.", "Content-Disposition がありません。")
        }
        "rest_upload_invalid_disposition" => {
            ("Invalid Content-Disposition supplied.", "Content-Disposition が正しくありません。")
        }
        "rest_upload_limited_space" => ("Not enough space to upload.", "アップロードする容量が足りません。"),
        "internal_server_error" => (
            "<p>There has been a critical error on this website.</p>",
            "<p>このサイトで重大なエラーが発生しました。</p>",
        ),
        "wp_die" => (
            "Briefly unavailable for scheduled maintenance. Check back in a minute.",
            "現在メンテナンス中のため、しばらくの間ご利用いただけません。",
        ),
        "rest_taxonomy_not_hierarchical" => {
            ("Cannot set parent term, taxonomy is not hierarchical.", "階層のない分類に親は指定できません。")
        }
        "rest_no_search_term_defined" => (
            "You need to define a search term to order by relevance.",
            "関連度で並べるには検索語が必要です。",
        ),
        "rest_orderby_include_missing_include" => (
            "You need to define an include parameter to order by include.",
            "include で並べるには include が必要です。",
        ),
        _ => ("Sorry, you are not allowed to do that.", "この操作を行う権限がありません。"),
    }
}
