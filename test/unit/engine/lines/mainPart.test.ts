import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";

import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";

const sources = ["halo.cpp", "main.cpp", "physics.cpp", "solver.cpp"].map((name) => path.join(miniheat, "src", name));

it("a line that calls MPI says that its cost is MPI's, and no other line does", async () => {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [path.join(miniheat, "src")], sourceMap: {} });
  const [info] = await engine.open({ paths: [path.join(miniheat, "profiles/profile-8ranks.cali")] });
  const scope = { dataSet: info.id, metric: info.defaultMetric, over: "sum" } as const;
  const named: string[] = [];
  for (const file of sources) {
    const text = fs.readFileSync(file, "utf8").split("\n");
    for (const { line, exclusive, mostly } of (await engine.documentCosts({ scope, document: { file } })).lines) {
      const called = /\bMPI_\w+/.exec(text[line - 1])?.[0];
      expect(mostly?.name, `${path.basename(file)}:${line}`).toBe(called);
      if (!mostly) continue;
      named.push(mostly.name);
      expect([mostly.kind, mostly.others]).toEqual(["call", 0]);
      expect(mostly.exclusive / exclusive).toBeGreaterThan(0.5);
    }
  }
  expect(named).toContain("MPI_Waitall");
});
