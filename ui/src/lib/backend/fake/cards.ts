import type { Act, AttentionCard, Candidate, HaltReason, Look, LookResult } from "../view";
import { samples } from "./rows";

const minute = 60_000;

export const reasons: readonly HaltReason[] = [
  "outcome_unknown",
  "candidates",
  "content_differs",
  "incomplete",
  "exists_not_ours",
  "duplicates",
  "in_trash",
  "missing",
  "renamed",
  "slug_changed",
  "could_not_ask",
  "hidden",
];

/** The acts of each reason, as the program offers them. */
export const acts: Record<HaltReason, readonly Act[]> = {
  outcome_unknown: ["look", "link", "send_again"],
  candidates: ["link", "none", "send_again", "look"],
  content_differs: ["keep_site", "update", "look"],
  incomplete: ["keep_site", "update", "look"],
  exists_not_ours: ["link", "look"],
  duplicates: ["link", "look"],
  in_trash: ["send_again", "look"],
  missing: ["send_again", "look"],
  renamed: ["accept_slug", "look"],
  slug_changed: ["same", "new", "look"],
  could_not_ask: ["look"],
  hidden: ["look", "link"],
};

export function actsFor(reason: HaltReason, left: boolean): Act[] {
  return [...acts[reason], left ? "unleave" : "leave"];
}

const none = (part: LookResult["part"]): LookResult => ({ part, result: "none", count: 0 });

function looksOf(reason: HaltReason, now: number): Look[] {
  if (reason === "could_not_ask") {
    return [2, 5].map((ago) => ({ at: now - ago * minute, by: "program", failure: "network", parts: [] }));
  }
  const slug: LookResult =
    reason === "content_differs" || reason === "exists_not_ours"
      ? { part: "slug", result: "found", count: 1 }
      : reason === "duplicates"
        ? { part: "slug", result: "found", count: 2 }
        : reason === "in_trash"
          ? { part: "slug", result: "found", count: 1 }
          : reason === "hidden"
            ? { part: "slug", result: "hidden", count: 1 }
            : none("slug");
  const above: LookResult = reason === "candidates" ? { part: "above_mark", result: "found", count: 2 } : none("above_mark");
  const latest: Look = { at: now - minute, by: "program", failure: null, parts: [above, slug, none("marker")] };
  const earlier: Look = { ...latest, at: now - 4 * minute, parts: [above, slug, { part: "marker", result: "not_asked", count: 0 }] };
  if (reason === "slug_changed") return [];
  if (reason === "missing" || reason === "renamed") {
    const result = reason === "renamed" ? "found" : "none";
    return [{ ...latest, parts: [{ part: "by_id", result, count: 1 }] }];
  }
  return reason === "outcome_unknown" || reason === "candidates" ? [latest, earlier] : [latest];
}

export function candidate(id: number, title: string, slug: string, now: number, change: Partial<Candidate> = {}): Candidate {
  return { id, title, slug, status: "draft", author: "editor", modifiedAt: now - 9 * minute, dismissed: false, differences: [], ...change };
}

function candidatesOf(reason: HaltReason, title: string, slug: string, now: number): Candidate[] {
  switch (reason) {
    case "candidates":
      return [
        candidate(831, `${title}（下書き）`, `${slug}-2`, now, {
          differences: [
            { field: "title", here: title, site: `${title}（下書き）` },
            { field: "slug", here: slug, site: `${slug}-2` },
          ],
        }),
        candidate(833, "無題のメモ", "memo", now, {
          differences: [
            { field: "title", here: title, site: "無題のメモ" },
            { field: "content", here: "1,840字", site: "120字" },
          ],
        }),
      ];
    case "exists_not_ours":
      return [candidate(402, title, slug, now, { status: "publish", author: "sato", differences: [{ field: "content", here: "2,310字", site: "2,298字" }] })];
    case "duplicates":
      return [
        candidate(790, title, slug, now),
        candidate(791, title, `${slug}-2`, now, { differences: [{ field: "slug", here: slug, site: `${slug}-2` }] }),
      ];
    case "in_trash":
      return [candidate(615, title, `${slug}__trashed`, now, { status: "trash" })];
    case "outcome_unknown":
    case "could_not_ask":
    case "content_differs":
    case "incomplete":
    case "missing":
    case "renamed":
    case "slug_changed":
    case "hidden":
      return [];
  }
}

export function card(reason: HaltReason, articleId: number, now: number): AttentionCard {
  const [title, slug, images] = samples[articleId % samples.length] ?? ["", "", 0];
  const sentAt = now - 6 * minute;
  const windowed = reason === "outcome_unknown" || reason === "candidates";
  const answered = reason === "incomplete" || reason === "missing" || reason === "renamed" || reason === "duplicates";
  return {
    opId: `0190a0b0-0000-7000-8000-${String(articleId).padStart(12, "0")}`,
    kind: reason === "hidden" ? "image" : "post",
    articleId: reason === "hidden" ? null : articleId,
    siteId: "practice",
    title: reason === "hidden" ? "cover.jpg" : title,
    slug: reason === "hidden" ? "cover-3fa95c01d2e8" : slug,
    reason,
    left: false,
    since: now - 5 * minute,
    params: { site_slug: `${slug}-new`, old_slug: `${slug}-draft` },
    waiting: reason === "hidden" ? [title, samples[3]?.[0] ?? ""] : [],
    sent:
      reason === "slug_changed"
        ? null
        : {
            at: sentAt,
            slug,
            file: reason === "hidden" ? "images/cover.jpg" : null,
            imagesDone: images,
            imagesTotal: reason === "hidden" ? 0 : images,
            lost: answered ? null : reason === "content_differs" ? "status" : "timed_out",
            params: { status: "502" },
          },
    looks: looksOf(reason, now),
    nextLookAt: windowed || reason === "could_not_ask" || reason === "hidden" ? now + 3 * minute : null,
    sendAgain: windowed
      ? { open: false, opensAt: now + 5 * minute, shut: reason === "candidates" ? "candidates" : "window" }
      : reason === "in_trash" || reason === "missing"
        ? { open: true, opensAt: null, shut: null }
        : null,
    candidates: candidatesOf(reason, title, slug, now),
    differences:
      reason === "content_differs"
        ? [
            { field: "title", here: title, site: title.replace("三", "二") },
            { field: "content", here: "きょう漬けた梅は 3 kg。塩は 18 % にした。", site: "きょう漬けた梅は 2 kg。塩は 20 % にした。" },
          ]
        : reason === "incomplete"
          ? [{ field: "terms", here: "暮らし、記録", site: "–" }]
          : [],
    acts: actsFor(reason, false),
    links: reason === "hidden" ? ["media"] : answered || reason === "content_differs" ? ["edit", "drafts"] : ["drafts", "media"],
  };
}
