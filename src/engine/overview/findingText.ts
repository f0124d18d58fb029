/** What is unlike the rest, as a sentence: when, who, what, against what. */
import { modeOf, sumsOf } from "../../aggregation/modes";
import type { UnlikeFinding } from "../../aggregation/unlike";
import { counted } from "../../model/texts";
import { formatShare, formatStretch, formatValue } from "../../model/units";
import type { TraceModel } from "./modelParts";

/** Names that a sentence lists. */
const MOST_NAMES = 6;

export interface FindingText {
  /** `at 276 ms`, `2.76 – 3.59 s`, `over the whole window` */
  readonly when: string;
  readonly what: string;
}

export function findingText(
  model: TraceModel,
  { kind, boundaries, leaves }: UnlikeFinding,
  moment: (boundary: number) => number,
): FindingText {
  const [first, last] = [boundaries[0], boundaries[boundaries.length - 1]];
  const own = new Set(leaves);
  const others = Array.from({ length: model.leaves }, (_, leaf) => leaf).filter((leaf) => !own.has(leaf));
  const isOne = leaves.length === 1;
  const who = `${counted(leaves.length, "resource")} (${namesOf(model, leaves)})`;
  if (kind === "time" && first === last) {
    const before = inMostly(model, leaves, first - 1, first - 1);
    const after = inMostly(model, leaves, first, first);
    const what = `${who} ${isOne ? "goes" : "go"} from ${before} to ${after}; the others do not change there`;
    return { when: `at ${formatValue(moment(first), "s")}`, what };
  }
  const [start, end] = kind === "space" ? [0, model.slices - 1] : [first, last - 1];
  const when = kind === "space" ? "over the whole window" : formatStretch(moment(first), moment(last));
  const mostly = `${who} ${isOne ? "is" : "are"} mostly in ${inMostly(model, leaves, start, end)}`;
  return { when, what: `${mostly}, the others in ${inMostly(model, others, start, end)}` };
}

function namesOf({ nodes }: TraceModel, leaves: readonly number[]): string {
  const names = leaves.slice(0, MOST_NAMES).map((leaf) => nodes[leaf].name);
  return names.join(", ") + (leaves.length > MOST_NAMES ? ", …" : "");
}

/** `MPI_Send (61 %)` */
function inMostly(model: TraceModel, leaves: readonly number[], start: number, end: number): string {
  const { state, share } = modeOf(sumsOf(model, leaves, start, end));
  return state < 0 ? "nothing recorded" : `${model.names[state]} (${formatShare(share)})`;
}
