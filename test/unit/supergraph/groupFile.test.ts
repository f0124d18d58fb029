import fc from "fast-check";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json";
import schema from "../../../schemas/heatflow-groups.json";
import { RequestError } from "../../../src/model/errors";
import { quietTask } from "../../../src/model/task";
import { readGroupFile } from "../../../src/supergraph/groupFile";
import { groupsByMap } from "../../../src/supergraph/groupMap";
import type { GroupMap } from "../../../src/supergraph/query";
import { graphStructure, measuredGraph } from "../../../src/supergraph/superGraph";
import { isValid } from "./jsonSchema";
import { seeds } from "../randomCases";
import { randomTree, seeded } from "./random";
import { attributesOf, basisOf } from "./treeOf";

const read = (content: unknown) => readGroupFile(JSON.stringify(content));

describe("files of groups", () => {
  it("are our own form: an object of lists, in its order", () => {
    const file = read({ $schema: "./heatflow-groups.json", io: ["write", "read*"], none: [], "a b": ["/^x/i"] });
    expect([file.form, Object.keys(file.groups), file.notTaken]).toEqual(["heatflow", ["io", "none", "a b"], []]);
    expect([file.filter, file.groupBy]).toEqual([undefined, undefined]);
    const names = readGroupFile('\ufeff{"__proto__": ["a"], "constructor": ["b"]}').groups;
    expect([...groupsByMap(names, ["a", "b"])]).toEqual([
      ["a", "__proto__"],
      ["b", "constructor"],
    ]);
  });

  it.each([
    ["of the current release", (map: object, rest: object) => ({ ...rest, module_callsite_map: map })],
    ["as its documentation shows it", (map: object, rest: object) => ({ schema: { ...rest, module_map: map } })],
    ["of releases before 1.2", (map: object, rest: object) => ({ scheme: { ...rest, module_map: map } })],
  ])("are configurations of CallFlow %s", (_, config) => {
    const map = { LAPACK: ["dgemm", "dgesv"], MPI: ["MPI_Send"] };
    const file = read(config(map, { filter_by: "time (inc)", filter_perc: 2.5, group_by: "module" }));
    expect(file).toEqual({ form: "callflow", groups: expect.anything(), filter: 2.5, groupBy: "map", notTaken: [] });
    expect(Object.entries(file.groups)).toEqual(Object.entries(map));
    expect(read(config(map, { group_by: "name" }))).toMatchObject({ groupBy: "function", notTaken: [] });
    expect(read(config(map, {}))).toMatchObject({ groupBy: "map", notTaken: [] });
  });

  it("of CallFlow hold exact names, whatever characters they have", () => {
    const names = ["operator*", "what?", "/usr/bin/x", "a.b(c)", "/a/", "x\ny*", "^a$ [b] {c} | \\ + *"];
    const { groups } = read({ module_callsite_map: { odd: names } });
    const others = ["operator**", "operatorX", "whatX", "whaX", "a", "b", "aXb(c)", "x\ny", "xa"];
    expect([...groupsByMap(groups, [...names, ...others]).keys()].sort()).toEqual([...names].sort());
  });

  it("of CallFlow say what is not taken", () => {
    const file = read({
      save_path: "/tmp",
      experiment: "x",
      module_callsite_map: { A: ["f", "", "^MPI_.*"], B: ["f", "g", "g"] },
      schema: { module_map: { C: ["h"] }, filter_perc: 3 },
      filter_by: "time",
      filter_perc: 10,
      group_by: "colour",
    });
    expect([file.filter, file.groupBy]).toEqual([undefined, "map"]);
    expect(Object.entries(file.groups)).toEqual([
      ["A", ["f", "/^\\^MPI_\\.\\*$/"]],
      ["B", ["g"]],
    ]);
    expect(file.notTaken).toEqual([
      '1 names of "A" are empty or, as patterns, longer than 1000 characters.',
      '^MPI_.* of "A" as a regular expression: it is taken as a name. Expressions are written /…/.',
      'f of "B": in another module before, and that counts.',
      "schema.module_map: module_callsite_map is taken.",
      'group_by "colour": there is "module" and "name".',
      'filter_by "time", and filter_perc with it: functions are filtered by inclusive values.',
      "save_path, experiment: recordings are opened by themselves, and nothing else of these is needed.",
    ]);
    expect(read({ module_map: {}, filter_perc: 200 }).notTaken).toEqual([
      "filter_perc 200: it is no percentage from 0 to 100.",
    ]);
  });

  it.each([
    ["[]", /must be an object/],
    ["null", /must be an object/],
    ["{", /This is no JSON/],
    ['{"": ["a"]}', /A group has no name/],
    ['{"a": ["b", 1]}', /Group "a" has a pattern that is not a text/],
    ['{"a": ["/b/g"]}', /may have the flags/],
    ['{"a": {"b": []}}', /Group "a" needs a list/],
    ['{"module_map": {"a": "b"}}', /Module "a" of module_map needs a list of function names/],
    ['{"scheme": {"module_map": {"": []}}}', /A module of scheme.module_map has no name/],
    ['{"schema": {"filter_perc": 3}}', /CallFlow without a map of modules/],
    ['{"$schema": ["a"]}', /\$schema names a schema and is no group/],
    ['{"b": 1}', /Group "b" needs a list/],
  ])("are refused with what is wrong: %s", (text, message) => {
    expect(() => readGroupFile(text)).toThrow(RequestError);
    expect(() => readGroupFile(text)).toThrow(message);
  });
});

