import type { Backend } from "./backend";
import { advance, countEnd, emptyTally } from "./fake/batch";
import { actsFor, candidate, card, reasons } from "./fake/cards";
import { detail } from "./fake/details";
import { halted, mixedRows, readyRows } from "./fake/rows";
import { barrier, checks, practiceSite, realSite } from "./fake/sites";
import { noWatch, watchOf } from "./fake/watch";
import { diagnosisText, historyOf, historyPage } from "./fake/history";
import { previewOf } from "./fake/previews";
import { firstSettings } from "./first-settings";
import type {
  AppError,
  ArticleRow,
  AttentionCard,
  BackendEvent,
  BarrierCode,
  BarrierView,
  BatchView,
  Bootstrap,
  FolderView,
  Language,
  Preview,
  SiteView,
  Theme,
} from "./view";

/** Scenes are chosen in the address: ?scene=batch&lang=ja&theme=light&n=214&barrier=unclean_stop&keychain=missing */
export interface Scene {
  name: "first" | "empty" | "batch" | "still" | "attention" | "sites" | "broken" | "watch" | "watch_troubled";
  language: Language;
  theme: Theme;
  count: number;
  barriers: BarrierCode[];
  keychain: Bootstrap["keychain"];
  pause: SiteView["pause"];
  tickMs: number;
}

export function sceneOf(address: string): Scene {
  const query = new URL(address).searchParams;
  return {
    name: (query.get("scene") ?? "batch") as Scene["name"],
    language: (query.get("lang") ?? "ja") as Language,
    theme: (query.get("theme") ?? "system") as Theme,
    count: Number(query.get("n") ?? 214),
    barriers: query.getAll("barrier") as BarrierCode[],
    keychain: (query.get("keychain") ?? "ok") as Bootstrap["keychain"],
    pause: query.get("pause") as SiteView["pause"],
    tickMs: Number(query.get("tick") ?? 450),
  };
}

interface Played {
  emit(event: BackendEvent): void;
  /** Shows this in the place of every article's text. */
  play(preview: Preview | null): void;
}

