import type { Found } from "../kit/search";
import { placeOf } from "../kit/stage/viewport";
import { entriesOf, type Graph, isLaidOut } from "./graph";
import { readingOrder } from "./order";

/** Bars whose group, or one of whose entry functions, holds the text, from left to right. Pure. */
export function found(graph: Graph, text: string): Found | undefined {
  if (!isLaidOut(graph)) return undefined;
  const wanted = text.trim().toLowerCase();
  const holds = (one: number) => graph.texts[one].toLowerCase().includes(wanted);
  const { bars, entries } = graph;
  const marks = readingOrder(graph).filter((bar) => {
    const { first, end } = entriesOf(graph, bar);
    return holds(bars.group[bar]) || entries.name.subarray(first, end).some(holds);
  });
  return { marks: new Set(marks), places: marks.map(placeOf) };
}
