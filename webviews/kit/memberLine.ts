/** Members on a line in words, as rows, and along an axis. Pure. */
import { formatValue } from "../../src/model/units";
import type { MemberLine } from "../../src/protocol/members";
import { everyNth, wordsAt } from "./axis";
import type { Box, DrawView, Fact, Mark, Shape } from "./stage/scene";
import { type TableSpec, tableOf } from "./definition";
import { findMembers } from "./members";
import { numberColumn, textColumn } from "./table/columns";
import type { Column } from "./table/table";

/** `1 rank`, `8 ranks`. */
export function several({ nouns }: { readonly nouns: readonly [string, string] }, count: number): string {
  return `${count.toLocaleString("en")} ${nouns[count === 1 ? 0 : 1]}`;
}

/** `rank 4`. */
export function memberName({ nouns, keys }: MemberLine, position: number): string {
  return `${nouns[0]} ${keys[position]}`;
}

/** Where it is, and what it is ordered by. */
export function memberFacts({ by, hosts, attribute }: MemberLine, position: number): Fact[] {
  const host = hosts?.[position] ?? -1;
  const facts: Fact[] = host >= 0 && by !== "host" ? [["host", String(host)]] : [];
  if (attribute)
    facts.push([`${attribute.name.slice(0, 60)} in all`, formatValue(attribute.values[position], attribute.unit)]);
  return facts;
}

/** The same as columns. */
function memberColumns({ hosts, attribute }: MemberLine): Column<number>[] {
  const host = (at: number) => hosts?.[at] ?? -1;
  const total = (at: number) => attribute?.values[at] ?? NaN;
  return [
    ...(hosts ? [numberColumn("host", host, (at) => (host(at) < 0 ? "not known" : String(host(at))))] : []),
    ...(attribute
      ? [numberColumn(`${attribute.name} in all`, total, (at) => formatValue(total(at), attribute.unit))]
      : []),
  ];
}

/** All of them as a table; rows are positions on the line. @param first the mark of the first one */
export function tableOfMembers(
  line: MemberLine,
  first: number,
  columns: readonly Column<number>[],
): TableSpec<unknown> {
  return tableOf<number>({
    caption: "Members",
    columns: [
      textColumn(
        line.nouns[0],
        (at) => line.keys[at],
        (at) => memberName(line, at),
      ),
      ...columns,
      ...memberColumns(line),
    ],
    rows: [...line.keys.keys()],
    sortedBy: 1,
    markOf: (at) => first + at,
  });
}

/** Marks of those that are looked for; undefined while nothing is. @param first the mark of the first one */
export function findOnLine({ keys }: MemberLine, text: string, first: number): ReadonlySet<number> | undefined {
  const found = findMembers(keys, text);
  return found && new Set([...found].map((position) => first + position));
}

/** Keys below a line of members, as many as have room, and what the line is. */
export function memberAxis({ keys, nouns, order, attribute }: MemberLine, line: Box, view: DrawView): Shape[] {
  const step = line.width / keys.length;
  const ticks = keys.map((text, position) => ({ at: line.x + (position + 0.5) * step, text }));
  const words = wordsAt(view.theme);
  const [one, many] = nouns;
  const ordered = attribute ? `${attribute.name} in all` : order === "id" ? one : order;
  const below = line.y + line.height;
  return [
    ...everyNth(ticks, line, view).map(({ at, text }) => words(at, below + 16, text, { anchor: "middle" })),
    words(line.x, below + 32, order === "id" ? many : `${many} by ${ordered}`, { weight: 600 }),
  ];
}

/**
 * A cell for each member, side by side.
 *
 * @param first the mark of the first one
 * @param fill of a member's cell
 */
export function memberMarks(
  line: MemberLine,
  box: Box,
  first: number,
  { fill, stroke, facts }: { fill(position: number): string; stroke: string; facts(position: number): readonly Fact[] },
): Mark[] {
  const step = box.width / line.keys.length;
  const isWide = step > 4;
  return line.keys.map((key, position) => ({
    id: first + position,
    key: `member ${key}`,
    box: { ...box, x: box.x + position * step, width: Math.max(1, step - (isWide ? 1 : 0)) },
    paint: { fill: fill(position), stroke: isWide ? stroke : undefined },
    name: memberName(line, position),
    facts: () => facts(position),
  }));
}