/** Plays the program, so that every screen opens in a plain browser and in tests. */
export function fakeBackend(scene: Scene): Backend & Played {
  const listeners = new Set<(event: BackendEvent) => void>();
  const emit = (event: BackendEvent) => listeners.forEach((listener) => listener(event));
  const refuse = (code: string, params: AppError["params"] = {}): never => {
    throw { code, params } satisfies AppError;
  };

  const start = Date.now();
  const filled = scene.name !== "first" && scene.name !== "empty";
  let revision = 1;
  let rows: ArticleRow[] = filled ? mixedRows(scene.count, start) : [];
  let cards: AttentionCard[] = [];
  let barriers: BarrierView[] = scene.barriers.map((code) => barrier(code, start));
  let folders: FolderView[] = filled ? [{ path: "~/記事/公開前", articles: rows.length, scannedAt: start - 120_000, automatic: false, watchable: true }] : [];
  const watches = scene.name === "watch" || scene.name === "watch_troubled";
  if (scene.name === "watch_troubled") folders.push({ path: "~/同期/記事", articles: 3, scannedAt: start, automatic: true, watchable: true });
  let watch = watches ? watchOf(folders, start, scene.name === "watch_troubled") : noWatch;
  let givenUp = (): void => {};
  const emitWatch = () => emit({ type: "watch", watch });
  let sites: SiteView[] =
    scene.name === "first" ? [practiceSite(start)] : [{ ...realSite(start, scene.keychain !== "ok"), pause: scene.pause }, practiceSite(start)];
  let currentSite: string | null = scene.name === "first" ? null : scene.name === "empty" ? "practice" : "blog";
  let batch: BatchView | null = null;
  let queue: number[] = [];
  let tally = emptyTally();
  let timer: ReturnType<typeof setInterval> | null = null;

  const change = (...changed: ArticleRow[]) => {
    for (const row of changed) rows[row.id] = row;
    emit({ type: "rows", revision: ++revision, rows: changed });
  };
  const attentionChanged = (haltedTitle: string | null = null) =>
    emit({ type: "attention", count: cards.filter((other) => !other.left).length, haltedTitle });
  const emitSites = () => emit({ type: "sites", sites, currentSite });
  const halt = (id: number) => {
    const row = rows[id];
    if (row) cards = [card("outcome_unknown", id, Date.now()), ...cards];
    attentionChanged(row?.title ?? null);
  };

  if (filled && rows.length > 12) {
    const list: typeof reasons = scene.name === "attention" ? reasons : ["outcome_unknown", "content_differs"];
    list.forEach((reason, at) => {
      const id = list.length === 2 ? [2, 7][at] ?? 0 : at;
      const row = rows[id];
      cards.push(card(reason, id, start));
      if (row && reason !== "hidden") rows[id] = halted(row, reason, start - 180_000);
    });
  }

  function beginBatch(ids: number[], ended: number, run: boolean): void {
    queue = ids;
    tally = emptyTally();
    batch = { siteId: currentSite ?? "", total: ids.length + ended, ended, startedAt: Date.now() - ended * 4000, state: "running", currentId: null };
    for (const id of ids) {
      const row = rows[id];
      if (row) rows[id] = { ...row, state: "planned", waitReason: null };
    }
    if (run) timer = setInterval(tick, scene.tickMs);
  }

  function tick(): void {
    const id = queue[0];
    if (batch === null) return;
    const row = id === undefined ? undefined : rows[id];
    if (row === undefined || (batch.state === "paused" && row.step === null)) {
      if (row === undefined) endBatch();
      return;
    }
    const practice = sites.find((site) => site.practice);
    const loses = practice?.switches?.loseNextAnswer === true && currentSite === "practice";
    const next = advance(row, Date.now(), loses);
    change(next);
    if (next.step !== null) {
      if (batch.currentId !== next.id) emit({ type: "batch", batch: (batch = { ...batch, currentId: next.id }), tally: null });
      return;
    }
    queue.shift();
    countEnd(tally, next);
    if (next.state === "halted") {
      halt(next.id);
      sites = sites.map((site) => (site.practice && site.switches ? { ...site, switches: { ...site.switches, loseNextAnswer: false } } : site));
      emitSites();
    }
    const state = batch.state === "pausing" ? "paused" : batch.state;
    batch = { ...batch, ended: batch.ended + 1, currentId: queue[0] ?? null, state };
    emit({ type: "batch", batch, tally: null });
    if (queue.length === 0) endBatch();
  }

  function endBatch(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    batch = null;
    emit({ type: "batch", batch: null, tally });
  }

  function readFolder(path: string): void {
    if (path.includes("missing")) refuse("folder_not_found");
    rows = path.includes("空") ? [] : readyRows(scene.count);
    revision += 1;
    folders = [{ path, articles: rows.length, scannedAt: Date.now(), automatic: false, watchable: true }];
    const rejected = path.includes("メモ") ? [{ path, code: "not_article" }] : [];
    emit({ type: "scan", scan: { running: false, found: rows.length, rejected }, folders });
    emit({ type: "list_replaced" });
  }

  if ((scene.name === "batch" || scene.name === "still") && rows.length > 12) {
    const ready = rows.filter((row) => row.state === "ready").map((row) => row.id).slice(0, 13);
    beginBatch(ready, 7, scene.name === "batch");
    const first = rows[ready[0] ?? 0];
    if (first && batch) {
      rows[first.id] = { ...first, step: "images", imagesDone: Math.min(3, first.imagesTotal), at: start };
      batch = { ...(batch as BatchView), currentId: first.id };
    }
  }

  const bootstrap = (): Bootstrap => ({
    version: "0.1.0",
    firstStart: scene.name === "first",
    settings: { ...firstSettings, language: scene.language, theme: scene.theme, watch: watches },
    keychain: scene.keychain,
    sites,
    currentSite,
    folders,
    barriers,
    batch,
    attention: cards.filter((other) => !other.left).length,
    watch,
    goal: null,
  });

  const played: { preview: Preview | null } = { preview: null };

  return {
    emit,
    play: (preview) => (played.preview = preview),
    bootstrap: async () => {
      if (scene.name === "broken") refuse("journal");
      return bootstrap();
    },
    subscribe: async (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    chooseFolder: async () => (readFolder("~/記事/公開前"), true),
    openPaths: async (paths) => readFolder(paths[0] ?? "missing"),
    rescan: async () => emit({ type: "scan", scan: { running: false, found: rows.length, rejected: [] }, folders }),
    removeFolder: async (path) => {
      folders = folders.filter((folder) => folder.path !== path);
      if (folders.length === 0) rows = [];
      emit({ type: "scan", scan: { running: false, found: rows.length, rejected: [] }, folders });
      emit({ type: "list_replaced" });
    },
    articles: async (offset, limit) => ({ revision, total: rows.length, rows: rows.slice(offset, offset + limit) }),
    article: async (id) => {
      const row = rows[id] ?? refuse("internal");
      const recorded = row.state === "ready" || row.state === "needs_work" ? null : `0190a0b0-0000-7000-9000-${String(id).padStart(12, "0")}`;
      return detail(row, cards.find((other) => other.articleId === id)?.opId ?? recorded, Date.now());
    },
    // A test may put what it likes in the place of an article's text.
    preview: async (id) => played.preview ?? previewOf(rows[id] ?? refuse("internal")),
    setAside: async (ids, aside) => {
      const state = aside ? "skipped" : "ready";
      change(...ids.map((id) => rows[id]).filter((row) => row !== undefined).map((row) => ({ ...row, state, setAside: aside }) as const));
    },
    history: async (about, text, offset, limit) => historyPage(historyOf(rows, start), about, text, offset, limit),
    exportHistory: async () => true,
    diagnosis: async () => diagnosisText,
    dryRun: async () => {
      const plan = (row: ArticleRow) => (row.state === "needs_work" ? "needs_work" : row.id % 8 === 6 ? "skip" : "create");
      const of = (name: string) => rows.filter((row) => plan(row) === name).length;
      const lines = rows.slice(0, 200).map((row) => ({ id: row.id, title: row.title, slug: row.slug, plan: plan(row) }) as const);
      return { create: of("create"), skip: of("skip"), verified: 0, needsWork: of("needs_work"), halt: 0, couldNotAsk: 0, lines };
    },
    register: async (_, ids) => {
      if (barriers.length > 0) refuse("barrier");
      const goes = (row: ArticleRow) => (row.state === "ready" || row.state === "waiting") && (ids === null || ids.includes(row.id));
      const chosen = rows.filter(goes).map((row) => row.id);
      beginBatch(chosen, 0, true);
      change(...chosen.map((id) => rows[id]).filter((row) => row !== undefined));
      emit({ type: "batch", batch, tally: null });
    },
    pause: async () => {
      if (batch) emit({ type: "batch", batch: (batch = { ...batch, state: "pausing" }), tally: null });
    },
    resume: async () => {
      if (batch) emit({ type: "batch", batch: (batch = { ...batch, state: "running" }), tally: null });
    },
    attention: async () => cards,
    checkLink: async (opId, address) => {
      const found = cards.find((other) => other.opId === opId) ?? refuse("internal");
      const id = Number(/(?:post=)?(\d+)/.exec(address)?.[1]);
      if (!Number.isInteger(id)) return refuse("address_not_understood");
      if (id === 404) return refuse("no_such_post");
      return candidate(id, found.title, found.slug, Date.now(), {
        differences: [{ field: "content", here: "1,840字", site: "1,902字" }],
      });
    },
    act: async ({ opId, act, id, typed }) => {
      if (act === "try_again") {
        const row = rows[Number(opId.slice(-12))] ?? refuse("internal");
        change({ ...row, state: "ready", refusal: null, at: Date.now() });
        return;
      }
      const found = cards.find((other) => other.opId === opId) ?? refuse("internal");
      if ((act === "send_again" || act === "new") && typed !== found.slug) refuse("typed");
      const replace = (next: AttentionCard) => (cards = cards.map((other) => (other.opId === opId ? next : other)));
      if (act === "look") {
        replace({ ...found, looks: [{ at: Date.now(), by: "person", failure: null, parts: found.looks[0]?.parts ?? [] }, ...found.looks] });
      } else if (act === "leave" || act === "unleave") {
        replace({ ...found, left: act === "leave", acts: actsFor(found.reason, act === "leave") });
      } else if (act === "none") {
        replace({ ...found, candidates: found.candidates.map((one) => (one.id === id ? { ...one, dismissed: true } : one)) });
      } else {
        cards = cards.filter((other) => other.opId !== opId);
        const row = found.articleId === null ? undefined : rows[found.articleId];
        if (row) change({ ...row, state: act === "new" ? "ready" : "done", haltReason: null, ending: "adopted", at: Date.now() });
      }
      attentionChanged();
    },
    release: async (code, typed) => {
      if (typed !== "確認" && typed !== "checked") refuse("typed");
      barriers = barriers.filter((other) => other.code !== code);
      emit({ type: "barriers", barriers });
    },
    addSite: async ({ address, password }) => {
      if (!/^(https:\/\/)?[\w.-]+/.test(address)) refuse("address_invalid");
      if (password.includes("wrong")) return { site: null, checks: checks({ signed_in: "credentials", create_drafts: "credentials" }) };
      const site = { ...realSite(Date.now(), scene.keychain !== "ok"), checks: checks() };
      sites = [site, ...sites.filter((other) => other.id !== site.id)];
      currentSite = site.id;
      emitSites();
      return { site, checks: site.checks };
    },
    checkSite: async (siteId) => {
      sites = sites.map((site) => (site.id === siteId ? { ...site, checkedAt: Date.now() } : site));
      emitSites();
      return sites.find((site) => site.id === siteId)?.checks ?? [];
    },
    renewPassword: async () => checks(),
    removeSite: async (siteId) => {
      if (cards.length > 0) refuse("site_in_doubt");
      sites = sites.filter((site) => site.id !== siteId);
      emitSites();
    },
    useSite: async (siteId) => {
      currentSite = siteId;
      emitSites();
    },
    startPractice: async () => {
      currentSite = "practice";
      emitSites();
    },
    setSwitch: async (name, on) => {
      const key = ({ lose_next_answer: "loseNextAnswer", hide_new_drafts: "hideNewDrafts", answer502: "answer502" } as const)[name];
      // The window hears of it later, as from the program.
      await new Promise((resolve) => setTimeout(resolve, 20));
      sites = sites.map((site) => (site.practice && site.switches ? { ...site, switches: { ...site.switches, [key]: on } } : site));
      emitSites();
    },
    beginConnect: async (address) => {
      if (address.includes("old")) return { sendsBack: false, opened: true, page: `https://${address}/wp-admin/authorize-application.php?app_name=Ichido` };
      return { sendsBack: true, opened: !address.includes("closed"), page: `https://${address}/wp-admin/authorize-application.php?app_name=Ichido&success_url=http%3A%2F%2F127.0.0.1%3A40123` };
    },
    finishConnect: () => new Promise((_, reject) => (givenUp = () => reject({ code: "connect_given_up", params: {} }))),
    cancelConnect: async () => givenUp(),
    pauseWatch: async (minutes) => {
      watch = { ...watch, light: "paused", paused: true, pausedUntil: minutes === null ? null : Date.now() + minutes * 60_000 };
      emitWatch();
    },
    resumeWatch: async () => {
      watch = { ...watch, light: "watching", paused: false, pausedUntil: null };
      emitWatch();
    },
    setAutomatic: async (path, on) => {
      folders = folders.map((folder) => (folder.path === path ? { ...folder, automatic: on } : folder));
      emit({ type: "scan", scan: { running: false, found: rows.length, rejected: [] }, folders });
    },
    takeOver: async (path) => {
      const calm = { state: "watching", machine: null };
      watch = { ...watch, folders: watch.folders.map((folder) => (folder.path === path ? { ...folder, ...calm } : folder)) };
      emitWatch();
    },
    saveSettings: async (settings) => {
      watch = settings.watch ? watchOf(folders, Date.now(), false) : noWatch;
      emitWatch();
    },
    finishFirstStart: async () => {},
    openLink: async () => {},
  };
}
