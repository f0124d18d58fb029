import { describe, expect, it } from "vitest";
import { histogram } from "../../../../src/analysis/histogram";
import type { Distribution } from "../../../../src/engine/api";
import { chosenRanks } from "../../../../src/model/members";
import {
  type About,
  chosenFlags,
  chosenMessage,
  histogramMessage,
} from "../../../../src/panels/histogram/histogramMessage";
import { MARK_LIMIT, MESSAGE_LIMIT } from "../../../../src/protocol/bounds";
import { BIN_LIMIT, parseToHistogram } from "../../../../src/protocol/histogram";

const metric = {
  name: "time",
  recordedName: "time",
  unit: "s",
  kind: "time",
  additive: true,
  reducedOverRanks: false,
  total: 1,
} as const;
const about: About = { metric, value: "exclusive", order: "id" };

function distributionOf(values: readonly number[], bins: number): Distribution {
  return {
    by: "rank",
    members: values.map((_, rank) => String(rank)),
    values: Float64Array.from(values),
    ...histogram(Float64Array.from(values), bins),
    order: Int32Array.from(values.keys()),
    hosts: new Int32Array(values.length).fill(-1),
    outside: 0,
  };
}

/** As the window hands it to the page: what travels is a copy. */
const received = (message: unknown) => parseToHistogram(structuredClone(message));

describe("a histogram as a message", () => {
  it("says bins, their members in ranges, and the line", () => {
    const message = histogramMessage(distributionOf([0, 10, 0, 0, 9.5, NaN], 2), about, 3);
    expect(received(message)).toEqual(message);
    expect(message).toMatchObject({ revision: 3, edges: [0, 5, 10], counts: [3, 2], ranges: ["0, 2-3", "1, 4"] });
    expect(message.line).toEqual({
      order: "id",
      keys: ["0", "1", "2", "3", "4", "5"],
      values: [0, 10, 0, 0, 9.5, 0],
      bins: [0, 1, 0, 0, 1, -1],
    });
    expect([message.total, message.mean]).toEqual([19.5, 3.9]);
    expect(message.notes).toEqual(["1 rank left out: the value is not a finite number."]);
  });

  it("says what is chosen, in bins and on the line", () => {
    const shown = { ...distributionOf([0, 10, 0, 0, 9.5], 2), order: Int32Array.of(4, 3, 2, 1, 0) };
    const flags = chosenFlags(shown, chosenRanks([0, 4]));
    const message = chosenMessage(shown, flags, { revision: 3, brush: 8 });
    expect(received(message)).toEqual(message);
    expect(message).toEqual({ type: "chosen", revision: 3, brush: 8, chosen: { bins: [1, 1], line: [0, 4] } });
    expect(chosenMessage(shown, undefined, { revision: 3, brush: 8 })).toEqual({
      type: "chosen",
      revision: 3,
      brush: 8,
    });
  });

  it("keeps its bounds with 200,000 threads, and says what the line leaves out", () => {
    const values = Array.from({ length: 200_000 }, (_, at) => Math.sin(at) * 1e3 + Math.PI);
    const shown: Distribution = {
      ...distributionOf(values, BIN_LIMIT),
      by: "thread",
      members: values.map((_, at) => `${at >> 6}.${at & 63}`),
      hosts: Int32Array.from(values, (_, at) => at >> 6),
      attribute: Float64Array.from(values),
    };
    const message = histogramMessage(shown, { ...about, order: { metric: 0 }, orderMetric: metric }, 1);
    expect(JSON.stringify(message).length).toBeLessThan(MESSAGE_LIMIT);
    expect(message.line.keys.length + message.counts.length).toBeLessThan(MARK_LIMIT);
    expect(message.counts.reduce((sum, count) => sum + count, 0)).toBe(200_000);
    expect(message.notes.join()).toMatch(/The line and its table show 11,\d\d\d of 200,000 threads/);
    expect(received(message)).toEqual(message);
    const all = new Uint8Array(200_000).fill(1);
    const chosen = chosenMessage(shown, all, { revision: 1, brush: 1 });
    expect(JSON.stringify(chosen).length).toBeLessThan(MESSAGE_LIMIT);
    expect(received(chosen)).toEqual(chosen);
  });
});
