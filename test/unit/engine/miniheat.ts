import path from "node:path";
import type { DataSetInfo, Engine, GraphQuery, Scope } from "../../../src/engine/api";
import { localEngine } from "../../../src/engine/localEngine";
import { grammarsInPackages } from "../../../src/source/grammar";
import { miniheat } from "../../recordings";

/** The parsers as their packages ship them. */
export const grammars = grammarsInPackages(path.resolve("node_modules"));

/** The sample program's recording in an engine of its own, with its source. */
export async function openMiniheat(
  recording = "profiles/profile-8ranks.cali",
  storage?: string,
  folder = path.join(miniheat, "src"),
): Promise<{ engine: Engine; info: DataSetInfo; scope: Scope }> {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [folder], sourceMap: {}, storage });
  const [info] = await engine.open({ paths: [path.join(miniheat, recording)] });
  return { engine, info, scope: { dataSet: info.id, metric: info.defaultMetric, over: "sum" } };
}

/** The context with this path of names. */
export async function contextOf(engine: Engine, scope: Scope, names: readonly string[]): Promise<number> {
  let parent: number | undefined;
  for (const name of names) {
    const { rows } = await engine.contexts({ scope, parent, limit: 1000 });
    const row = rows.find((child) => child.name === name);
    if (!row) throw new Error(`no context ${names.join("/")}: ${rows.map((child) => child.name).join(", ")}`);
    parent = row.context;
  }
  if (parent === undefined) throw new Error("an empty path");
  return parent;
}

export function everything(scope: Scope, groupBy: GraphQuery["groupBy"], filter = 0): GraphQuery {
  return { scope, groupBy, filter, mostBars: Number.MAX_SAFE_INTEGER, linkEveryEntry: true };
}
