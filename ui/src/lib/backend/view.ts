// What crosses between the window and the program. Plain data: codes, numbers, lists.
// The codes are those of the journal and of `--json`; sentences are in messages/.

export type Language = "ja" | "en";
export type Theme = "system" | "light" | "dark";

export type Kind = "post" | "image" | "term" | "attach" | "post_process";

export type HaltReason =
  | "outcome_unknown"
  | "could_not_ask"
  | "candidates"
  | "content_differs"
  | "incomplete"
  | "exists_not_ours"
  | "duplicates"
  | "in_trash"
  | "missing"
  | "renamed"
  | "slug_changed"
  | "hidden";

export type WaitReason =
  | "could_not_ask"
  | "not_sent"
  | "maintenance"
  | "site_paused"
  | "image_in_doubt"
  | "release_needed"
  | "credentials"
  | "stopped";

export type Act =
  | "look"
  | "link"
  | "none"
  | "send_again"
  | "try_again"
  | "keep_site"
  | "update"
  | "accept_slug"
  | "same"
  | "new"
  | "leave"
  | "unleave";

export type Ending =
  | "created"
  | "adopted"
  | "verified"
  | "skipped"
  | "unknown"
  | "halted"
  | "waiting"
  | "refused"
  | "needs_work"
  | "left";

export type BarrierCode = "unclean_stop" | "journal_lost" | "site_restored";

export type PauseCode =
  | "not_our_user"
  | "refused"
  | "redirected"
  | "unknown_in_a_row"
  | "unreachable"
  | "maintenance";

/** Particulars of a code, by name. Text from files and sites is shown as text only. */
export type Params = Record<string, string | number>;

/** Where an article stands: `ready` has no record yet, the others are the states of its operation. */
export type RowState =
  | "ready"
  | "planned"
  | "waiting"
  | "needs_work"
  | "refused"
  | "skipped"
  | "sending"
  | "halted"
  | "done";

/** What is being done with an article right now. */
export type Step = "check" | "images" | "draft" | "verify";

export interface ArticleRow {
  id: number;
  title: string;
  slug: string;
  state: RowState;
  waitReason: WaitReason | null;
  haltReason: HaltReason | null;
  /** The site's own code, where it refused. */
  refusal: string | null;
  left: boolean;
  /** How a done article came to be so. */
  ending: Ending | null;
  step: Step | null;
  imagesDone: number;
  imagesTotal: number;
  errors: number;
  warnings: number;
  /** Changed here since it was registered. */
  changed: boolean;
  /** Milliseconds since 1970 of the last thing that happened to it. */
  at: number | null;
}

/** A part of the list; the whole list is read in parts so that no message is large. */
export interface ArticlePage {
  /** Counts up with every change; events older than the page are dropped. */
  revision: number;
  total: number;
  rows: ArticleRow[];
}

export type Severity = "error" | "warning" | "note";

export interface Finding {
  severity: Severity;
  code: string;
  file: string;
  line: number | null;
  params: Params;
}

export type TimelineTone = "plain" | "ok" | "alert";

export interface TimelineEntry {
  at: number;
  code: string;
  params: Params;
  tone: TimelineTone;
}

/** Places on the site or this computer that the program can open. */
export type LinkKind = "edit" | "drafts" | "media" | "folder" | "help" | "profile" | "releases";

export interface ArticleDetail {
  id: number;
  opId: string | null;
  /** Path as shown, with the home folder as `~`. */
  path: string;
  excerpt: string | null;
  tags: string[];
  categories: string[];
  remoteId: number | null;
  findings: Finding[];
  timeline: TimelineEntry[];
  links: LinkKind[];
}

export interface BatchView {
  siteId: string;
  total: number;
  /** Articles that have ended, whichever way. */
  ended: number;
  startedAt: number;
  state: "running" | "pausing" | "paused";
  currentId: number | null;
}

/** Disjoint counts of how the articles of a batch ended. */
export interface Tally {
  created: number;
  adopted: number;
  verified: number;
  skipped: number;
  unknown: number;
  halted: number;
  waiting: number;
  refused: number;
  needsWork: number;
  left: number;
}

export type LookPart = "above_mark" | "slug" | "marker" | "by_id";

export interface LookResult {
  part: LookPart;
  result: "none" | "found" | "hidden" | "could_not_ask" | "not_asked";
  count: number;
}

export interface Look {
  at: number;
  by: "program" | "person";
  /** Why nothing could be asked, if so: a code such as `network` or `timed_out`. */
  failure: string | null;
  parts: LookResult[];
}