describe("the schema of files of groups", () => {
  const pattern = fc.oneof(
    fc.string(),
    fc.constantFrom("", "MPI_*", "/a/", "/a/i", "/a/gi", "/a/zz", "/a/b/c", "//", "/", "/a\nb/s", "x".repeat(1001)),
  );
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "",
      "$schema",
      "__proto__",
      "module_callsite_map",
      "module_map",
      "schema",
      "scheme",
      "filter_perc",
      "runs",
    ),
  );
  const list = fc.array(fc.oneof({ weight: 5, arbitrary: pattern }, fc.constantFrom(1, null)), { maxLength: 4 });
  const map = fc.dictionary(key, fc.oneof({ weight: 4, arbitrary: list }, fc.string(), fc.integer()), { maxKeys: 4 });
  const content = fc.oneof(
    map,
    fc.dictionary(key, fc.oneof(list, map, fc.dictionary(key, map, { maxKeys: 2 }), fc.integer()), { maxKeys: 4 }),
    fc.constantFrom(null, 1, "x", [], true),
  );

  it("and the reader agree on what is a file of groups, but for expressions that are none", () => {
    let valid = 0;
    fc.assert(
      fc.property(content, (given) => {
        const text = JSON.stringify(given);
        let problem: string | undefined;
        try {
          readGroupFile(text);
        } catch (error) {
          expect(error).toBeInstanceOf(RequestError);
          problem = (error as Error).message;
        }
        const accepted = isValid(schema, JSON.parse(text));
        if (accepted) valid++;
        if (problem === undefined) expect(accepted, text).toBe(true);
        else if (accepted) expect(problem, text).toMatch(/is not a regular expression/);
      }),
      { numRuns: 3_000 },
    );
    expect(valid).toBeGreaterThan(300);
  });

  it("is the one of the setting, and of the files that the manifest names", () => {
    const { additionalProperties, propertyNames } = manifest.contributes.configuration.properties["heatflow.groups"];
    expect(additionalProperties).toEqual(schema.definitions.patterns);
    expect(propertyNames).toEqual(schema.definitions.own.propertyNames);
    const named = { fileMatch: "*.heatflow-groups.json", url: "./schemas/heatflow-groups.json" };
    expect(manifest.contributes.jsonValidation).toContainEqual(named);
  });
});

describe("functions that no group has", () => {
  it("are not known, and never dropped", () => {
    for (const seed of seeds(3000)) {
      const { rows } = randomTree(seed);
      const random = seeded(seed);
      const names = [...new Set(rows.map(({ name }) => name))];
      const mapped = names.filter(() => random() < 0.5);
      const map: GroupMap = Object.fromEntries(mapped.map((name, at) => [`group ${at % 3}`, [name]]));
      const isMapped = new Set(Object.values(map).flat());
      const basis = basisOf(rows);
      const structure = graphStructure(basis, attributesOf(basis, {}), { filter: 0, groupBy: "map", map }, quietTask);
      const { bars, total, hidden } = measuredGraph(structure, { exclusive: basis.exclusive }, quietTask);
      const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
      const deeper = bars.some(({ group }) => group === "deeper");
      const notKnown = sum(bars.filter(({ group }) => group === "not known").map(({ exclusive }) => exclusive));
      const expected = sum(rows.filter(({ name }) => !isMapped.has(name)).map(({ exclusive }) => exclusive));
      if (!deeper) expect(notKnown, `seed ${seed}`).toBe(expected);
      expect([sum(bars.map(({ exclusive }) => exclusive)), hidden]).toEqual([total, 0]);
      expect(sum(bars.map(({ contexts }) => contexts))).toBe(rows.length);
    }
  });
});
