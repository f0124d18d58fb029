import type { Warning } from "../../../../model/dataSet";
import { FormatError } from "../../../../model/errors";
import { location } from "../../../../model/locations";
import { NONE } from "../../../../model/ids";
import type { Task } from "../../../../model/task";
import { PieceWindow } from "../../../byteSource";
import { headText } from "../../../cursor";
import type { ReadContext } from "../../../format";
import { wholeLines, unfinishedLine } from "../../../lines";
import type { ProfileBuilder } from "../../../profileBuilder";
import { countedWarnings } from "../../../warnings";
import { NodeValues, type Tree } from "../scan/tree";
import { type Declared, NodeValueAdder } from "./values";
import { nodesById } from "../scan/nodes";

const NEWLINE = 10;
/** One line is one node: its values of all ranks. */
const MOST_LINE_BYTES = 64 << 20;
const START = /^\s*\{\s*"id"\s*:\s*\d+\s*,\s*"inc"\s*:\s*\[/;

/** Whether this is a table of values by rank: lines `{"id": 4, "inc": [one per rank], "exc": [one per rank]}`. */
export function isRankValues(head: Uint8Array): boolean {
  return START.test(headText(head, 256));
}

/** Values of one kind, by rank. */
type ByRank = NodeValues[];

/** Adds a table of values by rank, which stands in for value files of the first metric. @returns what a user should know */
export async function addRankValues(
  file: string,
  declared: readonly Declared[],
  tree: Tree,
  builder: ProfileBuilder,
  context: ReadContext,
  task: Task,
): Promise<Warning[]> {
  const one = declared.find(({ plan }) => plan.meaning === "inclusive");
  if (one === undefined) return [{ message: "values by rank are left out: no inclusive metric is declared", file }];
  const inclusive: ByRank = [];
  const exclusive: ByRank = [];
  const nodes = nodesById(tree.nodes, file);
  let astray = 0;
  await readLines(file, context, task, ({ id, inc, exc }) => {
    const node = id < nodes.length ? nodes[id] : NONE;
    if (node === NONE) {
      astray++;
      return;
    }
    spread(inclusive, node, inc);
    spread(exclusive, node, exc);
  });
  const adder = new NodeValueAdder(tree, builder, task);
  const column = new Float64Array(tree.nodes.size);
  for (let rank = 0; rank < inclusive.length; rank++) {
    const place = builder.location(location({ rank }));
    exclusive[rank]?.spread(column);
    if (exclusive[rank] && one.tool !== NONE) adder.plain(one.tool, place, column);
    inclusive[rank].spread(column);
    adder.additive(one, place, column, false);
  }
  return countedWarnings(file, [[astray, "nodes that the tree does not have are left out"]]);
}

function spread(byRank: ByRank, node: number, values: readonly number[]): void {
  for (let rank = 0; rank < values.length; rank++) {
    byRank[rank] ??= new NodeValues();
    if (values[rank] !== 0) byRank[rank].add(node, values[rank]);
  }
}

interface Line {
  readonly id: number;
  readonly inc: readonly number[];
  readonly exc: readonly number[];
}

async function readLines(file: string, context: ReadContext, task: Task, line: (line: Line) => void): Promise<void> {
  const source = await context.open(file);
  const window = new PieceWindow(source, task);
  let number = 0;
  const tooLong = () => notALine(file, number + 1, `a line of more than ${MOST_LINE_BYTES} bytes`);
  const read = (bytes: Uint8Array, start: number, end: number) => {
    for (let at = start; at < end;) {
      const newline = bytes.indexOf(NEWLINE, at);
      readLine(file, bytes.subarray(at, newline), ++number, line);
      at = newline + 1;
    }
  };
  try {
    for await (const end of wholeLines(window, MOST_LINE_BYTES, tooLong)) read(window.bytes, window.start, end);
    const rest = unfinishedLine(window);
    read(rest, 0, rest.length);
  } finally {
    await window.settle();
    await source.close();
  }
}

function readLine(file: string, bytes: Uint8Array, number: number, line: (line: Line) => void): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8").trim();
  if (text === "") return;
  let value: Partial<Record<keyof Line, unknown>> | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    throw notALine(file, number, "text that is no JSON");
  }
  const { id, inc, exc } = value ?? {};
  if (!isIndex(id) || !areNumbers(inc) || !areNumbers(exc)) throw notALine(file, number, "other JSON");
  line({ id, inc, exc });
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function areNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}

function notALine(file: string, line: number, found: string): FormatError {
  return new FormatError({
    file,
    at: { line },
    found,
    expected: '{"id": number of a node, "inc": [one number per rank], "exc": [one number per rank]}',
    advice: "The file is damaged: copy it again, or move it away to see the sums over ranks.",
  });
}
