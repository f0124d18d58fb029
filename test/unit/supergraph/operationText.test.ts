import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestError } from "../../../src/model/errors";
import { operationText, parseOperation } from "../../../src/supergraph/operationText";
import { type GraphOperation, groupings, type GroupRef } from "../../../src/supergraph/query";

const word = fc.constantFrom(
  '"',
  "\\",
  '\\"',
  "#",
  "#2",
  "{",
  "}",
  "{a,b}",
  ",",
  "\n",
  "\r\n",
  "\t",
  " ",
  "",
  "__proto__",
  "constructor",
  "in",
  "by",
  "by function",
  "group",
  "from",
  "MPI",
  "vector<double>",
  "größe",
  "f\u0301",
  "\u{1f525}",
  "\ud800",
  "\u2028",
  "\u00a0",
  "\ufeff",
  "\0",
  "operator()",
  "a/b.c",
  "~A",
  "lib5-{f7,f8}",
  "'",
  "`",
  "$(x)",
  "%",
);
/** Names as recordings have them, and worse. */
const name = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.array(word, { maxLength: 5 }).map((words) => words.join("")),
);
const target: fc.Arbitrary<GroupRef> = fc.oneof(
  fc.record({ group: name }),
  fc.record({ group: name, bar: fc.integer({ min: 1, max: 999_999_999 }) }),
);
const operation: fc.Arbitrary<GraphOperation> = fc.oneof(
  fc.record({
    kind: fc.constant("filter" as const),
    // JSON and the text have no negative zero.
    percent: fc.double({ min: 0, max: 100, noNaN: true }).map((percent) => percent + 0),
  }),
  fc.record({ kind: fc.constant("group-by" as const), groupBy: fc.constantFrom(...groupings) }),
  fc.record({
    kind: fc.constant("split-by-entry" as const),
    target,
    sets: fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant("split-by-caller" as const),
    target,
    by: fc.constantFrom("group" as const, "function" as const),
  }),
  fc.record({ kind: fc.constant("reveal" as const), function: name }),
  fc.record({ kind: fc.constant("reveal" as const), function: name, target }),
  fc.record({ kind: fc.constantFrom("expand" as const, "collapse" as const, "hide" as const), target }),
);

describe("operations as text", () => {
  it("are read as they were written, whatever the names", () => {
    fc.assert(
      fc.property(operation, (given) => {
        expect(parseOperation(operationText(given))).toEqual(given);
      }),
      { numRuns: 5_000 },
    );
  });

  it("are read with any space between their words, as people write it", () => {
    const space = fc.constantFrom(" ", "  ", "\t", "\n ");
    fc.assert(
      fc.property(target, name, space, space, (where, called, before, between) => {
        const [group, set] = [operationText({ kind: "hide", target: where }).slice(5), quoted(called)];
        const text = `${before}split-by-entry${between}${group}${between}{${before}${set}${between},${set}${before}}${between}`;
        expect(parseOperation(text)).toEqual({ kind: "split-by-entry", target: where, sets: [[called, called]] });
      }),
    );
  });

  it("are refused with a message or read, whatever the text", () => {
    const kinds = ["filter", "group-by", "split-by-entry", "split-by-caller", "reveal", "expand", "collapse", "hide"];
    const text = fc.tuple(fc.constantFrom(...kinds, ""), fc.array(fc.oneof(word, fc.string()), { maxLength: 6 }));
    fc.assert(
      fc.property(text, ([kind, words]) => {
        const given = [kind, ...words].join(" ");
        try {
          // What is read has one meaning: written again it is the same operation.
          const read = parseOperation(given);
          expect(parseOperation(operationText(read))).toEqual(read);
        } catch (error) {
          expect(error).toBeInstanceOf(RequestError);
          expect((error as Error).message).toContain(given);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it("are read whole where a name is as long as a text may be", () => {
    for (const letter of ["x", "<", "\\", '"']) {
      const given: GraphOperation = { kind: "reveal", function: letter.repeat(49_000) };
      expect(parseOperation(operationText(given))).toEqual(given);
    }
    expect(() => parseOperation(`hide ${"x".repeat(100_000)}`)).toThrow(/100005 characters is not read/);
  });

  it.each([
    ["hide lib5-{f7,f8}", "'{f7,f8}' cannot be read after a group"],
    ["hide f#0", "'#0' cannot be read after a group"],
    ["hide", "a group is missing"],
    ["hide MPI lib1", "'lib1' does not belong there"],
    ['reveal "f', "a function was expected at '\"f'"],
    ["reveal f in", "a group is missing"],
    ["reveal f on MPI", "'on MPI' does not belong there"],
    ["split-by-entry lib5", "'{' is missing at ''"],
    ["split-by-entry lib5 {}", "an entry function was expected at '}'"],
    ["split-by-entry lib5 {f7", "'}' is missing at ''"],
    ["split-by-entry lib5 {f7,}", "an entry function was expected at '}'"],
    ["split-by-caller MPI by rank", "callers are distinguished by group or function, not 'rank'"],
    ["filter 0.5.1", "'0.5.1' is no percentage from 0 to 100"],
    ["filter -1", "'-1' is no percentage from 0 to 100"],
    ["filter 101", "'101' is no percentage from 0 to 100"],
    ["group-by colour", "'colour' is none of module, file, folder, class, function, map, none"],
    ["explode", "there is no operation 'explode'. Operations are: filter PERCENT; "],
    ["", "an operation is missing"],
  ])("say what is wrong with %j", (text, message) => {
    expect(() => parseOperation(text)).toThrow(RequestError);
    expect(() => parseOperation(text)).toThrow(message);
  });
});

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
