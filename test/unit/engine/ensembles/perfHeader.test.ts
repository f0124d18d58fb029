import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-headers-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What perf prints of a run with so many samples, of a program that is always called alike. */
function printed(samples: number): string {
  const header = [
    `captured on    : Sat Nov 28 19:03:${samples} 2026`,
    "header version : 1",
    "data offset    : 264",
    `data size      : ${8000 * samples}`,
    `feat offset    : ${264 + 8000 * samples}`,
    "hostname : login1",
    "nrcpus online : 2",
    "cmdline : /usr/bin/perf record --call-graph dwarf ./solve 24",
    `time of first sample : ${samples}.100000`,
    `time of last sample : ${samples}.900000`,
    `sample duration : ${samples}.125 ms`,
  ];
  const rows = Array.from(
    { length: samples },
    (_, at) => `solve 12/12 7.${String(at).padStart(6, "0")}: 5 cycles: \n\t1000 solve (/a)\n\t2000 main (/a)\n\n`,
  );
  return `${["========", ...header, "========", ""].map((line) => `# ${line}`).join("\n")}\n${rows.join("")}`;
}

it("does not scale runs of one program over what perf's header says of their files", async () => {
  const paths = [10, 20, 40].map((samples) => {
    const file = path.join(folder, `run-${String.fromCharCode(97 + samples / 10)}.perf-script`);
    fs.writeFileSync(file, printed(samples));
    return file;
  });
  const engine = localEngine(grammars);
  const [{ id, defaultMetric: metric }] = await engine.open({ paths, ensemble: {} });
  const { scaling } = await engine.ensembleRuns({ dataSet: id, metric, over: "mean" });
  expect(scaling.parameter).toBeUndefined();
});
