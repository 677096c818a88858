import type { ArticleRow, HaltReason, RowState, WaitReason } from "../view";

export const samples: readonly [title: string, slug: string, images: number][] = [
  ["秋の京都を歩く ― 哲学の道から南禅寺まで", "kyoto-autumn-walk", 6],
  ["Rust で作る小さな CLI：エラーの設計", "rust-small-cli-errors", 5],
  ["はじめての確定申告チェックリスト 2026", "tax-checklist-2026", 2],
  ["コーヒーの淹れ方を変えた3つの道具", "coffee-three-tools", 4],
  ["引っ越し前にやること、やらないこと", "moving-dos-and-donts", 0],
  ["北海道の冬道運転で気をつけたこと", "hokkaido-winter-driving", 8],
  ["小さな会社のための WordPress 引っ越し手順", "wp-migration-small-office", 1],
  ["梅干しを漬ける（三年目の記録）", "umeboshi-third-year", 7],
  ["読書メモ：失敗の本質", "reading-notes-failure", 1],
  ["自宅サーバーの電気代を測った", "home-server-power", 3],
  ["写真の位置情報を消してから載せる", "strip-gps-before-posting", 2],
  ["子どもと作る紙の望遠鏡", "paper-telescope", 9],
  ["A weekend on the Shimanami Kaido by bicycle", "shimanami-kaido-weekend", 12],
  ["平日の夜に作る、十五分の味噌汁", "fifteen-minute-miso-soup", 3],
  ["図書館を書斎にする", "図書館を書斎にする", 2],
  ["中古カメラを買う前に見るところ", "used-camera-checklist", 5],
  ["Git で書きかけの文章を管理する", "writing-with-git", 1],
  ["雨の日の山道具の乾かし方", "drying-gear-after-rain", 4],
  ["古い本棚を直す", "repairing-a-bookshelf", 6],
  ["町の小さな映画館に通う", "small-town-cinema", 3],
];

const states: readonly [RowState, WaitReason | null][] = [
  ["done", null],
  ["ready", null],
  ["done", null],
  ["waiting", "could_not_ask"],
  ["needs_work", null],
  ["done", null],
  ["skipped", null],
  ["done", null],
  ["done", null],
  ["refused", null],
  ["done", null],
  ["ready", null],
  ["ready", null],
  ["done", null],
  ["done", null],
  ["ready", null],
];

export function row(id: number, at: number | null, change: Partial<ArticleRow> = {}): ArticleRow {
  const sample = samples[id % samples.length] ?? ["", "", 0];
  const [title, slug, images] = sample;
  const round = Math.floor(id / samples.length);
  return {
    id,
    title: round === 0 ? title : `${title}（${round + 1}）`,
    slug: round === 0 ? slug : `${slug}-${round + 1}`,
    state: "ready",
    waitReason: null,
    haltReason: null,
    refusal: null,
    setAside: false,
    left: false,
    ending: null,
    linked: false,
    step: null,
    imagesDone: 0,
    imagesTotal: images,
    errors: 0,
    warnings: 0,
    changed: false,
    at,
    ...change,
  };
}

/** Makes a list with a believable mix of states. */
export function mixedRows(count: number, now: number): ArticleRow[] {
  return Array.from({ length: count }, (_, id) => {
    const [state, waitReason] = states[id % states.length] ?? ["ready", null];
    const at = state === "ready" || state === "needs_work" ? null : now - 60_000 - id * 97_000;
    const made = row(id, at, { state, waitReason });
    if (state === "done") {
      const ending = id % 11 === 5 ? "adopted" : id % 7 === 0 ? "created" : "verified";
      return { ...made, ending: id < 20 && ending === "verified" ? "created" : ending, imagesDone: made.imagesTotal, changed: id % 13 === 7 };
    }
    if (state === "needs_work") return { ...made, errors: 2, warnings: 1 };
    if (state === "refused") return { ...made, refusal: "rest_cannot_create" };
    if (state === "ready") return { ...made, warnings: id % 3 === 0 ? 1 : 0 };
    return made;
  });
}

export function readyRows(count: number): ArticleRow[] {
  return Array.from({ length: count }, (_, id) =>
    id % 9 === 4 ? row(id, null, { state: "needs_work", errors: 2, warnings: 1 }) : row(id, null, { warnings: id % 5 === 0 ? 1 : 0 }),
  );
}

export function halted(made: ArticleRow, haltReason: HaltReason, at: number): ArticleRow {
  return { ...made, state: "halted", haltReason, step: null, at };
}
