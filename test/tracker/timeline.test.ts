/** Marks of the timeline of a program that the tracker has recorded, against a scan of all its events at random places. */
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { PROBES, probe } from "../timelineProbes";
import { grammars } from "../unit/engine/miniheat";
import { casesOf, seed } from "../unit/randomCases";
import { build, run, temporaryFolder } from "./build";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("the timeline of the tracker's recordings at random places", () => {
  it("has what a scan of all events finds there", async () => {
    const program = build(folder, ["test/nested.cpp"]);
    const { status, complained, output } = run(folder, program, [String(seed % 1_000_000), "8", "500"]);
    expect([status, complained]).toEqual([0, ""]);
    const engine = localEngine(grammars);
    const [{ id }] = await engine.open({ paths: [output] });
    const count = casesOf(PROBES);
    expect(await probe(engine, id, count, seed)).toBeGreaterThan(count / 4);
    await engine.dispose();
  }, 600_000);
});
