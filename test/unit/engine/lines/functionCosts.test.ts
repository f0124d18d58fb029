import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { costText } from "../../../../src/editor/heat";
import type { Engine } from "../../../../src/engine/api";
import { localEngine } from "../../../../src/engine/localEngine";
import { recordingOf } from "../../../../src/panels/recording/content";
import { scopeOf } from "../../../../src/session/scopeChoice";
import { grammars } from "../miniheat";

// One second in `hot`, whose lines are recorded in one of the two files and not in the other; a browser's own event beside it.
const source = "function hot(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += i;\n  return sum;\n}\n";
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-functions-"));
const script = path.join(folder, "hot.js");
let engine: Engine;

function profile(lines: string): string {
  const node = `{"id":1,"callFrame":{"functionName":"hot","url":"file://${script}","lineNumber":0}}`;
  return `[{"ph":"X","name":"Receive message","pid":1,"tid":3,"ts":0,"dur":5000000},
    {"ph":"P","name":"Profile","id":"0x2","pid":1,"tid":3,"ts":0,"args":{"data":{"startTime":0}}},
    {"ph":"P","name":"ProfileChunk","id":"0x2","pid":1,"tid":3,"ts":1,"args":{"data":{
      "cpuProfile":{"nodes":[${node}],"samples":[1,1,1]},${lines}"timeDeltas":[0,400000,600000]}}}]`;
}

async function opened(name: string, lines: string) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, profile(lines));
  const [info] = await engine.open({ paths: [file] });
  const scope = scopeOf(info, {}, "sum");
  if (!scope) throw new Error("no metric");
  return { info, scope, document: { file: script } };
}

beforeAll(async () => {
  fs.writeFileSync(script, source);
  engine = localEngine(grammars);
  await engine.configure({ folders: [folder], sourceMap: {} });
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

it("a window starts with the CPU profile where only that leads to the source, the command line with time", async () => {
  const { info, scope } = await opened("start.json", "");
  expect(info.metrics[scope.metric].name).toBe("sampled time");
  expect(info.metrics[info.defaultMetric].name).toBe("time");
});

it("costs stand on the sampled lines", async () => {
  const { scope, document } = await opened("lines.json", `"lines":[3,4,3],`);
  const { lines } = await engine.documentCosts({ scope, document });
  expect(lines.map(({ line, exclusive, mostly }) => [line, exclusive, mostly])).toEqual([
    [3, 0.4, undefined],
    [4, 0.6, undefined],
  ]);
  const [hottest] = await engine.hotPlaces({ scope, limit: 1 });
  expect([hottest.link.places[0].line, hottest.isFunction]).toEqual([4, undefined]);
});

it("without lines neither the text, the hover nor the recording's page says that the function's first line costs it", async () => {
  const { info, scope, document } = await opened("functions.json", "");
  const [cost] = (await engine.documentCosts({ scope, document })).lines;
  expect(cost.line).toBe(1);
  expect(costText(cost, "s")).toBe("1.00 s · 100 % in hot, lines not recorded");
  const [details] = await engine.lineDetails({ scope, document, line: 1 });
  expect(details.link.reason).toMatch(
    /^The recording names this line as where the function begins, not as a line that costs;/,
  );
  const hot = await engine.hotPlaces({ scope, limit: 1, everything: true });
  const [row] = recordingOf(info, scope, { hot, functions: [] }).hotLines;
  expect(row.place).toBe("hot.js:1 (function, lines not recorded)");
});
