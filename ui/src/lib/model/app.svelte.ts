import { appError, type ActRequest, type Backend, type LinkTarget } from "../backend/backend";
import type {
  AppError,
  ArticleDetail,
  ArticleRow,
  AttentionCard,
  BackendEvent,
  BarrierView,
  BatchView,
  Bootstrap,
  FolderView,
  GoalView,
  ScanView,
  Screen,
  Settings,
  SiteView,
  Tally,
  WatchView,
  WatchedFolderView,
} from "../backend/view";
import { setLanguage, t, tCode } from "../i18n/i18n.svelte";
import type { PageCode } from "../i18n/pages";
import { canBeSetAside, isSetAside } from "./aside";
import { Countdown } from "./countdown.svelte";
import { countByFilter, select, type Filter } from "./filters";
import { Notices } from "./notices.svelte";
import { primary } from "./primary";
import { addChanges, addPage, emptyRows } from "./rows";
import { firstSettings } from "../backend/first-settings";
import { summary, tone } from "./summary";

export type { Screen };

const pageSize = 5000;

const noWatch: WatchView = { light: "off", paused: false, pausedUntil: null, working: null, checkedAt: null, folders: [] };

/** What the window shows: a copy of what the program said last, and what the person is looking at. */
export class App {
  readonly backend: Backend;
  readonly notices = new Notices();

  ready = $state(false);
  /** Why the program could not say what stands where; nothing else can be shown then. */
  startError = $state.raw<AppError | null>(null);
  firstStart = $state(false);
  version = $state("");
  settings = $state.raw<Settings>(firstSettings);
  keychain = $state<Bootstrap["keychain"]>("ok");
  sites = $state.raw<SiteView[]>([]);
  currentSite = $state<string | null>(null);
  folders = $state.raw<FolderView[]>([]);
  barriers = $state.raw<BarrierView[]>([]);
  batch = $state.raw<BatchView | null>(null);
  scan = $state.raw<ScanView>({ running: false, found: 0, rejected: [] });
  attentionCount = $state(0);
  watch = $state.raw<WatchView>(noWatch);
  /** Whether the sheet about watching is open. */
  watching = $state(false);
  /** The folder that a person is asked about before this computer registers from it. */
  takingOver = $state.raw<WatchedFolderView | null>(null);
  cards = $state.raw<AttentionCard[] | null>(null);
  /** The card that is to be brought into sight. */
  wantedCard = $state<string | null>(null);
  /** The page that explains what a person is looking at, while it is open. */
  page = $state<PageCode | null>(null);
  drag = $state<number | null>(null);
  now = $state(Date.now());

  screen = $state<Screen>("articles");
  filter = $state<Filter>("all");
  query = $state("");
  activeId = $state<number | null>(null);
  picked = $state.raw<ReadonlySet<number>>(new Set());
  detail = $state.raw<ArticleDetail | null>(null);
  /** The article whose preview stands large above everything. */
  previewing = $state<number | null>(null);
  /** A batch that was asked for and has not begun: it can still be called off. */
  readonly countdown = new Countdown();

  #rows = emptyRows();
  #version = $state(0);
  #queued: BackendEvent[] = [];
  #reading: Promise<void> | null = null;
  #stale = false;
  #meanwhile: Extract<BackendEvent, { type: "rows" }>[] = [];

