import type { BarrierCode, BarrierView, PermissionCheck, SiteView } from "../view";

const codes = ["reachable", "secure", "rest_api", "signed_in", "create_drafts", "upload_images", "see_drafts", "assign_terms"];

export function checks(problems: Record<string, string> = {}): PermissionCheck[] {
  return codes.map((code) => {
    const problem = problems[code] ?? null;
    return { code, ok: problem === null, problem, params: {} };
  });
}

export function practiceSite(now: number): SiteView {
  return {
    id: "practice",
    name: "練習用サイト",
    home: "127.0.0.1:8731",
    user: "practice",
    role: "author",
    practice: true,
    running: true,
    switches: { loseNextAnswer: false, hideNewDrafts: false, answer502: false },
    credentials: "session",
    pause: null,
    checkedAt: now - 120_000,
    checks: checks(),
  };
}

export function realSite(now: number, session: boolean): SiteView {
  return {
    id: "blog",
    name: "サンプルのブログ",
    home: "blog.example.jp",
    user: "editor",
    role: "author",
    practice: false,
    running: true,
    switches: null,
    credentials: session ? "session" : "keychain",
    pause: null,
    checkedAt: now - 600_000,
    checks: checks({ assign_terms: "terms_not_allowed" }),
  };
}

export function barrier(code: BarrierCode, now: number): BarrierView {
  return {
    code,
    siteId: code === "site_restored" ? "blog" : null,
    at: now - 41 * 60_000,
    owner: "studio-note",
    inDoubt: code === "site_restored" ? 14 : 2,
    settled: 1,
    articles: ["はじめての確定申告チェックリスト 2026", "梅干しを漬ける（三年目の記録）"],
    mayRelease: code !== "journal_lost",
  };
}
