/** What lanes are called, in as much room as there is. Pure. */
import type { TimelineContent } from "../../src/protocol/timeline";
import { resourceParts } from "../../src/model/sharedParts";
import { BESIDE } from "../kit/time/window";
import { cutName, fit, type Measure, visible } from "../shared/text";

const PINNED = "▴ ";
/** A cut name has so many characters at least. */
const MIN_CHARACTERS = 12;

export function laneName({ rows, laneNames }: TimelineContent, lane: number): string {
  return visible(laneNames[rows.findIndex((row) => row.lane === lane)] ?? `lane ${lane}`);
}

/** A name whole and ever shorter, without what all lanes' names end with, and begin with: `rank-7: MPI_STATE`, `rank-7`, `7`. As many for each lane. */
function wordings({ laneShared }: TimelineContent, name: string): string[] {
  const begin = visible(laneShared.begin);
  // `(bash` without its `)` is no name.
  const end = /^[^(]*\)/.test(laneShared.end) ? "" : visible(laneShared.end);
  const withoutEnd = end !== "" && name.endsWith(end) ? name.slice(0, -end.length) : name;
  const withoutBegin = withoutEnd.startsWith(begin) ? withoutEnd.slice(begin.length) : withoutEnd;
  const { untyped, own } = resourceParts(name);
  const parts = [laneShared.isUntypedTold ? untyped : name, laneShared.isOwnTold ? own : name];
  // Of a rank alone nothing is shared.
  // A thread's number alone does not say what it is of.
  const isBare = /^\d+$/.test(withoutBegin) && /\bthread $/.test(begin);
  const shorter = [withoutEnd, ...parts, ...(isBare ? [] : [withoutBegin, withoutBegin.replace(/^rank (?=\d+$)/, "")])];
  return shorter.reduce(
    (all, one) => [...all, one.length < all[all.length - 1].length ? one : all[all.length - 1]],
    [name],
  );
}

/** Of the lane with the longest name. */
export function longestWordings(content: TimelineContent): readonly string[] {
  const isPinned = content.pinned > 0 && content.longest.startsWith(PINNED);
  const name = visible(isPinned ? content.longest.slice(PINNED.length) : content.longest);
  return wordings(content, name).map((wording) => (isPinned ? PINNED : "") + wording);
}

/** Names of lanes beside their rows, all in the longest wording that has room. @param gutter pixels beside the rows */
export function shownName(content: TimelineContent, gutter: number, measure: Measure) {
  const room = gutter - BESIDE;
  const longest = longestWordings(content);
  const fits = longest.findIndex((wording) => measure(wording) <= room);
  const pinned = new Set(content.order.subarray(0, content.pinned));
  return (lane: number): string => {
    const all = wordings(content, laneName(content, lane));
    const named = (wording: string) => (pinned.has(lane) ? PINNED + wording : wording);
    const rest = fits < 0 ? [] : all.slice(fits);
    const name = named(rest.find((wording) => measure(named(wording)) <= room) ?? all[all.length - 1]);
    if (measure(name) <= room) return name;
    const thread = threadInShort(name, room, measure);
    if (thread !== "") return thread;
    // Whole parts say more than both ends: `memory: DtoH` of `GPU 0, unified memory: DtoH`.
    const ending = endings(name).find((part) => measure(part) <= room);
    return cutName(name, room, measure, () => true, MIN_CHARACTERS) || ending || fit(name, room, measure);
  };
}

/** `2825 (meg…core)` for `2825 (megahit_core)`: number and brackets stay. Empty if the name has no such form or no room. */
function threadInShort(name: string, room: number, measure: Measure): string {
  const opening = name.lastIndexOf("(");
  const [number, process] = [name.slice(0, opening + 1), name.slice(opening + 1, -1)];
  if (!name.endsWith(")") || !/\d \($/.test(number.slice(-3)) || process === "") return "";
  const minCharacters = Math.max(1, MIN_CHARACTERS - number.length - 1);
  const cut = cutName(process, room - measure(`${number})`), measure, () => true, minCharacters);
  return cut === "" ? "" : `${number}${cut})`;
}

/** Ends of a name behind its words, the longest first. */
function endings(name: string): string[] {
  return [...name.matchAll(/[\s,:/]+/g)]
    .map(({ index, 0: gap }) => name.slice(index + gap.length))
    .filter((part) => part !== "" && !/^\d+$/.test(part));
}
