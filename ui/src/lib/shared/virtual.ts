export interface Range {
  start: number;
  end: number;
}

/** Returns which rows of equal height have to exist for a scroll position. */
export function visibleRange(scrollTop: number, height: number, rowHeight: number, count: number, spare = 8): Range {
  const shown = Math.ceil(Math.max(0, height) / rowHeight) + 1;
  // A list that became shorter is shown from its end until the scroll position follows.
  const first = Math.min(Math.floor(Math.max(0, scrollTop) / rowHeight), Math.max(0, count - shown));
  return { start: Math.max(0, first - spare), end: Math.min(count, first + shown + spare) };
}

/** Returns the scroll position that brings a row into view, moving as little as possible. */
export function scrollToShow(index: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + height) return top + rowHeight - height;
  return scrollTop;
}

/** Returns the row that a key leads to, or null if the key does not move. */
export function moveBy(key: string, index: number, count: number, page: number): number | null {
  if (count === 0) return null;
  const clamp = (to: number) => Math.max(0, Math.min(count - 1, to));
  switch (key) {
    case "ArrowDown":
      return clamp(index + 1);
    case "ArrowUp":
      return index < 0 ? 0 : clamp(index - 1);
    case "PageDown":
      return clamp(index + page);
    case "PageUp":
      return clamp(index - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
