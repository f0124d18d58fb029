import { expect, it } from "vitest";
import { callerDifferences } from "../../../../src/engine/comparisons/callerDifferences";
import { EngineState } from "../../../../src/engine/engineState";
import { callerRows } from "../../../../src/engine/trees/trees";
import { seeds } from "../../randomCases";
import { grammars } from "../miniheat";
import { randomRecording } from "../randomRecording";
import type { Cost } from "../recordings";
import { quietTask } from "../../../../src/model/task";

const scopes = [1, 2].map((dataSet) => ({ dataSet, metric: 0, over: "sum" }) as const);

/** The exclusive of the chain's first function along it, by looking at every cost; null where the run has no such chain. */
function naive(costs: readonly Cost[], chain: readonly string[]): number | null {
  const along = (path: readonly string[]) => chain.every((name, at) => path.at(-1 - at) === name);
  const contexts = costs.flatMap(([path]) => (path as string[]).map((_, at) => (path as string[]).slice(0, at + 1)));
  if (!contexts.some(along)) return null;
  return costs.reduce((sum, [path, , value]) => (along(path as string[]) ? sum + value : sum), 0);
}

it("chains of callers have what both runs spent along them, seen from either run", () => {
  for (const seed of seeds(60)) {
    const runs = [randomRecording(seed, [0, 1]), randomRecording(seed + 7, [0, 1])];
    const state = new EngineState(grammars);
    state.get = (dataSet) => ({ open: runs[dataSet - 1].open }) as ReturnType<EngineState["get"]>;
    const pair = { baseline: scopes[0], candidate: scopes[1] };
    runs.forEach(({ open }, own) => {
      const chains = [...callerRows(open, scopes[own], [], 100).rows];
      for (let row = chains.pop(); row; row = chains.pop()) {
        const { rows } = callerRows(open, scopes[own], row.path, 100);
        const callers = rows.map(({ path }) => path[path.length - 1]);
        const compared = callerDifferences(state, { ...pair, of: scopes[own], path: row.path, callers }, quietTask);
        rows.forEach(({ path }, at) => {
          const names = path.map((id) => open.functionName(id));
          const [baseline, candidate] = runs.map(({ costs }) => naive(costs, names));
          expect(compared[at], `${seed} ${names.join(" < ")}`).toEqual({ baseline, candidate });
        });
        if (row.path.length < 3) chains.push(...rows);
      }
    });
  }
});
