/**
 * A super graph as it is sent: entries, flows and geometry as columns, every text once. A graph has some thousand entries and
 * tens of thousands of points; as objects with names of fields they take longer to write, copy and read than to draw.
 */
import { MARK_LIMIT, parse } from "./bounds";
import { NOWHERE, type SentGeometry } from "./sentColumns";
import {
  type BarNumbers,
  type EntryNumbers,
  type FlowNumbers,
  type Geometry,
  type GraphNumbers,
  type LayoutMessage,
  type SentGraph,
  type SentLayout,
  type ToSuperGraph,
  toSuperGraph,
} from "./superGraph";

/** Lengths are sent as whole hundredths of a pixel: short, and nothing that an eye could see is lost. */
const PER_PIXEL = 100;

const sent = (pixels: number) => Math.round(pixels * PER_PIXEL);

/** @param geometry of the flows given, in their order, each of which leads from level to level */
export function packGeometry(
  { bars: boxes, flows: courses, headings, ...rest }: Geometry,
  bars: readonly { readonly level: number }[],
  flows: readonly { readonly source: number }[],
): SentGeometry {
  const columns: number[] = [];
  const column = (at: number, x: number) => {
    while (columns.length <= at) columns.push(0);
    columns[at] = sent(x);
  };
  const level = flows.map(({ source }) => bars[source].level);
  const y: number[] = [];
  courses.forEach(({ points }, flow) => {
    for (let at = 0; at < points.length; at += 2) column(2 * level[flow] + 1 + at / 2, points[at]);
    y.push(sent(points[1]));
    // Of the two points at a level, the one that arrives.
    for (let at = 3; at < points.length; at += 4) y.push(sent(points[at]));
  });
  return {
    ...rest,
    ...(headings ? { headings: headings.map((top) => sent(top) / PER_PIXEL) } : {}),
    bars: boxes.flatMap((box) => box.map(sent)),
    columns,
    flows: {
      thickness: courses.map(({ thickness }) => sent(thickness)),
      level,
      levels: courses.map(({ points }) => points.length / 4),
      y,
    },
  };
}

/** Undefined where its columns do not fit together. */
export function unpackLayout({ flows, geometry, ...rest }: SentLayout): LayoutMessage | undefined {
  const { source, target, inclusive } = flows;
  const unpacked = unpackGeometry(geometry);
  if (target.length !== source.length || inclusive.length !== source.length) return undefined;
  if (unpacked?.flows.length !== source.length) return undefined;
  const numbers = source.map((from, at): FlowNumbers => ({
    source: from,
    target: target[at],
    inclusive: inclusive[at],
  }));
  return { ...rest, flows: numbers, geometry: unpacked };
}

function unpackGeometry({ bars, columns, flows, ...rest }: SentGeometry): Geometry | undefined {
  const { thickness, level, levels, y } = flows;
  if (bars.length % 4 !== 0 || level.length !== thickness.length || levels.length !== thickness.length)
    return undefined;
  const boxes = Array.from({ length: bars.length / 4 }, (_, bar): Geometry["bars"][number] => [
    bars[4 * bar] / PER_PIXEL,
    bars[4 * bar + 1] / PER_PIXEL,
    bars[4 * bar + 2] / PER_PIXEL,
    bars[4 * bar + 3] / PER_PIXEL,
  ]);
  let next = 0;
  const courses: Geometry["flows"][number][] = [];
  for (let flow = 0; flow < thickness.length; flow++) {
    const last = 2 * (level[flow] + levels[flow]);
    if (levels[flow] === 0 || last >= columns.length || next + levels[flow] >= y.length) return undefined;
    const points: number[] = [];
    for (let column = 2 * level[flow] + 1; column <= last; column++) {
      points.push(columns[column] / PER_PIXEL, y[next] / PER_PIXEL);
      // It leaves a level where it has arrived.
      if (column % 2 === 1) next++;
    }
    next++;
    courses.push({ thickness: thickness[flow] / PER_PIXEL, points });
  }
  return next === y.length ? { ...rest, bars: boxes, flows: courses } : undefined;
}

