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
    private readonly folders: () => readonly string[] = () => [],
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
    const folders = this.folders();
    let negative = 0;
    const functions = Array.from(functionExclusive, (value, id) => ({ value, id })).filter(({ value }) => {
      if (value < 0) negative++;
      return value > 0;
    });
    const tree = codeTree(
      functions.map(({ value, id }) => ({
        function: id,
        name: this.open.functionName(id),
        value,
        file: pathIn(folders, fileOf(id)),
        module: moduleOf(id),
      })),
    );
    return { tree, negative };
  }
}

/** A file's path from the folder of source that it is in; with the folder's name if there are several. */
function pathIn(folders: readonly string[], file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const isIn = (folder: string) => /^[\\/]/.test(file.slice(folder.length)) && file.startsWith(folder);
  const inner = folders.filter(isIn).sort((a, b) => b.length - a.length);
  if (inner.length === 0) return file;
  const [folder] = inner;
  const path = file.slice(folder.length + 1);
  return folders.length === 1 ? path : `${/[^\\/]*$/.exec(folder)?.[0] ?? ""}/${path}`;
}
