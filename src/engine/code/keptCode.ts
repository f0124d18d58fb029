/** The code of a recording as a tree with sums: kept, since each cut asks for it again, and linking many functions takes seconds. */
import { keepNewest } from "../../model/maps";
import type { Task } from "../../model/task";
import { type OpenDataSet, scopeKey } from "../dataSets/openDataSet";
import type { Graphs } from "../graphs/graphs";
import type { Scope } from "../scope";
import { codeTree, type CodeTree } from "./codeTree";

export interface CodeSums {
  readonly tree: CodeTree;
  /** Functions whose value is below 0: they have no area. */
  readonly negative: number;
}

/** What is shown, and what was before. */
const KEPT_TREES = 2;

export class KeptCode {
  private trees = new Map<string, CodeSums>();

  constructor(
    private readonly open: OpenDataSet,
    private readonly graphs: Graphs,
  ) {}

  /** Links may differ: functions may be in other files. What is being computed by those before is not kept either. */
  forget(): void {
    this.trees = new Map();
  }

  /** Exclusive of functions in their files and folders. @throws RequestError where nothing adds up */
  async of(scope: Scope, task: Task): Promise<CodeSums> {
    const { trees } = this;
    const key = scopeKey(scope);
    const sums = trees.get(key) ?? (await this.sumsOf(scope, task));
    keepNewest(trees, key, sums, KEPT_TREES);
    return sums;
  }

  private async sumsOf(scope: Scope, task: Task): Promise<CodeSums> {
    const { functionExclusive } = this.open.numbers(scope);
    const { fileOf, moduleOf } = await this.graphs.sourceOfFunctions(scope, task);
    let negative = 0;
    const functions = Array.from(functionExclusive, (value, id) => ({ value, id })).filter(({ value }) => {
      if (value < 0) negative++;
      return value > 0;
    });
    const tree = codeTree(
      functions.map(({ value, id }) => ({
        ...{ function: id, name: this.open.functionName(id), value },
        ...{ file: fileOf(id), module: moduleOf(id) },
      })),
    );
    return { tree, negative };
  }
}
