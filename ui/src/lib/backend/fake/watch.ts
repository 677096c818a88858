import type { FolderView, WatchView } from "../view";

export const noWatch: WatchView = { light: "off", paused: false, pausedUntil: null, working: null, checkedAt: null, folders: [] };

/** What the watch of a scene says: calm, or with one folder of each trouble. */
export function watchOf(folders: FolderView[], now: number, troubled: boolean): WatchView {
  const calm = { state: "watching", reason: null, machine: null, nextAt: null, scans: null, ready: 0, settling: 0, setAside: 0 } as const;
  const watched = folders.map(({ path, automatic }) => ({ path, automatic, ...calm }));
  if (!troubled) return { light: "watching", paused: false, pausedUntil: null, working: null, checkedAt: now - 60_000, folders: watched };
  const [first] = watched;
  return {
    light: "paused",
    paused: true,
    pausedUntil: now + 30 * 60_000,
    working: null,
    checkedAt: now - 60_000,
    folders: [
      ...(first ? [{ ...first, state: "offline", reason: "unreachable", nextAt: now + 5 * 60_000, setAside: 2 }] : []),
      { path: "~/同期/記事", automatic: true, ...calm, state: "owned_elsewhere", machine: "studio", scans: "network" },
    ],
  };
}
