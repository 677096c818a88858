// Written by a test of src-tauri/src/view; not to be changed by hand.

export type Kind = "term" | "image" | "post" | "fields" | "attach" | "post_process";
export type HaltReason = "outcome_unknown" | "could_not_ask" | "candidates" | "content_differs" | "incomplete" | "exists_not_ours" | "duplicates" | "in_trash" | "missing" | "renamed" | "slug_changed" | "hidden";
export type WaitReason = "could_not_ask" | "not_sent" | "maintenance" | "site_paused" | "image_in_doubt" | "release_needed" | "credentials" | "stopped";
export type Act = "look" | "link" | "none" | "send_again" | "try_again" | "keep_site" | "update" | "accept_slug" | "same" | "new" | "leave" | "unleave";
export type Ending = "created" | "adopted" | "verified" | "skipped" | "unknown" | "halted" | "waiting" | "refused" | "needs_work" | "left";
export type BarrierCode = "unclean_stop" | "journal_lost" | "site_restored";
export type PauseCode = "not_our_user" | "refused" | "redirected" | "unknown_in_a_row" | "unreachable" | "maintenance";
export type RowState = "ready" | "planned" | "waiting" | "needs_work" | "refused" | "skipped" | "sending" | "halted" | "done";
export type Severity = "error" | "warning" | "note";
export type Light = "needs_you" | "working" | "paused" | "offline" | "watching" | "off";
export type NoEvents = "limit" | "unsupported" | "network";
/** Particulars of a code, by name. Text from files and sites is shown as text only. */
export type Params = Record<string, string | number>;
export type Language = "ja" | "en";
export type Theme = "system" | "light" | "dark";
export type RowStep = "check" | "images" | "draft" | "verify";
export type TimelineTone = "plain" | "ok" | "alert";
export type LinkKind = "edit" | "drafts" | "media" | "folder" | "profile" | "releases";
export type BatchState = "running" | "pausing" | "paused";
export type LookPart = "above_mark" | "slug" | "marker" | "by_id";
export type LookFound = "none" | "found" | "hidden" | "could_not_ask" | "not_asked";
export type LookBy = "program" | "person";
export type DifferenceField = "title" | "slug" | "excerpt" | "content" | "terms" | "featured" | "author" | "status" | "type";
export type PostStatus = "draft" | "publish" | "pending" | "private" | "future" | "trash" | "inherit" | "other";
export type ShutCode = "not_looked" | "window" | "not_negative" | "candidates";
export type CredentialsKept = "keychain" | "session" | "missing";
export type KeychainState = "ok" | "missing" | "locked";
export type HistoryAbout = "all" | "drafts" | "trouble" | "people";
export type ExportForm = "csv" | "json";
export type DescriptionUse = "excerpt" | "seo" | "ignore";
export type BareUrlUse = "embed" | "line" | "link";
export type ObsidianUse = "auto" | "on" | "off";
export type Plan = "create" | "skip" | "verified" | "needs_work" | "halt" | "could_not_ask";
export type Screen = "articles" | "attention" | "history" | "sites" | "settings";
export type ArticleRow = { id: number, title: string, slug: string, state: RowState, waitReason: WaitReason | null, haltReason: HaltReason | null, 
/**
 * The site's own code, where it refused.
 */
refusal: string | null, 
/**
 * Whether a person set it aside.
 */
setAside: boolean, left: boolean, 
/**
 * How a done article came to be so.
 */
ending: Ending | null, 
/**
 * Whether a person said which post of the site it is.
 */
linked: boolean, step: RowStep | null, imagesDone: number, imagesTotal: number, errors: number, warnings: number, 
/**
 * Changed here since it was registered.
 */
changed: boolean, 
/**
 * Milliseconds since 1970 of the last thing that happened to it.
 */
at: number | null, };
export type ArticlePage = { 
/**
 * Counts up with every change; events older than the page are dropped.
 */
revision: number, total: number, rows: Array<ArticleRow>, };
export type Finding = { severity: Severity, code: string, file: string, line: number | null, params: Params, };
export type TimelineEntry = { at: number, code: string, params: Params, tone: TimelineTone, };
export type ArticleDetail = { id: number, opId: string | null, 
/**
 * Path as shown, with the home folder as `~`.
 */
path: string, excerpt: string | null, tags: Array<string>, categories: Array<string>, remoteId: number | null, findings: Array<Finding>, timeline: Array<TimelineEntry>, links: Array<LinkKind>, };
export type Preview = { 
/**
 * Markup that runs nothing, asks for nothing and leads nowhere.
 */
html: string, picturesLeftOut: number, 
/**
 * Whether the text goes on beyond what is shown.
 */
cut: boolean, };
export type HistoryLine = { seq: number, at: number, code: string, byPerson: boolean, kind: Kind | null, 
/**
 * What it concerns: a title or a file's name; empty where it concerns a site or everything.
 */
name: string, 
/**
 * The name of the site.
 */
site: string | null, params: Params, };
export type HistoryPage = { total: number, lines: Array<HistoryLine>, };
export type BatchView = { siteId: string, total: number, 
/**
 * Articles that have ended, whichever way.
 */
ended: number, startedAt: number, state: BatchState, currentId: number | null, };
export type Tally = { created: number, adopted: number, verified: number, skipped: number, unknown: number, halted: number, waiting: number, refused: number, needsWork: number, left: number, };
export type LookResult = { part: LookPart, result: LookFound, count: number, };
export type Look = { at: number, by: LookBy, 
/**
 * Why nothing could be asked, if so: a code such as `network` or `timed_out`.
 */
failure: string | null, parts: Array<LookResult>, };
export type Sent = { at: number, slug: string, file: string | null, imagesDone: number, imagesTotal: number, 
/**
 * What became of the answer: `timed_out`, `connection_lost`, `status`, `unreadable`, `interrupted`, or
 * null after an answer.
 */
lost: string | null, params: Params, };
export type Difference = { field: DifferenceField, here: string, site: string, };
export type Candidate = { id: number, title: string, slug: string, status: PostStatus, author: string | null, modifiedAt: number | null, dismissed: boolean, differences: Array<Difference>, };
export type SendAgain = { open: boolean, opensAt: number | null, shut: ShutCode | null, };
export type AttentionCard = { opId: string, kind: Kind, articleId: number | null, siteId: string, title: string, slug: string, reason: HaltReason, left: boolean, since: number, params: Params, 
/**
 * Articles that wait for this image.
 */
waiting: Array<string>, sent: Sent | null, 
/**
 * Newest first.
 */
looks: Array<Look>, nextLookAt: number | null, sendAgain: SendAgain | null, candidates: Array<Candidate>, differences: Array<Difference>, acts: Act[], links: Array<LinkKind>, };
export type BarrierView = { code: BarrierCode, siteId: string | null, at: number | null, 
/**
 * Who ran it: a computer's name, as the run row keeps it.
 */
owner: string | null, inDoubt: number, settled: number, articles: Array<string>, 
/**
 * Whether every article has been looked up, where that is asked first.
 */
mayRelease: boolean, };
export type PermissionCheck = { code: string, ok: boolean, 
/**
 * What is wrong, if anything: names the cure.
 */
problem: string | null, params: Params, };
export type PracticeSwitches = { loseNextAnswer: boolean, hideNewDrafts: boolean, answer502: boolean, };
export type PracticeSwitch = "lose_next_answer" | "hide_new_drafts" | "answer502";
export type SiteView = { id: string, name: string, 
/**
 * The canonical home, without the scheme.
 */
home: string, user: string, role: string | null, practice: boolean, running: boolean, switches: PracticeSwitches | null, 
/**
 * Whether the password is in the keychain, kept for this session only, or missing.
 */
credentials: CredentialsKept, pause: PauseCode | null, checkedAt: number | null, checks: Array<PermissionCheck>, };
export type SiteAdded = { 
/**
 * Null where something red must be put right first.
 */
site: SiteView | null, checks: Array<PermissionCheck>, };
export type NewSite = { address: string, user: string, password: string, };
export type Connecting = { 
/**
 * Whether the site sends the password by itself; else it is shown there, to be pasted.
 */
sendsBack: boolean, 
/**
 * Whether the browser was opened.
 */
opened: boolean, 
/**
 * The page, for where the browser was not.
 */
page: string, };
export type Settings = { language: Language, theme: Theme, 
/**
 * Whether the open folders are watched, and the program stays in the tray.
 */
watch: boolean, 
/**
 * Whether the program starts with the session, in the tray.
 */
autostart: boolean, notifyBatches: boolean, notifyHalts: boolean, settleWindowMinutes: number, stripCameraData: boolean, shrinkImages: boolean, 
/**
 * Whether tags that the site does not have are made there.
 */
createTags: boolean, 
/**
 * Whether the content is sent for the classic editor.
 */
classic: boolean, descriptionIs: DescriptionUse, 
/**
 * Names with commas between them.
 */
defaultCategories: string, 
/**
 * What an address on a line of its own becomes.
 */
bareUrls: BareUrlUse, 
/**
 * Where the marks of Obsidian hold.
 */
obsidian: ObsidianUse, lineBreaks: boolean, 
/**
 * Keys of the front matter, or `key=field`, with commas between them.
 */
customFields: string, 
/**
 * Whether the first image stands for an article that names none.
 */
featureFirstImage: boolean, 
/**
 * Words with commas between them.
 */
forbiddenWords: string, requiredWords: string, checkAlt: boolean, checkLinks: boolean, checkLocalLinks: boolean, 
/**
 * The fewest characters of a text; 0 for no bound.
 */
shortestText: number, 
/**
 * The most characters of a title; 0 for no bound.
 */
titleLength: number, 
/**
 * For how long an article in a watched folder must be quiet before it is taken.
 */
watchSettleSeconds: number, };
export type FolderView = { path: string, 
/**
 * Whether its articles are registered by themselves while it is watched.
 */
automatic: boolean, 
/**
 * A single file is not watched.
 */
watchable: boolean, articles: number, scannedAt: number | null, };
export type Rejected = { path: string, code: string, };
export type ScanView = { running: boolean, found: number, rejected: Array<Rejected>, };
export type DryRunLine = { id: number, title: string, slug: string, plan: Plan, };
export type DryRun = { create: number, skip: number, verified: number, needsWork: number, halt: number, couldNotAsk: number, 
/**
 * At most 200 lines.
 */
lines: Array<DryRunLine>, };
export type WatchWorking = { ended: number, articles: number, };
export type WatchedFolderView = { 
/**
 * Path as shown, with the home folder as `~`.
 */
path: string, 
/**
 * Whether articles without an error are registered by themselves.
 */
automatic: boolean, 
/**
 * A code of the engine, such as `watching` or `owned_elsewhere`.
 */
state: string, 
/**
 * Why, where the state has a reason of its own.
 */
reason: string | null, 
/**
 * The other computer, where one registers from this folder.
 */
machine: string | null, 
/**
 * When the next attempt follows by itself.
 */
nextAt: number | null, 
/**
 * Why the folder is read again and again, where the system does not tell of changes.
 */
scans: NoEvents | null, ready: number, settling: number, setAside: number, };
export type WatchView = { light: Light, paused: boolean, 
/**
 * Until when; null while it is paused until somebody resumes.
 */
pausedUntil: number | null, working: WatchWorking | null, checkedAt: number | null, folders: Array<WatchedFolderView>, };
export type GoalView = { screen: Screen, 
/**
 * The card to show there.
 */
opId: string | null, };
export type Bootstrap = { version: string, firstStart: boolean, settings: Settings, keychain: KeychainState, sites: Array<SiteView>, currentSite: string | null, folders: Array<FolderView>, barriers: Array<BarrierView>, batch: BatchView | null, attention: number, watch: WatchView, 
/**
 * Where the window is to lead, if it was opened for something.
 */
goal: GoalView | null, };
export type AppError = { code: string, params: Params, };
export type ActRequest = { opId: string, act: Act, 
/**
 * The row on the site, for `link` and `none`.
 */
id?: number, 
/**
 * What the person typed, for acts that ask for it.
 */
typed?: string, };
export type LinkTarget = { kind: LinkKind, 
/**
 * The operation, article or site that the link belongs to.
 */
opId?: string, articleId?: number, siteId?: string, remoteId?: number, };
export type BackendEvent = { "type": "rows", revision: number, rows: Array<ArticleRow>, } | { "type": "list_replaced" } | { "type": "scan", scan: ScanView, folders: Array<FolderView>, } | { "type": "batch", batch: BatchView | null, tally: Tally | null, } | { "type": "attention", count: number, haltedTitle: string | null, } | { "type": "detail", id: number, } | { "type": "sites", sites: Array<SiteView>, currentSite: string | null, } | { "type": "barriers", barriers: Array<BarrierView>, } | { "type": "settings", settings: Settings, } | { "type": "watch", watch: WatchView, } | { "type": "go", goal: GoalView, } | { "type": "drag", paths: number | null, } | { "type": "failed", error: AppError, } | { "type": "closing" };