/** What an entry is called, and where its code is; undefined: not known. */
export interface EntryTexts<Entry> {
  name(entry: Entry): string;
  place(entry: Entry): string | undefined;
}

/**
 * @param bars the entries of each
 * @param most so many of each are taken
 */
export function packEntries<Entry extends Pick<EntryNumbers, "inclusive" | "exclusive">>(
  bars: readonly (readonly Entry[])[],
  most: number,
  textsOf: EntryTexts<Entry>,
): Pick<SentGraph, "texts" | "entries"> {
  const texts: string[] = [];
  const known = new Map<string, number>();
  const indexOf = (text: string) => {
    let index = known.get(text);
    if (index === undefined) known.set(text, (index = texts.push(text) - 1));
    return index;
  };
  const entries: SentGraph["entries"] = { count: [], name: [], inclusive: [], exclusive: [], place: [] };
  for (const own of bars) {
    const count = Math.min(own.length, most);
    entries.count.push(count);
    for (let at = 0; at < count; at++) {
      const place = textsOf.place(own[at]);
      entries.name.push(indexOf(textsOf.name(own[at])));
      entries.inclusive.push(own[at].inclusive);
      entries.exclusive.push(own[at].exclusive);
      entries.place.push(place === undefined ? NOWHERE : indexOf(place));
    }
  }
  return { texts, entries };
}

export function packFlows(flows: readonly FlowNumbers[]): SentLayout["flows"] {
  return {
    source: flows.map(({ source }) => source),
    target: flows.map(({ target }) => target),
    inclusive: flows.map(({ inclusive }) => inclusive),
  };
}

/** Undefined where its columns do not fit together. */
export function unpackGraph({ bars, texts, entries, ...rest }: SentGraph): GraphNumbers | undefined {
  const marks = entries.name.length;
  const sameLength = [entries.inclusive, entries.exclusive, entries.place].every(({ length }) => length === marks);
  if (!sameLength || entries.count.length !== bars.length) return undefined;
  const leadsNowhere = (text: number) => text >= texts.length;
  if (entries.name.some(leadsNowhere) || entries.place.some(leadsNowhere)) return undefined;
  let next = 0;
  const withEntries = bars.map((bar, at): BarNumbers => {
    const own: EntryNumbers[] = [];
    for (let end = Math.min(marks, next + entries.count[at]); next < end; next++) {
      const name = texts[entries.name[next]];
      // Written out twice: thousands of objects made from others would take as long as everything else here.
      own.push(
        entries.place[next] === NOWHERE
          ? { name, inclusive: entries.inclusive[next], exclusive: entries.exclusive[next] }
          : {
              name,
              inclusive: entries.inclusive[next],
              exclusive: entries.exclusive[next],
              place: texts[entries.place[next]],
            },
      );
    }
    return { ...bar, entries: own };
  });
  if (next !== entries.count.reduce((sum, one) => sum + one, 0) || next !== marks) return undefined;
  return { ...rest, bars: withEntries };
}

/** The message when it is well formed and its indices lead somewhere; else undefined. */
export function parseToSuperGraph(message: unknown): ToSuperGraph | undefined {
  const parsed = parse(toSuperGraph, message);
  if (parsed?.type === "layout") return unpackLayout(parsed);
  if (parsed?.type !== "graph") return parsed;
  const graph = unpackGraph(parsed);
  return graph && isConsistent(graph) ? graph : undefined;
}

function isConsistent({ bars, pair }: GraphNumbers): boolean {
  const marks = bars.reduce((sum, { entries }) => sum + 1 + entries.length, 0);
  return marks <= MARK_LIMIT && (pair === undefined || pair.merged || bars.length % 2 === 0);
}
