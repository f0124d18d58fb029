import { describe, expect, it } from "vitest";
import { csvLines, functionTable, runsCsv } from "../../../../src/engine/ensembles/runsCsv";
import { allFunctions, allRuns } from "../../../../src/engine/ensembles/allOfRuns";
import { CancelledError } from "../../../../src/model/errors";
import { quietTask } from "../../../../src/model/task";
import { recordingOf } from "../recordings";
import { ensembleOf } from "./openRuns";

const text = ["main 1", ...Array.from({ length: 400 }, (_, at) => `  ${"f".repeat(200)}${at} ${at}`)].join("\n");
const open = ensembleOf(["one", "two"].map((name) => ({ name, dataSet: recordingOf(text) })));
const query = { scope: { dataSet: 1, metric: 0, over: "mean" }, rows: "functions", value: "exclusive" } as const;

describe("a table of runs in memory", () => {
  it("is its lines as UTF-8, and says how many there are", () => {
    const { bytes, rows, runs } = runsCsv(open, query, quietTask);
    const table = functionTable(allFunctions(open, query.scope, quietTask), "exclusive");
    const lines = [...csvLines(table, open.open.dataSet, allRuns(open, query.scope, quietTask), query)];
    expect(new TextDecoder().decode(bytes)).toBe(lines.join(""));
    expect([rows, runs, lines.length]).toEqual([401, 2, 402]);
  });

  it("is refused where it has no room, with what to do", () => {
    expect(() => runsCsv(open, query, quietTask, 1 << 16)).toThrow(
      'On the command line "heatflow ensemble --csv" writes',
    );
  });

  it("can be stopped", () => {
    let checks = 0;
    const check = () => {
      if (++checks > 1) throw new CancelledError();
    };
    expect(() => runsCsv(open, query, { ...quietTask, check })).toThrow(CancelledError);
  });
});
