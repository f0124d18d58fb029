import type { Task } from "../../model/task";
import { PieceWindow } from "../byteSource";
import type { ReadContext } from "../format";

/** Tables of text are summaries: what is larger is something else. */
const MOST_BYTES = 4 << 20;
const MOST_ROWS = 10_000;

/** Rows of a small file of text. */
async function linesOf(file: string, context: ReadContext, task: Task): Promise<string[]> {
  const source = await context.open(file);
  const window = new PieceWindow(source, task);
  try {
    while (window.end - window.start < MOST_BYTES && (await window.more()));
    const { bytes, start, end } = window;
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, MOST_BYTES))
      .toString("utf8")
      .split(/\r?\n/, MOST_ROWS);
  } finally {
    await window.settle();
    await source.close();
  }
}

/** What nvprof says of each kernel: `kernel: Device Memory Read Throughput` → least, most, average. */
export async function kernelMetrics(file: string, context: ReadContext, task: Task): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  for (const line of await linesOf(file, context, task)) {
    const fields = /^"[^"]*","([^"]*)",\d+,"[^"]*","([^"]*)",([^,]*),([^,]*),([^,]*)$/.exec(line);
    if (fields === null) continue;
    const [, kernel, metric, least, most, average] = fields;
    rows.push([`${kernel}: ${metric}`, `${average} (${least} to ${most})`]);
  }
  return rows;
}

/** What the benchmark says of itself: `SGEMM-N (dim:1024), GFlops` → median and the rest. */
export async function benchmarkResults(file: string, context: ReadContext, task: Task): Promise<[string, string][]> {
  const [header = "", ...lines] = await linesOf(file, context, task);
  const names = header.split(",").map((name) => name.trim());
  const rows: [string, string][] = [];
  for (const line of lines) {
    const fields = line.split(",").map((field) => field.trim());
    if (fields.length < 4) continue;
    const [test, attributes, unit, ...values] = fields;
    const named = values.flatMap((value, at) => (value === "" ? [] : [`${names[at + 3] ?? ""} ${value}`.trim()]));
    rows.push([`${test} (${attributes}), ${unit}`, named.join(", ")]);
  }
  return rows;
}
