import path from "node:path";
import { describe, expect, it } from "vitest";
import { isOneProgram } from "../../../../src/engine/comparisons/sameProgram";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { localEngine } from "../../../../src/engine/localEngine";
import { quietTask } from "../../../../src/model/task";
import { miniheat } from "../../../recordings";
import { grammars } from "../miniheat";
import { recordingOf } from "../recordings";

const open = (...names: string[]) =>
  new OpenDataSet(1, recordingOf(["main 0", ...names.map((name) => `  ${name} 1`)].join("\n")), 0);

describe("recordings of one program", () => {
  it.each<[string, string[], string[], boolean]>([
    ["the same names", ["solve", "halo", "write"], ["solve", "halo", "write"], true],
    ["half of the fewer names", ["a", "b", "c", "d", "e", "f"], ["a", "b", "c", "x", "y", "z", "u", "v"], true],
    ["less than half", ["a", "b", "c", "d", "e", "f", "g"], ["a", "b", "c", "t", "u", "v", "w"], false],
    ["fewer than three of many", ["a", "b", "x"], ["a", "b", "c", "d"], false],
    ["all of two names", ["a", "b"], ["a", "b", "c"], true],
    ["main alone", ["a", "b", "c"], ["x", "y", "z"], false],
    [
      "functions of the standard library",
      ["std::sort", "std::f", "std::g", "a"],
      ["std::sort", "std::f", "std::g", "b"],
      false,
    ],
    ["MPI calls and nothing else", ["MPI_Send", "MPI_Recv"], ["MPI_Send", "MPI_Recv"], true],
  ])("share %s", (_, one, other, is) => {
    expect(isOneProgram(open(...one), open(...other), quietTask)).toBe(is);
    expect(isOneProgram(open(...other), open(...one), quietTask)).toBe(is);
  });

  it("are the sample program's, however it was recorded, and not those of another one", async () => {
    const engine = localEngine(grammars);
    const opened = async (file: string) => (await engine.open({ paths: [file] }))[0].id;
    const profile = await opened(path.join(miniheat, "profiles/profile-8ranks.cali"));
    const samples = await opened(path.join(miniheat, "profiles/samples-4ranks-callpath.cali"));
    const h100 = await opened(path.resolve("tracker/test/recordings/h100.json.gz"));
    expect(await engine.isSameProgram({ dataSet: profile, other: samples })).toBe(true);
    for (const own of [profile, samples]) {
      expect(await engine.isSameProgram({ dataSet: own, other: h100 })).toBe(false);
      expect(await engine.isSameProgram({ dataSet: h100, other: own })).toBe(false);
    }
  });
});
