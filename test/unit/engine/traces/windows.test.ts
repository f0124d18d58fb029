import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Scope } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { CancelledError } from "../../../../src/model/errors";
import { taskOf } from "../../../../src/model/task";
import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";

const file = path.join(miniheat, "profiles/trace/events-0.cali");

describe("a window of time that several questions have", () => {
  it("is read once for all of them, and for those that are left where one is cancelled", async () => {
    const engine = localEngine(grammars);
    const [{ id, metrics }] = await engine.open({ paths: [file] });
    const metric = metrics.findIndex(({ ofEvents }) => ofEvents);
    const scope: Scope = { dataSet: id, metric, over: "sum", window: { from: 0.06, to: 0.08 } };
    const { trace } = await engine.withTrace(id);
    if (!trace) throw new Error("no trace");
    const read = vi.spyOn(trace, "readEvents");
    await engine.contexts({ scope: { ...scope, window: { from: 0.06, to: 0.07 } }, limit: 5 });
    const once = read.mock.calls.length;
    expect(once).toBeGreaterThan(0);
    read.mockClear();
    let isCancelled = false;
    const first = taskOf(
      () => isCancelled,
      () => undefined,
    );
    const cancelled = engine.contexts({ scope, limit: 5 }, first);
    const others = [engine.contexts({ scope, limit: 5 }), engine.hotFunctions({ scope, by: "exclusive", limit: 5 })];
    isCancelled = true;
    await expect(cancelled).rejects.toBeInstanceOf(CancelledError);
    const [contexts, functions] = await Promise.all(others);
    expect(JSON.stringify(contexts)).toContain("main");
    expect(JSON.stringify(functions)).toContain("MPI_Allreduce");
    await engine.contexts({ scope, limit: 5 });
    // The windows begin with the same calls open.
    expect(read.mock.calls.length).toBeLessThanOrEqual(once + 1);
    await engine.dispose();
  });
});
