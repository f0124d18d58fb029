/** An overview as programs read it: one line of JSON (semantics 11). Pure. */
import { jsonText } from "../../model/unseen";
import type { Overview, OverviewKind } from "./overviewApi";

/** Strengths of aggregation that are closer are not told apart. */
export const THRESHOLD = 0.001;

/** States and nodes of a model in a file have numbers. */
export type WrittenOverview = Omit<Overview, "states" | "nodes"> & {
  readonly states: readonly (string | number)[];
  readonly nodes: readonly { readonly name: string | number; readonly parent: number }[];
};

/** @param asked `metric`: a word, or `variable=NAME` */
export function overviewJson(
  overview: WrittenOverview,
  asked: {
    readonly kind: OverviewKind;
    readonly normalize: boolean;
    readonly threshold: number;
    readonly metric: string;
  },
): string {
  const { fromSeconds: from, toSeconds: to, slices, states, nodes, uncoveredSeconds: uncovered, partitions } = overview;
  const { kind, normalize, threshold, metric } = asked;
  const unlike = overview.unlike.map(({ fromSeconds, toSeconds, leaves, strength, when, what }) => ({
    from: fromSeconds,
    to: toSeconds,
    leaves,
    strength,
    text: `${when}: ${what}`,
  }));
  const start = overview.first ? { first: overview.first } : {};
  const head = { kind, normalize, threshold, from, to, slices, metric, states, nodes, uncovered };
  return `${jsonText({ ...head, ...start, partitions, unlike })}\n`;
}
