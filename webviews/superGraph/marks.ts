/** Bars and their entry functions as marks. Pure. */
import type { Mark, Paint } from "../kit/stage/scene";
import { heatPosition, type Theme } from "../kit/theme/theme";
import { barFacts, barSentence, entrySentence, factsOfEntry, overText } from "./describe";
import {
  barKey,
  barName,
  differenceOf,
  entriesOf,
  entryFunction,
  entryMark,
  entryName,
  entryPlace,
  type Graph,
} from "./graph";
import { readingOrder } from "./order";
import type { Placed, PlacedBar } from "./placed";

/** A segment that is lower is not drawn by itself: its bar's colour shows. */
const LOWEST = 1;

/** What is read out of each bar: the same for as long as the graph's numbers are. */
const sentences = new WeakMap<Graph["bars"], string[]>();

function sentencesOf(graph: Graph): string[] {
  const known = sentences.get(graph.bars) ?? Array.from(graph.bars.group, (_, bar) => barSentence(graph, bar));
  sentences.set(graph.bars, known);
  return known;
}

/**
 * Bars and entries, in reading order. The pointer finds bars alone; entries are reached from their bar, and by their names beside it.
 *
 * @param bars where they are now
 */
export function marksOf(
  { graph, hottest, largestDifference: most }: Placed,
  bars: readonly PlacedBar[],
  theme: Theme,
  opacityOf: (bar: number) => number | undefined = () => undefined,
): Mark[] {
  const heat = (value: number) => theme.heat(heatPosition(value, hottest));
  const says = () => sentencesOf(graph);
  return readingOrder(graph).flatMap((bar): Mark[] => {
    const { x, y, width, height: room, entries, both } = bars[bar];
    const height = both?.[0] ?? room;
    const difference = most === undefined ? undefined : most > 0 ? differenceOf(graph, bar) / most : 0;
    const fill = difference === undefined ? heat(graph.bars.exclusive[bar]) : theme.difference(difference);
    const opacity = opacityOf(bar);
    const key = barKey(graph, bar);
    const note = () => overText(graph, bar);
    const own: Mark = {
      id: bar,
      key,
      box: { x, y, width, height },
      name: barName(graph, bar),
      says: () => says()[bar],
      note,
      paint: { fill, stroke: theme.outline, strokeWidth: 1, opacity },
      facts: () => barFacts(graph, bar),
    };
    const { first } = entriesOf(graph, bar);
    const keys = new Map<string, number>();
    const keyOf = (entry: number, place = "") => {
      const said = `${key} ${entryName(graph, entry)} ${place}`;
      const times = keys.get(said) ?? 0;
      keys.set(said, times + 1);
      return times === 0 ? said : `${said} ${times}`;
    };
    const paintOf = (entry: number, high: number): Paint => {
      const isDrawn = difference === undefined && entries.length > 1 && high >= LOWEST;
      return isDrawn
        ? { fill: heat(graph.entries.inGroup[entry]), stroke: theme.outline, strokeWidth: 0.75, opacity }
        : {};
    };
    return [
      own,
      ...entries.map((box, at): Mark => {
        const entry = first + at;
        const place = entryPlace(graph, entry);
        return {
          id: entryMark(graph, entry),
          key: keyOf(entry, place),
          within: bar,
          isPassive: true,
          place,
          box,
          name: entryFunction(graph, entry),
          note,
          paint: paintOf(entry, box.height),
          facts: () => factsOfEntry(graph, bar, entry),
          says: () => entrySentence(graph, bar, entry),
        };
      }),
    ];
  });
}
