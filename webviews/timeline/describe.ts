/** What is said about events, clusters and what is measured, in words and numbers. Pure. */
import { isNamedAsMpi } from "../../src/model/mpiNames";
import { formatStretch, formatShare, formatValue } from "../../src/model/units";
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import type { Explained, Stretch } from "../../src/protocol/panel";
import type { DetailAction, Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { measuredStretch, windowWordings } from "../kit/time/words";
import { plural, visible } from "../shared/text";
import { laneName } from "./laneNames";
import { type Marks, marksOf } from "./marks";
import { seenOf, type TimelineSeen } from "./seen";

/** `MPI 78 %`, `78 %`: of the time that a lane's events cover; none where it does not communicate. */
export function communicationOf(content: TimelineContent, lane: number): readonly string[] {
  const share = content.communication[content.rows.findIndex((row) => row.lane === lane)] ?? -1;
  if (!(share > 0)) return [];
  // There is no room for more digits.
  const text = `${share < 0.005 ? "< 1" : Math.round(100 * share)} %`;
  return [`${isMpi(content) ? "MPI" : "comm."} ${text}`, text];
}

/** `depths 4–8 of 8`, `4–8 of 8`, `4–8/8`; none where a lane shows all that it has. */
export function depthsOf(
  { look, depths, instants }: TimelineContent,
  { lane, firstDepth, depths: shown }: { readonly lane: number; readonly firstDepth: number; readonly depths: number },
): readonly string[] {
  if (look === "state" || instants[lane] === 1 || shown >= depths[lane]) return [];
  const range = `${firstDepth + 1}–${firstDepth + shown}`;
  return [`depths ${range} of ${depths[lane]}`, `${range} of ${depths[lane]}`, `${range}/${depths[lane]}`];
}

/** Whether communication is nothing else. */
export function isMpi({ names, kinds }: TimelineContent): boolean {
  return names.every((name, at) => eventKinds[kinds[at]] !== "communication" || isNamedAsMpi(name));
}

/** `MPI_Send`; of a cluster `MPI_Send ×14`. */
export function markName(marks: Marks, at: number): string {
  const { events } = marks.content.marks;
  return events[at] > 1 ? `${marks.name(at)} ×${events[at].toLocaleString("en")}` : marks.name(at);
}

export function markFacts(marks: Marks, at: number): Fact[] {
  const { content } = marks;
  const { lane, start, end, events, share } = content.marks;
  const [from, to] = [start[at], end[at]];
  const place: Fact[] = [["lane", laneName(content, lane[at])]];
  if (to === from && !marks.isCluster(at)) return [...place, ["at", formatStretch(from, to)]];
  if (marks.isCluster(at))
    return [
      ...place,
      ["cluster of", plural(events[at], "event")],
      ["from", formatStretch(from, to)],
      [marks.name(at).slice(0, 60), formatShare(share[at])],
    ];
  return [...place, ["from", formatStretch(from, to)], ["takes", formatValue(to - from, "s")]];
}

/** What the host says of an event that the strip says, too. */
const SAID = new Set(["in", "next", "before"]);

/** From an event to others: the host knows where they are. */
const STEPS: readonly DetailAction[] = [
  { id: "chain-back", name: "Back to what sent what arrived here", icon: "arrow-left", key: "[" },
  { id: "chain-next", name: "On to where it is received", icon: "arrow-right", key: "]" },
  { id: "previous-occurrence", name: "Previous event of this function", icon: "chevron-up", key: "P" },
  { id: "next-occurrence", name: "Next event of this function", icon: "chevron-down", key: "N" },
];

export function details(content: TimelineContent, mark: number, more: Explained | undefined): Details | undefined {
  const marks = marksOf(content);
  const at = marks.withNumber(mark);
  if (at === undefined) return undefined;
  const facts = (more?.facts ?? []).filter(
    ([what, text]) => SAID.has(what) || (what === "waited for" && !text.startsWith("not known")),
  );
  const { start, end } = content.marks;
  const length = content.end - content.start || 1;
  const place = {
    mark,
    x: (start[at] - content.start) / length,
    width: (end[at] - start[at]) / length,
    row: content.marks.lane[at],
  };
  return {
    name: marks.name(at),
    ...(more?.place === undefined ? {} : { place: more.place }),
    numbers: [...markFacts(marks, at), ...facts],
    actions: [
      ...(more?.other
        ? [
            {
              id: "other",
              name: `Go to what it waited for: ${visible(more.other.name)}`,
              icon: "arrow-swap",
              key: "C",
              gesture: { kind: "reveal", place: more.other.place } as const,
            },
          ]
        : []),
      ...(marks.isCluster(at) ? [] : STEPS),
      ...(marks.isCluster(at)
        ? []
        : [{ id: "bookmark", name: "Keep this and the window as a bookmark", icon: "bookmark", key: "B" }]),
      {
        id: "measure",
        name: "Measure this, in its lane",
        icon: "symbol-ruler",
        key: "R",
        gesture: { kind: "measure", place },
      },
      { id: "fill", name: "Zoom to this", icon: "screen-full", key: "F", gesture: { kind: "fill", place } },
    ],
  };
}

export function measured(content: TimelineContent, seen: TimelineSeen | undefined): Details | undefined {
  const { range, lane, baseline } = seenOf(content, seen);
  if (!range) return undefined;
  const { actions, ...details } = measuredStretch(content, range, sums(content, range, lane));
  const compare: DetailAction = {
    id: "baseline",
    name: isBaseline(baseline, range, lane)
      ? "Compare nothing with this any more"
      : "Compare other stretches with this",
    icon: "git-compare",
    key: "V",
    gesture: { kind: "baseline" },
  };
  return { ...details, actions: [...actions.slice(0, -1), compare, ...actions.slice(-1)] };
}

/** Whether a stretch, of one lane or all, is what others are compared with. */
export function isBaseline(
  baseline: TimelineSeen["baseline"],
  { from, to }: Stretch,
  lane: number | undefined,
): baseline is NonNullable<TimelineSeen["baseline"]> {
  return baseline?.from === from && baseline.to === to && baseline.lane === lane;
}

/** What was counted and added up in a stretch, over a lane, or all that are shown; nothing until that is known. */
function sums({ measured: known }: TimelineContent, { from, to }: Stretch, lane: number | undefined): Fact[] {
  if (known?.range.from !== from || known.range.to !== to || known.lane !== lane) return [];
  const { events, kinds } = known;
  const all = kinds.reduce((sum, one) => sum + one, 0);
  return [
    ...(known.laneName === undefined ? [] : [["in", visible(known.laneName)] as Fact]),
    ["", plural(events, "event")],
    ...kinds
      .map((seconds, kind) => ({ seconds, name: eventKinds[kind] }))
      .filter(({ seconds }) => seconds > 0)
      .sort((a, b) => b.seconds - a.seconds)
      .map(({ seconds, name }): Fact => [name, formatValue(seconds, "s"), formatShare(seconds / all)]),
  ];
}

/** The window, always; the longest wording first. */
export function summary(content: TimelineContent, seen: TimelineSeen | undefined): string[] {
  const { events, messageCount } = content;
  const counts = [plural(events, "event"), ...(messageCount > 0 ? [plural(messageCount, "message")] : [])].join(" · ");
  return windowWordings(content, seenOf(content, seen), counts);
}
