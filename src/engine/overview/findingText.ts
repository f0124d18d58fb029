/** What is unlike the rest, as a sentence: when, who, what, against what. */
import type { GroupsUnlike } from "../../aggregation/groupsUnlike";
import { type Mode, type Modes, sumsOf } from "../../aggregation/modes";
import type { UnlikeFinding } from "../../aggregation/unlike";
import { counted } from "../../model/texts";
import { formatShare, formatStretch, formatValue } from "../../model/units";
import { groupsText, membersText } from "./memberNames";
import type { TraceModel } from "./namedModel";

const WHOLE = "over the whole window";

export interface FindingText {
  /** `at 276 ms`, `2.76 – 3.59 s`, `over the whole window` */
  readonly when: string;
  readonly what: string;
}

export function findingText(
  model: TraceModel,
  modes: Modes,
  { kind, boundaries, leaves }: UnlikeFinding,
  moment: (boundary: number) => number,
): FindingText {
  const [first, last] = [boundaries[0], boundaries[boundaries.length - 1]];
  const own = new Set(leaves);
  const others = Array.from({ length: model.leaves }, (_, leaf) => leaf).filter((leaf) => !own.has(leaf));
  const isOne = leaves.length === 1;
  const who = `${counted(leaves.length, "resource")} (${membersText(leaves.map((leaf) => model.nodes[leaf].name))})`;
  const [is, go] = isOne ? ["is", "goes"] : ["are", "go"];
  if (kind === "time" && first === last) {
    const [before, after] = [first - 1, first].map((slice) => spentOf(model, modes, leaves, slice, slice));
    const other = unlike(before, after);
    const what =
      other === undefined
        ? `${who} ${go} from ${changed(model, before, after)}`
        : `${who} ${go} from ${formatShare(other.one)} to ${formatShare(other.other)} ${said(model, other.state)}, mostly in ${model.names[other.mostly]} before and after`;
    return { when: `at ${formatValue(moment(first), "s")}`, what: `${what}; the others do not change there` };
  }
  const [start, end] = kind === "space" ? [0, model.slices - 1] : [first, last - 1];
  const when = kind === "space" ? WHOLE : formatStretch(moment(first), moment(last));
  const [here, there] = [leaves, others].map((some) => spentOf(model, modes, some, start, end));
  const other = unlike(here, there);
  const what =
    other === undefined
      ? isOfLevel(here, there)
        ? `${who} ${is} at ${levelOf(model, here)}, the others at ${levelOf(model, there)}`
        : `${who} ${is} mostly in ${inMostly(model, here)}, the others in ${inMostly(model, there)}`
      : `${who} ${is} ${formatShare(other.one)} ${said(model, other.state)}, the others ${formatShare(other.other)}, all mostly in ${model.names[other.mostly]}`;
  return { when, what };
}

/** `3.04 – 3.59 s`, `groups 2, 5, 6 of 8 are 75.6 % in Send, the others 39.0 %` */
export function groupsFindingText(
  { names, nodes, slices }: TraceModel,
  { groups, others, start, end, state, share, otherShare }: GroupsUnlike,
  moment: (boundary: number) => number,
): FindingText {
  const isWhole = start === 0 && end === slices - 1;
  const who = groupsText(
    groups.map((group) => nodes[group].name),
    others.map((group) => nodes[group].name),
  );
  const is = groups.length === 1 ? "is" : "are";
  return {
    when: isWhole ? WHOLE : formatStretch(moment(start), moment(end + 1)),
    what: `${who} ${is} ${formatShare(share)} in ${names[state]}, the others ${formatShare(otherShare)}`,
  };
}

/** What some leaves are in during a stretch. */
interface Spent {
  readonly mode: Mode;
  /** Of all values there. */
  readonly shares: Float64Array;
  /** Share of the time in which something was recorded; NaN where values are no time. */
  readonly covered: number;
  /** Mean of its cells; NaN where values are time, which shares and what was recorded say. */
  readonly level: number;
}

/** Where both are mostly in one state: what else they are not alike in most, a state or (-1) how much was recorded. */
interface Unlike {
  readonly state: number;
  readonly one: number;
  readonly other: number;
  readonly mostly: number;
}

function spentOf(model: TraceModel, modes: Modes, leaves: readonly number[], start: number, end: number): Spent {
  const sums = sumsOf(model, leaves, start, end);
  const total = sums.reduce((sum, one) => sum + one, 0);
  const slice = (model.toSeconds - model.fromSeconds) / model.slices;
  const cells = leaves.length * (end + 1 - start);
  // Values that are time are what they are made of.
  const isTime = model.values === model.amounts;
  return {
    mode: modes.of(sums),
    shares: sums.map((one) => (total > 0 ? one / total : 0)),
    covered: isTime ? total / (cells * slice) : Number.NaN,
    level: isTime ? Number.NaN : total / cells,
  };
}

/** Whether both are in one state, as all of a variable is, and only how much of it there is tells them apart. */
function isOfLevel(one: Spent, other: Spent): boolean {
  return one.mode.state === other.mode.state && one.mode.state >= 0 && Math.abs(one.level - other.level) > 0;
}

/** `237 M power_used per cell` */
function levelOf({ names }: TraceModel, { mode: { state }, level }: Spent): string {
  return `${formatValue(level, "1")} ${names[state]} per cell`;
}

function changed(model: TraceModel, before: Spent, after: Spent): string {
  if (isOfLevel(before, after)) return `${formatValue(before.level, "1")} to ${levelOf(model, after)}`;
  return `${inMostly(model, before)} to ${inMostly(model, after)}`;
}

function unlike(one: Spent, other: Spent): Unlike | undefined {
  if (one.mode.state !== other.mode.state || one.mode.state < 0) return undefined;
  const [mostly, apart] = [one.mode.state, Math.abs(one.covered - other.covered)];
  let [state, most] = [-1, apart > 0 ? apart : 0];
  one.shares.forEach((share, at) => {
    const difference = Math.abs(share - other.shares[at]);
    if (at !== mostly && difference > most) [state, most] = [at, difference];
  });
  if (most === 0) return undefined;
  const of = ({ shares, covered }: Spent) => (state < 0 ? Math.min(1, covered) : shares[state]);
  return { state, one: of(one), other: of(other), mostly };
}

function said({ names }: TraceModel, state: number): string {
  return state < 0 ? "recorded" : `in ${names[state]}`;
}

/** `MPI_Send (61 %)` */
function inMostly({ names }: TraceModel, { mode: { state, share } }: Spent): string {
  return state < 0 ? "nothing recorded" : `${names[state]} (${formatShare(share)})`;
}
