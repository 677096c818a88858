import type {
  ActRequest,
  AppError,
  ArticleDetail,
  ArticlePage,
  AttentionCard,
  BackendEvent,
  Bootstrap,
  Candidate,
  DryRun,
  LinkTarget,
  NewSite,
  PermissionCheck,
  PracticeSwitch,
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

  addSite(site: NewSite): Promise<SiteAdded>;
  checkSite(siteId: string): Promise<PermissionCheck[]>;
  renewPassword(siteId: string, password: string): Promise<PermissionCheck[]>;
  removeSite(siteId: string): Promise<void>;
  useSite(siteId: string): Promise<void>;
  startPractice(): Promise<void>;
  setSwitch(name: PracticeSwitch, on: boolean): Promise<void>;

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