  // A new array each time: what depends on it compares by identity.
  rows = $derived.by(() => (void this.#version, this.#rows.list.slice()));
  counts = $derived(countByFilter(this.rows));
  shown = $derived(select(this.rows, this.filter, this.query));
  site = $derived(this.sites.find((site) => site.id === this.currentSite) ?? null);
  primary = $derived(primary(this.rows, this.picked, this.site, this.batch, this.barriers));
  /** The number at "Needs attention": the cards and banners that stand there. */
  needs = $derived(this.attentionCount + this.barriers.length);
  active = $derived.by(() => (void this.#version, this.rowOf(this.activeId)));
  /** How many of the selected articles can be set aside, and how many are. */
  pickedCounts = $derived.by(() => {
    void this.#version;
    const rows = [...this.picked].map((id) => this.rowOf(id));
    return { aside: rows.filter(canBeSetAside).length, up: rows.filter(isSetAside).length };
  });

  constructor(backend: Backend) {
    this.backend = backend;
  }

  async start(): Promise<() => void> {
    this.startError = null;
    const stop = await this.backend.subscribe((event) => this.#queue(event));
    try {
      await this.#read();
    } catch (thrown) {
      this.startError = appError(thrown);
    }
    const clock = setInterval(() => (this.now = Date.now()), 1000);
    return () => {
      clearInterval(clock);
      this.countdown.cancel();
      stop();
    };
  }

  async #read(): Promise<void> {
    const boot = await this.backend.bootstrap();
    this.version = boot.version;
    this.firstStart = boot.firstStart;
    this.settings = boot.settings;
    setLanguage(boot.settings.language);
    this.keychain = boot.keychain;
    this.sites = boot.sites;
    this.currentSite = boot.currentSite;
    this.folders = boot.folders;
    this.barriers = boot.barriers;
    this.batch = boot.batch;
    this.attentionCount = boot.attention;
    this.watch = boot.watch;
    await this.readList();
    this.ready = true;
    if (boot.goal) this.#go(boot.goal);
  }

  rowOf(id: number | null): ArticleRow | null {
    const at = id === null ? undefined : this.#rows.index.get(id);
    return at === undefined ? null : (this.#rows.list[at] ?? null);
  }

  title(id: number | null): string | null {
    return this.rowOf(id)?.title ?? null;
  }

  show(screen: Screen): void {
    this.screen = screen;
    if (screen === "attention") void this.readCards();
  }

  async open(id: number | null): Promise<void> {
    this.activeId = id;
    if (id === null) this.detail = null;
    else await this.#readDetail(id);
    if (this.active?.state === "halted" && this.cards === null) await this.readCards();
  }

  pick(id: number, on: boolean): void {
    const picked = new Set(this.picked);
    if (on) picked.add(id);
    else picked.delete(id);
    this.picked = picked;
  }

  /** Selects everything from one row to another, as they are listed now, beside what was selected before. */
  pickBetween(from: number, to: number): void {
    const between = this.shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.picked = new Set([...this.picked, ...between.map((row) => row.id)]);
  }

  pickShown(): void {
    this.picked = new Set(this.shown.map((row) => row.id));
  }

  unpick(): void {
    this.picked = new Set();
  }

  /** Sets articles aside, or takes them up again; what cannot be is passed over. */
  async setAside(ids: Iterable<number>, aside: boolean): Promise<void> {
    const can = aside ? canBeSetAside : isSetAside;
    const chosen = [...ids].filter((id) => this.rowOf(id) !== null && can(this.rowOf(id)));
    if (chosen.length === 0) return;
    const done = await this.try(async () => {
      await this.backend.setAside(chosen, aside);
      return true;
    });
    if (!done) return;
    const undo = () => void this.setAside(chosen, !aside);
    const text = aside ? t("notice.set_aside", { count: chosen.length }) : t("notice.taken_up", { count: chosen.length });
    this.notices.add("plain", text, undo, t("notice.undo"));
    this.unpick();
  }

  readList(): Promise<void> {
    if (this.#reading) this.#stale = true;
    this.#reading ??= this.#readPages().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async readCards(): Promise<void> {
    const cards = await this.try(() => this.backend.attention());
    if (cards) {
      this.cards = cards;
      this.attentionCount = cards.filter((card) => !card.left).length;
    }
  }

  /** Begins what the button says: at once for one article, and after some seconds for more than one. */
  register(): void {
    const { ids, shut } = this.primary;
    if (shut !== null || this.currentSite === null || this.countdown.running) return;
    const site = this.currentSite;
    // What was named when the button was pressed is registered, and nothing that came since.
    const begin = () => void this.try(() => this.backend.register(site, ids));
    this.unpick();
    if (ids.length === 1) begin();
    else this.countdown.start(ids.length, begin);
  }

  callOff(): void {
    this.countdown.cancel();
    this.notices.add("plain", t("notice.called_off"));
  }

  /** Opens what an article has become on the site; where there is nothing yet, says so. */
  openOnSite(row: ArticleRow): void {
    if (row.state === "done") this.openLink({ kind: "edit", articleId: row.id });
    else this.notices.add("plain", t("notice.not_there_yet"));
  }

  /** Does what a person chose on a card; says whether it was done. */
  async act(request: ActRequest): Promise<boolean> {
    const done = await this.try(async () => {
      await this.backend.act(request);
      return true;
    });
    await this.readCards();
    if (done) this.notices.add("ok", request.act === "look" ? t("notice.looked") : t("notice.acted"));
    return done ?? false;
  }

  openLink(target: LinkTarget): void {
    void this.try(() => this.backend.openLink(target));
  }

  async save(settings: Settings): Promise<void> {
    this.settings = settings;
    setLanguage(settings.language);
    await this.try(() => this.backend.saveSettings(settings));
  }

  /** Runs a request; a refusal is shown and answered with null. */
  async try<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      return await request();
    } catch (thrown) {
      const error = appError(thrown);
      this.notices.add("alert", tCode("error", error.code, error.params));
      return null;
    }
  }

  async #readPages(): Promise<void> {
    let fresh = emptyRows();
    do {
      this.#stale = false;
      this.#meanwhile = [];
      fresh = emptyRows();
      for (let offset = 0, total = 1; offset < total; offset += pageSize) {
        const page = await this.backend.articles(offset, pageSize);
        addPage(fresh, page);
        total = page.total;
      }
    } while (this.#stale);
    // What changed while the parts were read may be missing from those read first.
    for (const event of this.#meanwhile) addChanges(fresh, event.revision, event.rows);
    this.#rows = fresh;
    this.#version += 1;
    if (this.activeId !== null && !fresh.index.has(this.activeId)) await this.open(null);
    if ([...this.picked].some((id) => !fresh.index.has(id))) this.unpick();
  }

  async #readDetail(id: number): Promise<void> {
    const detail = await this.try(() => this.backend.article(id));
    if (this.activeId === id) this.detail = detail;
  }

  /** Events come in bursts: they are taken in once a frame. */
  #queue(event: BackendEvent): void {
    this.#queued.push(event);
    if (this.#queued.length > 1) return;
    const take = () => {
      const events = this.#queued;
      this.#queued = [];
      for (const queued of events) this.take(queued);
    };
    if (typeof requestAnimationFrame === "function" && !document.hidden) requestAnimationFrame(take);
    else setTimeout(take, 0);
  }

  /** Takes one event in. */
  take(event: BackendEvent): void {
    switch (event.type) {
      case "rows":
        if (this.#reading) this.#meanwhile.push(event);
        if (addChanges(this.#rows, event.revision, event.rows)) this.#version += 1;
        if (this.activeId !== null && event.rows.some((row) => row.id === this.activeId)) {
          void this.#readDetail(this.activeId);
        }
        return;
      case "list_replaced":
        void this.try(() => this.readList());
        return;
      case "scan":
        this.scan = event.scan;
        this.folders = event.folders;
        return;
      case "batch":
        this.#takeBatch(event.batch, event.tally);
        return;
      case "attention":
        this.#takeAttention(event.count, event.haltedTitle);
        return;
      case "detail":
        if (event.id === this.activeId) void this.#readDetail(event.id);
        return;
      case "sites":
        this.sites = event.sites;
        this.currentSite = event.currentSite;
        return;
      case "barriers":
        this.barriers = event.barriers;
        return;
      case "settings":
        this.settings = event.settings;
        setLanguage(event.settings.language);
        return;
      case "watch":
        this.watch = event.watch;
        return;
      case "go":
        this.#go(event.goal);
        return;
      case "drag":
        this.drag = event.paths;
        return;
      case "failed":
        this.notices.add("alert", tCode("error", event.error.code, event.error.params));
        return;
      case "closing":
        this.notices.add("alert", t("notice.closing"));
        return;
    }
  }

  /** Leads to a place that was asked for from outside the window. */
  #go(goal: GoalView): void {
    this.wantedCard = goal.opId;
    this.show(goal.screen);
  }

  #takeBatch(batch: BatchView | null, tally: Tally | null): void {
    const stopped = this.batch?.state !== "running";
    if (batch === null && tally !== null) {
      const text = summary(tally);
      const message = stopped ? t("batch.ended_stopped", { summary: text }) : t("batch.ended", { summary: text });
      this.notices.add(tone(tally), message, tone(tally) === "alert" ? () => this.show("attention") : null);
    }
    this.batch = batch;
  }

  #takeAttention(count: number, haltedTitle: string | null): void {
    this.attentionCount = count;
    if (this.screen === "attention") void this.readCards();
    else this.cards = null;
    if (haltedTitle !== null && this.screen !== "attention") {
      this.notices.add("alert", t("notice.halted", { title: haltedTitle }), () => this.show("attention"));
    }
  }
}
