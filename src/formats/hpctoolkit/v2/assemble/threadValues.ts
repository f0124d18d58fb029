import type { Warning } from "../../../../model/dataSet";
import { FormatError } from "../../../../model/errors";
import { appendAll } from "../../../../model/longLists";
import type { Task } from "../../../../model/task";
import type { ByteSource } from "../../../byteSource";
import type { ReadContext } from "../../../format";
import type { ProfileBuilder } from "../../../profileBuilder";
import { countedWarnings } from "../../../warnings";
import type { ValueBlock } from "../scan/companions";
import { threadLocation } from "./metricPlan";
import { nodesById } from "../scan/nodes";
import type { Tree } from "../scan/tree";
import { type Declared, NodeValueAdder } from "./values";
import { readColumns } from "../scan/valueFiles";

/** What the value files held. */
export interface ThreadValues {
  readonly warnings: readonly Warning[];
  /** Threads whose values were added. */
  readonly threads: number;
  /** Of the whole program, over these threads, by column; as recorded. */
  readonly totals: ReadonlyMap<number, number>;
}

/** Adds the values of every thread, one thread after the other. */
export async function addThreadValues(
  blocks: readonly ValueBlock[],
  declared: readonly Declared[],
  tree: Tree,
  builder: ProfileBuilder,
  context: ReadContext,
  task: Task,
): Promise<ThreadValues> {
  if (blocks.length === 0 || declared.length === 0) return { warnings: [], threads: 0, totals: new Map() };
  const warnings: Warning[] = [];
  const columns = columnsOf(declared);
  const most = columns.reduce((max, column) => Math.max(max, column), 0);
  // Row of a node = its number − 1.
  const nodeOfRow = nodesById(tree.nodes, blocks[0].file).subarray(1);
  // Each node has a number of its own, so there are at least as many rows as nodes.
  const rows = Math.max(nodeOfRow.length, tree.nodes.size);
  const fitting = blocks.filter(({ shape, file }) => {
    const fits = shape.rows >= rows && shape.columns > most;
    const problem = `it has ${shape.rows} nodes with ${shape.columns} values, the tree ${rows} and ${most + 1}`;
    if (!fits) warnings.push({ message: `values of another database are left out: ${problem}`, file });
    return fits;
  });
  // Room is made only now: files that fit are as large as what is read from them.
  if (fitting.length === 0) throw noneFits(blocks[0].file);
  const into = columns.map(() => new Float64Array(tree.nodes.size));
  const byColumn = new Map(columns.map((column, at) => [column, into[at]]));
  const totals = new Map(columns.map((column) => [column, 0]));
  const adder = new NodeValueAdder(tree, builder, task);
  let astray = 0;
  let open: ByteSource | undefined;
  try {
    for (const [index, block] of fitting.entries()) {
      if (open?.name !== block.file) {
        await open?.close();
        open = await context.open(block.file);
      }
      for (const column of into) column.fill(0);
      const part: Task = {
        check: () => task.check(),
        progress: (fraction) => task.progress((index + (fraction ?? 0)) / fitting.length),
      };
      astray += await readColumns(open, block, block.shape, columns, nodeOfRow, into, part);
      // Node 0 is the whole program.
      for (const [column, values] of byColumn) totals.set(column, (totals.get(column) ?? 0) + values[0]);
      addThread(declared, byColumn, builder.location(threadLocation(block.rank, block.thread)), adder);
    }
  } finally {
    await open?.close();
  }
  appendAll(
    warnings,
    countedWarnings(undefined, [[astray, "values of nodes that the tree does not have are left out"]]),
  );
  return { warnings, threads: fitting.length, totals };
}

function addThread(
  declared: readonly Declared[],
  byColumn: ReadonlyMap<number, Float64Array>,
  place: number,
  adder: NodeValueAdder,
): void {
  for (const one of declared) {
    for (const { column } of one.plan.tool?.columns ?? []) {
      const values = byColumn.get(column);
      if (values) adder.plain(one.tool, place, values);
    }
    for (const { column } of one.plan.columns) {
      const values = byColumn.get(column);
      if (values) adder.additive(one, place, values, false);
    }
  }
}

function columnsOf(declared: readonly Declared[]): number[] {
  return declared.flatMap(({ plan }) => [...plan.columns, ...(plan.tool?.columns ?? [])].map(({ column }) => column));
}

function noneFits(file: string): FormatError {
  return new FormatError({
    file,
    found: "values of other nodes or metrics than experiment.xml has, in all files beside it",
    expected: "value files of the same database",
    advice:
      "Put the files of one hpcprof run into a folder of their own, or move these away to see the sums over threads.",
  });
}
