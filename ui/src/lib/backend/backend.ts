import type {
  ActRequest,
  AppError,
  ArticleDetail,
  ArticlePage,
  AttentionCard,
  BackendEvent,
  Bootstrap,
  Candidate,
  Connecting,
  DryRun,
  ExportForm,
  HistoryAbout,
  HistoryPage,
  LinkTarget,
  NewSite,
  PermissionCheck,
  PracticeSwitch,
  Preview,
  Settings,
  SiteAdded,
} from "./view";

export type { ActRequest, LinkTarget };

/** Everything the window can ask of the program. A rejected promise carries an `AppError`. */
export interface Backend {
  bootstrap(): Promise<Bootstrap>;
  subscribe(listener: (event: BackendEvent) => void): Promise<() => void>;

  /** Opens the system's folder chooser; false if the person closed it. */
  chooseFolder(): Promise<boolean>;
  openPaths(paths: string[]): Promise<void>;
  rescan(): Promise<void>;
  removeFolder(path: string): Promise<void>;

  articles(offset: number, limit: number): Promise<ArticlePage>;
  article(id: number): Promise<ArticleDetail>;
  /** What of an article will be sent, harmless to show; `null` where an error keeps it back. */
  preview(id: number): Promise<Preview | null>;
  /** Sets articles aside, or takes them up again. */
  setAside(ids: number[], aside: boolean): Promise<void>;

  dryRun(siteId: string): Promise<DryRun>;
  /** Registers drafts; `null` stands for every article that is ready. */
  register(siteId: string, ids: number[] | null): Promise<void>;
  /** Stops after the request in flight; what has not been sent waits. */
  pause(): Promise<void>;
  resume(): Promise<void>;

  attention(): Promise<AttentionCard[]>;
  /** Reads a post by number or address and says how it differs, before it is believed. */
  checkLink(opId: string, address: string): Promise<Candidate>;
  act(request: ActRequest): Promise<void>;
  release(code: string, typed: string): Promise<void>;

  history(about: HistoryAbout, text: string, offset: number, limit: number): Promise<HistoryPage>;
  /** Writes everything recorded into a file that the person chooses; false if none was chosen. */
  exportHistory(form: ExportForm): Promise<boolean>;
  /** How things stand, in codes, counts and times alone. */
  diagnosis(): Promise<string>;

  addSite(site: NewSite): Promise<SiteAdded>;
  /** Opens the site's page on which a person approves a new application password. */
  beginConnect(address: string): Promise<Connecting>;
  /** Waits until it was approved, and adds the site. */
  finishConnect(): Promise<SiteAdded>;
  cancelConnect(): Promise<void>;
  checkSite(siteId: string): Promise<PermissionCheck[]>;
  renewPassword(siteId: string, password: string): Promise<PermissionCheck[]>;
  removeSite(siteId: string): Promise<void>;
  useSite(siteId: string): Promise<void>;
  startPractice(): Promise<void>;
  setSwitch(name: PracticeSwitch, on: boolean): Promise<void>;

  /** Registers nothing by itself for so many minutes; `null` until somebody resumes. */
  pauseWatch(minutes: number | null): Promise<void>;
  resumeWatch(): Promise<void>;
  /** Switches whether the articles of a folder are registered by themselves. */
  setAutomatic(path: string, on: boolean): Promise<void>;
  /** Makes this computer the one that registers from a folder. */
  takeOver(path: string): Promise<void>;

  saveSettings(settings: Settings): Promise<void>;
  finishFirstStart(): Promise<void>;
  openLink(target: LinkTarget): Promise<void>;
}

/** Reads an `AppError` out of whatever a promise was rejected with. */
export function appError(thrown: unknown): AppError {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && typeof thrown.code === "string") {
    const params = "params" in thrown && typeof thrown.params === "object" ? thrown.params : null;
    return { code: thrown.code, params: (params ?? {}) as AppError["params"] };
  }
  return { code: "internal", params: {} };
}
