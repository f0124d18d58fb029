/** A bar, or an entry of it, of one graph in another one. Pure. */
import type { GraphMessage } from "../../src/protocol/superGraph";
import { halfOf } from "./halves";

/** What of a bar is meant: one of its entries, or all of it. */
export interface Meant {
  readonly bar: number;
  readonly entry?: number;
}

/** @returns undefined where the other graph has no such bar; the bar without an entry where it has no such entry */
export function sameBar(of: GraphMessage, { bar, entry }: Meant, graph: GraphMessage): Meant | undefined {
  if (of.revision === graph.revision) return entry === undefined ? { bar } : { bar, entry };
  const keyOf = (own: GraphMessage, at: number) => {
    const { group, visit } = own.bars[at];
    return JSON.stringify([halfOf(own, at)?.name, group, visit]);
  };
  const key = keyOf(of, bar);
  const same = graph.bars.findIndex((_, at) => keyOf(graph, at) === key);
  if (same < 0) return undefined;
  const meant = entry === undefined ? undefined : of.bars[bar].entries.at(entry);
  const sameEntry = graph.bars[same].entries.findIndex(
    ({ name, place }) => name === meant?.name && place === meant.place,
  );
  return sameEntry < 0 ? { bar: same } : { bar: same, entry: sameEntry };
}
