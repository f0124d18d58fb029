/** What is said about pairs, rows and columns, in words and numbers. Pure. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import type { CommunicationBy, CommunicationContent } from "../../src/protocol/communication";
import type { Explained } from "../../src/protocol/panel";
import type { Aside } from "../kit/aside";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, visible } from "../shared/text";

const UNITS: Readonly<Record<CommunicationBy, string>> = { bytes: "B", count: "1", seconds: "s" };
const WORDS: Readonly<Record<CommunicationBy, string>> = { bytes: "bytes", count: "count", seconds: "time" };

/** How cells are read: `bytes`, `count`, `time`. */
export function valueWord({ by }: Pick<CommunicationContent, "by">): string {
  return WORDS[by];
}

/** A value of the matrix with its unit. */
export function valueText({ by }: Pick<CommunicationContent, "by">, value: number): string {
  return formatValue(value, UNITS[by]);
}

export function unitOf({ by }: Pick<CommunicationContent, "by">): string {
  return UNITS[by];
}

/** What is counted: `["message", "messages"]`. */
export function nouns({ of }: Pick<CommunicationContent, "of">): readonly [string, string] {
  return of === "ranks" ? ["message", "messages"] : ["transfer", "transfers"];
}

/** `2 messages` */
function countText(count: number, content: Pick<CommunicationContent, "of">): string {
  const [one, many] = nouns(content);
  return plural(count, one, many);
}

/** `rank 0 → rank 4`. */
export function pairName({ rows, columns, cells }: CommunicationContent, cell: number): string {
  return `${visible(rows.names[cells.row[cell]])} → ${visible(columns.names[cells.column[cell]])}`;
}

export function pairFacts(content: CommunicationContent, cell: number): Fact[] {
  const { cells, total, calls } = content;
  const [bytes, count, seconds] = [cells.bytes[cell], cells.count[cell], cells.seconds[cell]];
  const call = cells.call[cell];
  const amount = (what: string, text: string, part: number, whole: number): Fact =>
    whole > 0 ? [what, text, formatShare(part / whole)] : [what, text];
  const facts: Fact[] = [
    amount("bytes", total.bytes > 0 ? formatValue(bytes, "B") : "not recorded", bytes, total.bytes),
    amount("count", countText(count, content), count, total.count),
    ["time", seconds > 0 ? formatValue(seconds, "s") : "not recorded"],
  ];
  if (bytes > 0 && seconds > 0 && content.of === "devices") facts.push(["rate", formatValue(bytes / seconds, "B/s")]);
  if (call >= 0) facts.push(["heaviest call", visible(calls[call])]);
  return facts;
}

/** Whether a cell stands for several pairs, which can be shown apart. */
export function isSeveral({ rows, columns, cells }: CommunicationContent, cell: number): boolean {
  return rows.sizes[cells.row[cell]] * columns.sizes[cells.column[cell]] > 1;
}

export function details(content: CommunicationContent, cell: number, more: Explained | undefined): Details | undefined {
  if (cell >= content.cells.row.length) return undefined;
  return {
    name: pairName(content, cell),
    ...(more?.place === undefined ? {} : { place: more.place }),
    numbers: pairFacts(content, cell),
    actions: isSeveral(content, cell) ? [{ id: "apart", name: "Show apart", icon: "zoom-in" }] : [],
  };
}

/** What stands in no cell: collectives, messages without a partner, what devices do with memory beside transfers. */
export function besideList({ beside }: CommunicationContent): Aside | undefined {
  if (beside.length === 0) return undefined;
  return {
    title: "In no cell",
    items: beside.map(({ name, moves, bytes, count, seconds }) => {
      const times = `${count.toLocaleString("en")}×`;
      const time = seconds > 0 ? formatValue(seconds, "s") : undefined;
      const number = moves && bytes > 0 ? formatValue(bytes, "B") : (time ?? times);
      const note = [times, time].filter((part) => part !== undefined && part !== number).join(" · ");
      return { name: visible(name), number, ...(note === "" ? {} : { note }) };
    }),
  };
}

/** What is drawn in one line, the longest wording first: of which part of the run is always said. */
export function summary(content: CommunicationContent): string[] {
  const time = timeText(content);
  return [...movedWordings(content).map((words) => [...time, words].join(" · ")), ...time];
}

/** `61.7 – 70.0 ms · 8.30 ms of 160 ms` */
function timeText({ run, window }: CommunicationContent): string[] {
  if (!run || !window) return [];
  const [all, part] = [run.to - run.from, window.to - window.from];
  if (part >= all) return [`whole run · ${formatValue(all, "s")}`];
  return [`${formatStretch(window.from, window.to)} · ${formatValue(part, "s")} of ${formatValue(all, "s")}`];
}

function movedWordings(content: CommunicationContent): string[] {
  const { total, cells, rows, columns } = content;
  if (cells.row.length === 0) return ["nothing was moved between them"];
  const whole = `${total.bytes > 0 ? `${formatValue(total.bytes, "B")} in ` : ""}${countText(total.count, content)}`;
  const size = `${rows.names.length} × ${columns.names.length}`;
  return [`${whole} · ${plural(cells.row.length, "pair")} of ${size}`, whole, size];
}

/** Of many names that differ in a number at their end alone, what they have in common: `rank `; else nothing. */
export function commonPrefix(names: readonly string[]): string {
  const [, prefix] = /^(\D*)\d+$/.exec(names.at(0) ?? "") ?? [];
  if (prefix === undefined || names.length < 2) return "";
  return names.every((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))) ? prefix : "";
}
