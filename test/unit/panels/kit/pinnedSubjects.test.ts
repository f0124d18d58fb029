import { describe, expect, it } from "vitest";
import type { Scope, Target } from "../../../../src/engine/api";
import { type GraphWorld, pinOf, subjectOf } from "../../../../src/panels/kit/pinnedSubjects";
import { parse } from "../../../../src/protocol/bounds";
import { pin as pinSchema } from "../../../../src/protocol/pin";
import { targetOf } from "../../../../src/session/selectionFinder";
import { dataSetInfo, metricInfo } from "../../session/sampleInfo";

describe("what is pinned", () => {
  const metrics = [metricInfo({ name: "bytes" }), metricInfo()];
  const info = dataSetInfo({ functions: 10, contexts: 20, metrics });
  const scope: Scope = { dataSet: 1, metric: 1, over: "sum" };
  const other: Scope = { dataSet: 2, metric: 0, over: "sum" };
  const world: GraphWorld = {
    groups: { lib: ["lib::*"] },
    filesOf: (dataSet) => (dataSet === 2 ? ["/other.cali"] : undefined),
    compared: (_, files) => (files[0] === "/other.cali" ? other : "It is not open."),
  };
  /** After a reload, when another metric is shown. */
  const kept = (target: Target, then = world) => {
    const pin = pinOf({ target, name: "it" }, info, world);
    expect(parse(pinSchema, JSON.parse(JSON.stringify(pin)))).toEqual(pin);
    if ("id" in pin) return targetOf(pin);
    const subject = subjectOf(pin, info, { ...scope, metric: 0 }, then);
    return typeof subject === "string" ? subject : subject.target;
  };
  const query = { scope, filter: 0.5, groupBy: "file" } as const;
  const first = { filter: 0.15, opened: [[0, "muscle"]], alone: [[1, "main\0\0muscle"]] } as const;
  const operations = [{ kind: "hide", target: { group: "MPI", bar: 2 } }] as const;

  it("is the same after a reload", () => {
    for (const target of [
      { kind: "function", function: 9 },
      { kind: "context", context: 19 },
      { kind: "bar", bar: "MPI", query },
      { kind: "bar", bar: "MPI", query: { ...query, groupBy: "first", first } },
      { kind: "bar", bar: "MPI", query: { ...query, operations, lenient: true } },
      { kind: "bar", bar: "lib", query: { ...query, groupBy: "map", map: world.groups } },
      { kind: "bar", bar: "MPI", query: { ...query, compared: other } },
    ] satisfies Target[])
      expect(kept(target)).toEqual(target);
  });

  it("is dropped with a note where it cannot be built again", () => {
    const compared = { ...query, compared: other };
    const closed = { ...world, compared: () => "other.cali is not open." };
    expect(kept({ kind: "bar", bar: "MPI", query: compared }, closed)).toBe(
      "it was a bar of a comparison. other.cali is not open.",
    );
    const tooLong = "The graph of it was too large to be kept.";
    expect(kept({ kind: "bar", bar: "a/".repeat(3000), query })).toBe(tooLong);
    expect(kept({ kind: "bar", bar: "MPI", query: { ...query, compared: { ...other, dataSet: 3 } } })).toBe(tooLong);
  });
});
