import { functionsOf } from "../../src/model/functions";
import { lastOf } from "../../src/model/steps";
import { quietTask } from "../../src/model/task";
import { choose, FirstAttempts, LADDER } from "../../src/supergraph/first/choice";
import { firstBasis } from "../../src/supergraph/first/firstBasis";
import { graphBasis } from "../../src/supergraph/superGraph";
import { generateTree, hostile, layered, type TreeShape } from "./superGraphTrees";

/** The choice of one first picture, beyond opening. Times in milliseconds of the processor. */
export interface FirstPictureRow {
  readonly name: string;
  readonly contexts: number;
  /** Of the first of all runs, in which code is compiled, too. */
  readonly coldMs: number;
  /** Median of the runs. */
  readonly medianMs: number;
  /** Largest median that is accepted; undefined: reported only. */
  readonly budgetMs?: number;
  readonly attempts: number;
  readonly bars: number;
}

const RUNS = 5;

/**
 * Choices on generated trees, as large as a compiler's and as a small program's with deep stacks. In layered ones every file is opened and all
 * functions are kept, far more work than in a compiler's recording: these are reported.
 */
export function benchFirstPicture(): FirstPictureRow[] {
  return [
    row("layered", layered(77_000)),
    row("hostile", hostile(77_000), 300),
    row("layered", layered(850_000)),
    row("hostile", hostile(850_000), 2000),
  ];
}

function row(name: string, shape: TreeShape, budgetMs?: number): FirstPictureRow {
  const { tree, frames, exclusive, fileOf } = generateTree(shape);
  const functions = functionsOf(tree, frames);
  const basis = graphBasis(tree, frames, functions, exclusive);
  const attributes = {
    file: (id: number) => fileOf(frames.nameOf(functions.frame[id])),
    className: () => undefined,
    module: () => undefined,
  };
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    const chosen = lastOf(choose(new FirstAttempts(firstBasis({ ...basis, attributes }), LADDER, quietTask)));
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1000, chosen };
  });
  const [{ ms: coldMs, chosen }] = runs;
  const sorted = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    name: `${name}, ${shape.files} files, ${shape.functions} functions`,
    contexts: shape.contexts,
    coldMs,
    medianMs: sorted[RUNS >> 1],
    budgetMs,
    attempts: chosen.attempts,
    bars: chosen.picture.costed.bars.size,
  };
}