export interface Sent {
  at: number;
  slug: string;
  file: string | null;
  imagesDone: number;
  imagesTotal: number;
  /** What became of the answer: `timed_out`, `closed`, `status`, `unreadable`, `interrupted`, or null after an answer. */
  lost: string | null;
  params: Params;
}

export interface Difference {
  field: "title" | "slug" | "excerpt" | "content" | "terms" | "featured" | "author" | "status" | "type";
  here: string;
  site: string;
}

export interface Candidate {
  id: number;
  title: string;
  slug: string;
  status: "draft" | "publish" | "pending" | "private" | "future" | "trash" | "inherit" | "other";
  author: string | null;
  modifiedAt: number | null;
  dismissed: boolean;
  differences: Difference[];
}

export type ShutCode = "not_looked" | "window" | "not_negative" | "candidates";

export interface SendAgain {
  open: boolean;
  opensAt: number | null;
  shut: ShutCode | null;
}

export interface AttentionCard {
  opId: string;
  kind: Kind;
  articleId: number | null;
  siteId: string;
  title: string;
  slug: string;
  reason: HaltReason;
  left: boolean;
  since: number;
  params: Params;
  /** Articles that wait for this image. */
  waiting: string[];
  sent: Sent | null;
  /** Newest first. */
  looks: Look[];
  nextLookAt: number | null;
  sendAgain: SendAgain | null;
  candidates: Candidate[];
  differences: Difference[];
  acts: Act[];
  links: LinkKind[];
}

export interface BarrierView {
  code: BarrierCode;
  siteId: string | null;
  at: number | null;
  /** Who ran it: a computer's name, as the run row keeps it. */
  owner: string | null;
  inDoubt: number;
  settled: number;
  articles: string[];
  /** Whether every article has been looked up, where that is asked first. */
  mayRelease: boolean;
}

export interface PermissionCheck {
  code: string;
  ok: boolean;
  /** What is wrong, if anything: names the cure. */
  problem: string | null;
  params: Params;
}

export interface PracticeSwitches {
  loseNextAnswer: boolean;
  hideNewDrafts: boolean;
  answer502: boolean;
}

export interface SiteView {
  id: string;
  name: string;
  /** The canonical home, without the scheme. */
  home: string;
  user: string;
  role: string | null;
  practice: boolean;
  running: boolean;
  switches: PracticeSwitches | null;
  /** Whether the password is in the keychain, kept for this session only, or missing. */
  credentials: "keychain" | "session" | "missing";
  pause: PauseCode | null;
  checkedAt: number | null;
  checks: PermissionCheck[];
}

export interface NewSite {
  address: string;
  user: string;
  password: string;
}

export interface SiteAdded {
  /** Null where something red must be put right first. */
  site: SiteView | null;
  checks: PermissionCheck[];
}

export interface Settings {
  language: Language;
  theme: Theme;
  settleWindowMinutes: number;
  stripCameraData: boolean;
}

export interface FolderView {
  path: string;
  articles: number;
  scannedAt: number | null;
}

export interface Rejected {
  path: string;
  code: string;
}

export interface ScanView {
  running: boolean;
  found: number;
  rejected: Rejected[];
}

export interface DryRunLine {
  id: number;
  title: string;
  slug: string;
  plan: "create" | "skip" | "verified" | "needs_work" | "halt" | "could_not_ask";
}

export interface DryRun {
  create: number;
  skip: number;
  verified: number;
  needsWork: number;
  halt: number;
  couldNotAsk: number;
  /** At most 200 lines. */
  lines: DryRunLine[];
}

export interface Bootstrap {
  version: string;
  firstStart: boolean;
  settings: Settings;
  keychain: "ok" | "missing" | "locked";
  sites: SiteView[];
  currentSite: string | null;
  folders: FolderView[];
  barriers: BarrierView[];
  batch: BatchView | null;
  attention: number;
}

export interface AppError {
  code: string;
  params: Params;
}

/** The one stream of states. */
export type BackendEvent =
  | { type: "rows"; revision: number; rows: ArticleRow[] }
  | { type: "list_replaced" }
  | { type: "scan"; scan: ScanView; folders: FolderView[] }
  | { type: "batch"; batch: BatchView | null; tally: Tally | null }
  | { type: "attention"; count: number; haltedTitle: string | null }
  | { type: "detail"; id: number }
  | { type: "sites"; sites: SiteView[]; currentSite: string | null }
  | { type: "barriers"; barriers: BarrierView[] }
  | { type: "drag"; paths: number | null }
  | { type: "failed"; error: AppError };
