import assert from "node:assert/strict";
import { heatflow, openProfile, until } from "./heatflow";

describe("the engine's worker", () => {
  it("that is killed comes back with what was open", async () => {
    const { session, engine } = await heatflow();
    const before = await openProfile();
    const scope = session.scope();
    assert.ok(scope);
    const [hottest] = await session.engine.hotFunctions({ scope, by: "exclusive", limit: 1 });
    await engine.kill();
    await until("nothing is open", () => session.dataSets.length === 0);
    const [after] = await until("the recording is open again", () => session.dataSets.length > 0 && session.dataSets);
    assert.equal(after.id, before.id);
    assert.deepEqual(after.metrics, before.metrics);
    assert.deepEqual(await session.engine.hotFunctions({ scope, by: "exclusive", limit: 1 }), [hottest]);
  });
});
