import { describe, expect, it } from "vitest";
import type { CorrelationAnswer, MetricInfo, Scope, Target } from "../../../../src/engine/api";
import { type AboutAxis, sameValueNotes, scatter } from "../../../../src/panels/correlation/correlationMessage";
import { type GraphWorld, pinOf, subjectOf } from "../../../../src/panels/correlation/correlationSubjects";
import { MESSAGE_LIMIT, parse } from "../../../../src/protocol/bounds";
import { parseToCorrelation } from "../../../../src/protocol/correlation";
import { pin as pinSchema } from "../../../../src/protocol/pin";
import { dataSetInfo, metricInfo } from "../../session/sampleInfo";

const metric: MetricInfo = {
  name: "cycles",
  recordedName: "cycles",
  unit: "1",
  kind: "count",
  additive: true,
  reducedOverRanks: false,
  total: 1,
};
const numbers = { revision: 3, choice: 2 };
const about = {
  points: "context",
  x: { metric, value: "exclusive" },
  y: { metric, value: "inclusive" },
  notes: [],
} as const;

function answerOf(count: number, name: (at: number) => string): CorrelationAnswer {
  const values = Float64Array.from({ length: count }, (_, at) => Math.sqrt(at + 2));
  return {
    fit: { kind: "line", points: count, leftOut: 0, r: 1, slope: 1, intercept: 0 },
    count,
    without: 0,
    same: true,
    x: values,
    y: values,
    names: Array.from(values, (_, at) => name(at)),
    ids: Int32Array.from(values.keys()),
  };
}

describe("a scatter of one value against itself", () => {
  const answer = answerOf(5, String);
  const { x } = about;
  const said = "x and y have the same value at each point, so the line says nothing.";
  const choose = "another value for one of them.";

  it.each<[string, Partial<CorrelationAnswer>, AboutAxis]>([
    ["are not the same", { same: false }, x],
    ["are of another metric", {}, { ...x, metric: { ...metric, name: "samples" } }],
    ["have no line", { fit: { kind: "constant", points: 5, leftOut: 0, constant: "both" } }, x],
  ])("says nothing where values %s", (_, changed, y) => {
    expect(sameValueNotes({ ...answer, ...changed }, { x, y }, 1)).toEqual([]);
  });

  it.each<[string, "exclusive" | "inclusive", number, string]>([
    ["one axis follows the selection", "exclusive", 1, `Select something else, or choose ${choose}`],
    ["both follow it", "exclusive", 2, `Choose ${choose}`],
    ["both follow it with values of two kinds", "inclusive", 2, `Select something else, or choose ${choose}`],
    ["none follows it", "inclusive", 0, `Choose ${choose}`],
  ])("says so, and what to do where %s", (_, value, following, advice) => {
    expect(sameValueNotes(answer, { x, y: { ...x, value } }, following)).toEqual([`${said} ${advice}`]);
  });
});

describe("a scatter as a message", () => {
  it.each([
    ["few names", (at: number) => `f${at % 300}`],
    ["a long name each", (at: number) => `${"template<".repeat(400)}${at}`],
    ["names that JSON makes six times longer", (at: number) => `${"\u0000".repeat(2000)}${at}`],
  ])("holds 20,000 points in a megabyte that the view understands: %s", (_, name) => {
    const answer = answerOf(20_000, name);
    const { message, marks } = scatter(answer, about, numbers);
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(parseToCorrelation(message)).toEqual(message);
    expect(marks).toHaveLength(20_000);
    message.xs.forEach((value, at) => expect(Math.abs(value - answer.x[at])).toBeLessThanOrEqual(1e-5 * answer.x[at]));
    const isCut = message.xs.some((value, at) => value !== answer.x[at]);
    expect(message.notes.some((note) => note.startsWith("Values are given to"))).toBe(isCut);
  });

  it("leaves values and names of few points as they are, and what is not finite out", () => {
    const answer = { ...answerOf(4, (at) => `f${at}`), y: Float64Array.of(1, NaN, 1 / 3, Infinity) };
    const { message, marks } = scatter(answer, about, numbers);
    expect(marks).toEqual([0, 2]);
    expect(message).toMatchObject({ ...numbers, names: ["f0", "f2"], called: [0, 1], ys: [1, 1 / 3] });
    expect(message.x.unit).toBe("cycles");
  });
});

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
    const subject = subjectOf(pin, info, { ...scope, metric: 0 }, then);
    return typeof subject === "string" ? subject : subject.target;
  };
  const query = { scope, filter: 0.5, groupBy: "file" } as const;
  const operations = [{ kind: "hide", target: { group: "MPI", bar: 2 } }] as const;

  it("is the same after a reload", () => {
    for (const target of [
      { kind: "function", function: 9 },
      { kind: "context", context: 19 },
      { kind: "bar", bar: "MPI", query },
      { kind: "bar", bar: "MPI", query: { ...query, operations, lenient: true } },
      { kind: "bar", bar: "lib", query: { ...query, groupBy: "map", map: world.groups } },
      { kind: "bar", bar: "MPI", query: { ...query, compared: other } },
    ] satisfies Target[])
      expect(kept(target)).toEqual(target);
  });

  it("is let go of where it cannot be told what it would be, and that is said", () => {
    expect(kept({ kind: "function", function: 10 })).toBe("it is no function of this recording any more.");
    expect(kept({ kind: "context", context: 20 })).toBe("it is no calling context of this recording any more.");
    const compared = { ...query, compared: other };
    const closed = { ...world, compared: () => "other.cali is not open." };
    expect(kept({ kind: "bar", bar: "MPI", query: compared }, closed)).toBe(
      "it was a bar of a comparison. other.cali is not open.",
    );
    const tooLong = "The graph that it was a bar of was too long to be kept.";
    expect(kept({ kind: "bar", bar: "a/".repeat(3000), query })).toBe(tooLong);
    expect(kept({ kind: "bar", bar: "MPI", query: { ...query, compared: { ...other, dataSet: 3 } } })).toBe(tooLong);
  });
});
