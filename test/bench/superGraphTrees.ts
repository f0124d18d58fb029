import { type ContextTree, ContextTreeBuilder } from "../../src/model/contextTree";
import { FrameTable } from "../../src/model/frames";
import { NONE } from "../../src/model/ids";
import { StringTable } from "../../src/model/strings";

/** A generated calling context tree with one metric. */
export interface GeneratedTree {
  readonly tree: ContextTree;
  readonly frames: FrameTable;
  readonly exclusive: Float64Array;
  /** File of the definition of each function, by the function's name. */
  readonly fileOf: (name: string) => string;
}

export interface TreeShape {
  readonly contexts: number;
  readonly files: number;
  readonly functions: number;
  readonly depth: number;
  /** `layered`: functions call mostly their own file or a deeper one; `random`: any function calls any other. */
  readonly calls: "layered" | "random";
}

/** The shape that budgets are about: 20 files, 500 functions, depth to 30. */
export const layered = (contexts: number): TreeShape => ({
  contexts,
  files: 20,
  functions: 500,
  depth: 30,
  calls: "layered",
});

/** A tree in which everything calls everything: 200 files, 2,000 functions. */
export const hostile = (contexts: number): TreeShape => ({
  contexts,
  files: 200,
  functions: 2000,
  depth: 30,
  calls: "random",
});

/** Generates a tree of exactly this many contexts; the same one in every run. Weights are heavy-tailed. */
export function generateTree(shape: TreeShape): GeneratedTree {
  const random = xorshift(shape.contexts + shape.files);
  const below = (limit: number) => Math.floor(random() * limit);
  const { files, functions } = shape;
  const fileOfFunction = Int32Array.from({ length: functions }, (_, id) => Math.floor((id * files) / functions));
  const perFile = functions / files;
  const frames = new FrameTable(new StringTable());
  for (let id = 0; id < functions; id++)
    frames.intern({ name: `function${id}`, kind: "function", file: sourceFile(fileOfFunction[id]), line: 1 + id });
  const builder = new ContextTreeBuilder();
  const depth = new Uint8Array(shape.contexts + 1);
  const weights = new Float64Array(shape.contexts);
  builder.child(NONE, 0);
  while (builder.size < shape.contexts) {
    // Half of the contexts go below a recent one, so that paths become deep.
    const known = builder.size;
    const parent = random() < 0.5 ? known - 1 - below(Math.min(known, 40)) : below(known);
    if (depth[parent] >= shape.depth - 1) continue;
    const callee = shape.calls === "random" ? below(functions) : layeredCallee(fileOfFunction[builder.frameOf(parent)]);
    const context = builder.child(parent, callee);
    depth[context] = depth[parent] + 1;
  }
  function layeredCallee(file: number): number {
    const pick = random();
    const target = pick < 0.6 ? file : pick < 0.97 ? file + below(files - file) : below(files);
    return target * perFile + below(perFile);
  }
  // A Pareto distribution with exponent 1.2: few contexts have most of the weight.
  for (let context = 0; context < shape.contexts; context++) weights[context] = (1 - random()) ** (-1 / 1.2) - 1;
  const { tree, finalOf } = builder.build(frames.canonicalRanks());
  const exclusive = new Float64Array(shape.contexts);
  finalOf.forEach((final, provisional) => (exclusive[final] = weights[provisional]));
  return { tree, frames, exclusive, fileOf: (name) => sourceFile(fileOfFunction[Number(name.slice(8))]) };
}

/** Path of a generated program's file. */
export function sourceFile(file: number): string {
  return `src/file${file}.cpp`;
}

export function xorshift(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
