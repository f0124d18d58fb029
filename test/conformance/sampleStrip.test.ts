import path from "node:path";
import { expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { quietTask } from "../../src/model/task";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();

it.skipIf(shared === undefined)("samples have a strip: a column is filled if one of them is in it", async () => {
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [path.join(shared ?? "", "first/cases/muscle-dwarf.perf.txt.gz")] });
  const columns = 100;
  const { kind, rows } = await engine.timelineStrip({ dataSet: info.id, columns, rows: 10 });
  const { trace } = await engine.withTrace(info.id, quietTask);
  if (!trace) expect.unreachable("a recording of samples with times has a trace");
  expect(rows).toBe(trace.lanes.length);
  for (const [lane, { events }] of trace.lanes.entries()) {
    const { startSeconds } = await trace.readEvents(lane, 0, events);
    const width = (trace.endSeconds - trace.startSeconds) / columns;
    const filled = new Set(
      Array.from(startSeconds, (start) => Math.min(columns - 1, Math.floor((start - trace.startSeconds) / width))),
    );
    const found = kind.subarray(lane * columns, (lane + 1) * columns);
    expect([...found].map((one) => one > 0)).toEqual(Array.from({ length: columns }, (_, at) => filled.has(at)));
    expect(filled.size).toBeGreaterThan(50);
  }
});
