import path from "node:path";
import type { Warning } from "../../../../model/dataSet";
import type { ByteSource } from "../../../byteSource";
import { startsWith } from "../../../cursor";
import type { ReadContext } from "../../../format";
import { orLeftOut, withFile } from "../../../reading";
import {
  blocksOf,
  isMerged,
  LEAST_HEADER_BYTES,
  type ThreadBlock,
  TRACE_MAGIC,
  VALUES_MAGIC,
  valuesShape,
  type ValuesShape,
} from "./valueFiles";
import { isRankValues } from "../assemble/rankValues";

/** Values of one thread, whose size was checked. */
export interface ValueBlock extends ThreadBlock {
  readonly shape: ValuesShape;
}

/** The files beside an `experiment.xml` that belong to it. */
export interface Companions {
  readonly values: readonly ValueBlock[];
  readonly traces: readonly ThreadBlock[];
  /** A table of values by rank that was made of the value files. */
  readonly ranks: string | undefined;
}

const VALUE_FILE = /\.(?:metric-db|mdb)$/;
const TRACE_FILE = /\.(?:hpctrace|mt)$/;
const RANK_FILE = /^metrics\.json$/;

/** Finds them by name, and believes their content. What is damaged is left out with a warning. */
export async function companionsOf(
  folder: string,
  siblings: ReadonlySet<string>,
  context: ReadContext,
  warnings: Warning[],
): Promise<Companions> {
  const values: ValueBlock[] = [];
  const traces: ThreadBlock[] = [];
  let ranks: string | undefined;
  for (const name of siblings) {
    const file = path.join(folder, name);
    const incomplete = () =>
      warnings.push({ message: "the end mark of the merged file is missing: it may not be complete", file });
    const addValues = async (source: ByteSource) => {
      for (const block of await blocksOf(source, VALUES_MAGIC, incomplete))
        values.push({ ...block, shape: await valuesShape(source, block) });
    };
    const addTraces = async (source: ByteSource) => {
      for (const block of await blocksOf(source, TRACE_MAGIC, incomplete)) traces.push(block);
    };
    const add = VALUE_FILE.test(name) ? addValues : TRACE_FILE.test(name) ? addTraces : undefined;
    if (add !== undefined) await orLeftOut(file, warnings, () => withFile(context, file, add));
    else if (RANK_FILE.test(name) && isRankValues((await context.head(file)).bytes)) ranks = file;
  }
  return { values: inOrder(values), traces: inOrder(traces), ranks: values.length === 0 ? ranks : undefined };
}

/** By rank and thread, so that nothing depends on the names of files. */
function inOrder<Block extends ThreadBlock>(blocks: Block[]): Block[] {
  return blocks.sort((a, b) => a.rank - b.rank || a.thread - b.thread || a.offset - b.offset);
}

/** Whether these are the first bytes of a file of values or of a trace. */
export function isThreadFile(head: Uint8Array): boolean {
  return (
    (head.length >= LEAST_HEADER_BYTES && (startsWith(head, VALUES_MAGIC) || startsWith(head, TRACE_MAGIC))) ||
    isMerged(head, VALUES_MAGIC) ||
    isMerged(head, TRACE_MAGIC)
  );
}
