import { describe, expect, it } from "vitest";
import { paje } from "../../../../src/formats/paje/format";
import { NONE } from "../../../../src/model/ids";
import { formatLaws, readFixture } from "../formatLaws";
import { emptyRows, factRows, type FactRows } from "./factRows";
import { naiveRows } from "./naivePaje";
import { definitions, headOf, largeTrace, smallTrace } from "./writer";

const read = async (text: string) => (await readFixture(paje, { "a.trace": text }))[0];
const facts = async (body: string, head = headOf()) => factRows({ text: `${head}${body}` });
const messages = ({ warnings }: { warnings: readonly { message: string }[] }) => warnings.map(({ message }) => message);

/** A machine `m` with the types `S`, `E`, `V`, `L`. */
const machine = `0 M 0 Machine
2 S M State
3 E M Event
1 V M Variable "0 0 0"
4 L 0 M M Link
6 0 m M 0 machine
`;

function sorted(rows: FactRows) {
  return Object.fromEntries(
    Object.keys(emptyRows()).map((kind) => [
      kind,
      rows[kind as keyof FactRows].map((row) => JSON.stringify(row)).sort(),
    ]),
  );
}

describe("a Paje trace", () => {
  it("says what a plain reading of its lines says", async () => {
    const large = [...largeTrace(60_000, 7)].join("");
    for (const text of [smallTrace(), large]) {
      const rows = await factRows({ text });
      const theirs = naiveRows(text);
      expect(sorted(rows)).toEqual(sorted(theirs));
      expect(rows.states.length).toBeGreaterThan(2);
      expect(rows.warnings).toEqual([]);
    }
  });

  it("opens as lanes, counters, messages and a forest of resources", async () => {
    const { trace, topology, locations, frames, ...dataSet } = await read(smallTrace());
    if (!trace || !topology) throw new Error("no trace");
    expect(topology.resources).toEqual([
      { name: "host 1", type: "Machine", parent: NONE, location: NONE, startSeconds: 0, endSeconds: 2.125 },
      { name: "rank-0", type: "MPI", parent: 0, location: 0, startSeconds: 0, endSeconds: 2 },
      { name: "rank-1", type: "MPI", parent: 0, location: 1, startSeconds: 0, endSeconds: 2 },
    ]);
    expect(topology.links).toEqual([{ from: 1, to: 2, type: "wire", name: "G" }]);
    expect(locations.map(({ rank }) => rank)).toEqual([0, 1]);
    expect(trace.lanes.map(({ name, kind, location, events }) => [name, kind, location, events])).toEqual([
      ["host 1 / rank-0: MPI_STATE", "intervals", 0, 2],
      ["host 1 / rank-1: MPI_STATE", "intervals", 1, 1],
      ["host 1 / rank-1: mark", "instants", 1, 1],
    ]);
    const lane = await trace.readEvents(0, 0, 10);
    expect([...lane.startSeconds]).toEqual([0.25, 0.5]);
    expect([...lane.endSeconds]).toEqual([1.5, 1]);
    expect([...lane.depth]).toEqual([0, 1]);
    expect([...lane.frame].map((frame) => frames.get(frame as never))).toEqual([
      { name: "computing", kind: "region" },
      { name: "PMPI_Send", kind: "region", origin: "mpi" },
    ]);
    expect([...lane.category].map((category) => trace.categories[category])).toEqual([
      { name: "MPI_STATE", kind: "other" },
      { name: "MPI_STATE", kind: "communication" },
    ]);
    const sent = await trace.readMessages(0, 10);
    expect([sent.count, sent.from[0], sent.to[0], sent.bytes[0]]).toEqual([1, 1, 2, 4096]);
    expect([sent.sentSeconds[0], sent.receivedSeconds[0]]).toEqual([0.5, 0.875]);
    expect(trace.counters).toEqual([{ name: "power", unit: "", resource: 0, points: 3, minimum: 0, maximum: 13 }]);
    const points = await trace.readCounter(0, 0, 10);
    expect([...points.seconds]).toEqual([0, 1, 1.5]);
    expect([...points.value]).toEqual([10.5, 13, 0]);
    expect(dataSet.notRecorded).toEqual([
      "no calling contexts in this recording",
      "no places in the source in this recording",
    ]);
    expect(dataSet.warnings).toEqual([]);
    expect(dataSet.tree.size).toBe(0);
    expect([...dataSet.globals]).toEqual([["comment", ["made for a test"]]]);
  });

  it("has lines of the source where events carry them, whatever the fields are called", async () => {
    const head = headOf({
      PajePushState: { id: 12, fields: [...definitions.PajePushState.fields, "Size:int", "Fname", "Lnumber:int"] },
      PajeNewEvent: { id: 17, fields: ["File", "Line:int", ...definitions.PajeNewEvent.fields] },
    });
    const text = `${head}${machine}12 0 S m a 8 "src/my file.c" 42
12 1 S m a 8 cg.c 7
17 cg.c 7 1 E m a
17 "" 0 1 E m b
13 2 S m
13 3 S m
7 3 M m
`;
    const { trace, frames, notRecorded } = await read(text);
    if (!trace) throw new Error("no trace");
    const framesOf = async (lane: number) =>
      [...(await trace.readEvents(lane, 0, 9)).frame].map((frame) => frames.get(frame as never));
    expect(await framesOf(0)).toEqual([
      { name: "a", kind: "region", file: "cg.c", line: 7 },
      { name: "b", kind: "region" },
    ]);
    expect(await framesOf(1)).toEqual([
      { name: "a", kind: "region", file: "src/my file.c", line: 42 },
      { name: "a", kind: "region", file: "cg.c", line: 7 },
    ]);
    expect(notRecorded).toEqual(["no calling contexts in this recording"]);
  });

  it("says what its states look like, by type and name, where they have colours that are ones", async () => {
    expect((await read(smallTrace())).stateColors).toEqual(
      new Map([
        [
          "MPI_STATE",
          new Map([
            ["computing", 0x00ff00],
            ["PMPI_Send", 0x0000ff],
          ]),
        ],
      ]),
    );
    const bad = [
      "red",
      "1 1",
      "1 1 1 1",
      "256 0 0",
      "-1 0 0",
      "0 0 1e400",
      "",
      "url(#a) 0 0",
      "NaN 0 0",
      "9".repeat(200),
    ];
    const values = bad.map((color, at) => `5 v${at} S value${at} "${color}"\n`).join("");
    const { stateColors, warnings } = await read(
      `${headOf()}${machine}${values}5 w S fine "1.0 .5 1e-1"\n5 x S fine "0 0 0"\n5 z S bytes "225.0 0 1"\n5 y E mark "1 0 0"\n11 1 S m w\n`,
    );
    expect(stateColors).toEqual(
      new Map([
        [
          "State",
          new Map([
            ["fine", 0xff801a],
            ["bytes", 0xe10001],
          ]),
        ],
      ]),
    );
    expect(warnings.map(({ message }) => message).filter((message) => /field|color/i.test(message))).toEqual([]);
    expect((await read(`${headOf()}${machine}5 w S plain "none"\n11 1 S m w\n`)).stateColors).toBeUndefined();
  });

  it("keeps what is added to a variable and taken off again exact", async () => {
    const { variables } = await facts(`${machine}8 0 V m 0
9 1 V m 6660435.714286
9 2 V m 333021.785714
10 3 V m 6660435.714286
10 4 V m 333021.785714
7 5 M m
`);
    expect(variables.map(({ value }) => value)).toEqual([0, 6660435.714286, 6993457.5, 333021.785714, 0]);
  });

  it("is read with old names of fields, tabs, Windows line ends and comments", async () => {
    const text = `# a comment\r\n\r\n  %\tEventDef\tPajeDefineContainerType\t1\r
%\tAlias\tstring\r\n%\tContainerType\tstring\r\n%\tName\tstring\r\n%EndEventDef\r
%EventDef PajeDefineLinkType 2\r\n% Alias string\r\n% ContainerType string\r\n% SourceContainerType string\r
%DestContainerType string\r\n%  Name string\r\n%EndEventDef\r
%EventDef PajeCreateContainer 1000000\r\n% Time date\r\n% Type string\r\n% Container string\r\n% Name string\r\n% EndEventDef\r
%EventDef PajeStartLink 7\r\n% Time date\r\n% EntityType string\r\n% Container string\r\n% Value string\r\n% SourceContainer string\r\n% Key string\r\n%EndEventDef\r
%EventDef PajeEndLink 8\r\n% Time date\r\n% EntityType string\r\n% Container string\r\n% Value string\r\n% DestContainer string\r\n% Key string\r\n%EndEventDef\r
1\tT\t0\t"a type"  # what follows is a comment\r
2 L 0 T T "a link"\r
1000000  1.0e-3   T   0   "a machine"\r\n\t1000000 .001 T 0 other\t \r
  8 3 L 0 v other k\r\n7 2 L 0 v "a machine" k\r\n`;
    const rows = await factRows({ text });
    expect(rows.warnings).toEqual([]);
    expect(rows.containers.slice(1)).toEqual([
      { parent: "0", type: "a type", start: 0.001, end: 3, name: "a machine" },
      { parent: "0", type: "a type", start: 0.001, end: 3, name: "other" },
    ]);
    expect(rows.links).toMatchObject([
      { type: "a link", start: 2, end: 3, value: "v", from: "a machine", to: "other", key: "k" },
    ]);
    expect(paje.recognizes({ bytes: Buffer.from(text), whole: true })).toBe(true);
  });

  it("resolves aliases before names, in name spaces of types, containers and the values of each type", async () => {
    const { states, containers } = await facts(`0 1 0 P
2 2 1 S
2 3 1 R
5 1 2 one "0 0 0"
5 one 2 two "0 0 0"
5 1 3 three "0 0 0"
6 0 1 1 0 "2"
6 0 2 1 0 "1"
12 1 2 1 1
12 2 2 1 one
12 3 2 1 never
12 1 3 2 1
7 9 1 1
7 9 1 2
`);
    expect(containers.map(({ name }) => name)).toEqual(["2", "1", "0"]);
    expect(states.map(({ at, type, value }) => [at, type, value])).toEqual([
      ["2", "S", "never"],
      ["2", "S", "two"],
      ["2", "S", "one"],
      ["1", "R", "three"],
    ]);
  });

  it("reads numbers as C writes them, and hexadecimal ones where they are declared", async () => {
    const head = headOf({ PajeSetVariable: { id: 8, fields: ["Time:date", "Type", "Container", "Value:hex"] } });
    const { variables } = await facts(
      `${machine}8 0 V m ff\n8 1 V m 0xFF\n9 2e0 V m 0x10\n9 +3. V m -.5e1\n9 4 V m 12345678901234567890\n7 5 M m\n`,
      head,
    );
    expect(variables.map(({ start, value }) => [start, value])).toEqual([
      [0, 255],
      [1, 255],
      [2, 271],
      [3, 266],
      [4, 12345678901234567890 + 266],
    ]);
  });

  it("ends with a container all that is in it", async () => {
    const { containers, states } = await facts(`${machine}0 C M Core
2 CS C CoreState
6 0 c C m core
12 1 CS c busy
12 2 CS c deeper
7 3 M m
`);
    expect(containers.slice(0, 2)).toMatchObject([
      { name: "machine", end: 3 },
      { name: "core", end: 3 },
    ]);
    expect(states.map(({ value, end, level }) => [value, end, level])).toEqual([
      ["deeper", 3, 1],
      ["busy", 3, 0],
    ]);
  });
});

describe("what strict tools stop at is read all the same, and reported", () => {
  it.each<[string, string, RegExp]>([
    ["an unknown event", "99 1 2 3", /left out: event 99, which is not defined/],
    ["a line that is no event", "hello world", /left out: a line that starts with "hello world"/],
    ["too few fields", "12 1 S m", /left out: 3 fields where its event is defined with 4/],
    ["too many fields", "12 1 S m a b", /more fields than its event is defined with/],
    ["a quote that is not closed", '12 1 S m "a', /a quote that is not closed/],
    ["an unknown container", "12 1 S nobody a", /left out: the container "nobody", which does not exist/],
    ["an unknown type", "12 1 nothing m a", /left out: the type "nothing", which is not defined/],
    ["a type of another kind", "12 1 V m a", /left out: PajePushState of "V", which is a type of kind variable/],
    ["a time that is no number", "12 soon S m a", /left out: a line whose time is no number/],
    ["a time that is none", "12 nan S m a", /left out: a line whose time is no number/],
    ["a value that is no number", "8 1 V m much", /left out: a value that is no number/],
    ["an addition to nothing", "9 1 V m 1", /counts from 0/],
    ["an end without a state", "13 1 S m", /left out: the end of a state where none has begun/],
    ["a container that ends twice", "7 1 M m\n7 1 M m", /left out: the end of "m", which has ended before/],
    ["the end of everything", "7 1 0 0", /left out: the end of "0"/],
    ["a container that comes twice", "6 1 m M 0 again", /a second container "again"/],
    [
      "a container in none",
      "6 1 x M nowhere x",
      /a container in "nowhere", which does not exist: it is put at the top/,
    ],
    ["a container of no type", "6 1 x nothing 0 x", /left out: a container of the type "nothing"/],
    ["a type that comes twice", "2 S M Again", /a second type "Again"/],
    ["a type in none", "2 X nowhere X", /a type in "nowhere"/],
    ["a value of no type", '5 a nothing a "0 0 0"', /left out: a value of the type "nothing"/],
    ["a type of other containers", "0 X 0 X\n6 1 x X 0 x\n12 1 S x a", /the type "S" in "x", which is of another type/],
    ["an event after the end", "6 1 x M 0 x\n7 1 M x\n12 2 S x a", /an event of "x" after its end/],
    ["a field outside", "% Name string", /left out: a field that belongs to no definition/],
    ["an end outside", "%EndEventDef", /the end of a definition where none has begun/],
    [
      "an event that Paje has not",
      "%EventDef PajeDance 77\n%EndEventDef\n77 1",
      /the event PajeDance, which the format does not have/,
    ],
    [
      "an event without a field",
      "%EventDef PajePopState 77\n% Time date\n%EndEventDef\n77 1",
      /PajePopState without Type and Container/,
    ],
    [
      "a definition without an end",
      "%EventDef PajePopState 77\n% Time date\n12 1 S m a",
      /inside the definition of PajePopState/,
    ],
    ["a definition without a number", "%EventDef PajePopState x\n%EndEventDef", /without a number/],
    ["links that disagree", "15 1 L 0 a m k\n16 2 L 0 b m k", /different values: that of its start is taken/],
    ["a key in use", "15 1 L 0 a m k\n15 2 L 0 a m k", /a second link "k" before the first one is complete/],
  ])("%s", async (_, lines, message) => {
    const { warnings } = await facts(`${machine}17 0.5 E m before\n${lines}\n17 9 E m after\n`);
    expect(warnings.map((warning) => warning.message).filter((one) => message.test(one))).toHaveLength(1);
    const { events } = await facts(`${machine}17 0.5 E m before\n${lines}\n17 9 E m after\n`);
    expect(events.map(({ value }) => value)).toEqual(["before", "after"]);
  });

  it("reports lines of one kind of problem three times, with their lines, and counts the others", async () => {
    const { warnings } = await facts(`${machine}${"99 1\n".repeat(1000)}`);
    const first = headOf().split("\n").length + machine.split("\n").length - 1;
    expect(warnings.map(({ at }) => at)).toEqual([
      { line: first },
      { line: first + 1 },
      { line: first + 2 },
      undefined,
    ]);
    expect(warnings[3].message).toBe("997 further lines: lines of an event that is not defined");
  });

  it("a value set for an earlier time stands there; states go on from where they were", async () => {
    const rows = await facts(`${machine}8 1 V m 5
8 3 V m 6
8 2 V m 7
12 4 S m a
13 3 S m
17 5 E m x
17 4 E m y
7 9 M m
`);
    expect(rows.variables.map(({ start, value }) => [start, value]).sort()).toEqual([
      [1, 5],
      [2, 7],
      [3, 6],
    ]);
    expect(rows.states).toMatchObject([{ start: 4, end: 4 }]);
    expect(rows.events.map(({ time }) => time)).toEqual([5, 4]);
    expect(messages(rows).filter((message) => /^the time \d, after \d/.test(message))).toHaveLength(3);
  });

  it("links of one side only are messages of one side only", async () => {
    const { trace, warnings } = await read(`${headOf()}${machine}15 1 L 0 a m k1\n16 2 L 0 a m k2\n7 9 M m\n`);
    const rows = await trace?.readMessages(0, 9);
    expect(rows && [...rows.from]).toEqual([0, NONE]);
    expect(rows && [...rows.to]).toEqual([NONE, 0]);
    expect(rows && [...rows.sentSeconds]).toEqual([1, NaN]);
    expect(messages({ warnings })).toEqual([expect.stringMatching(/^2 links have one side only/)]);
  });

  it("links of one key are matched in their order", async () => {
    const { links } = await facts(
      `${machine}15 1 L 0 a m k\n15 2 L 0 b m k\n15 3 L 0 c m k\n16 4 L 0 a m k\n16 5 L 0 b m k\n16 6 L 0 c m k\n15 7 L 0 d m k\n16 8 L 0 d m k\n`,
    );
    expect(links.map(({ value, start, end }) => [value, start, end])).toEqual([
      ["a", 1, 4],
      ["b", 2, 5],
      ["c", 3, 6],
      ["d", 7, 8],
    ]);
  });

  it("says how many containers have no end, and which fields are not shown", async () => {
    const head = headOf({
      PajeSetState: { id: 11, fields: [...definitions.PajeSetState.fields, "Footprint", "JobId"] },
    });
    const { warnings } = await read(`${head}${machine}11 1 S m a f1 j1\n`);
    expect(messages({ warnings })).toEqual([
      "1 of 1 containers have no end in the trace: they are taken to end with it, at 1 s; the trace may have been cut short",
      "further fields of PajeSetState are not shown: Footprint, JobId",
    ]);
  });

  it("cut in the middle of a line, says at which byte it ends, and is marked", async () => {
    const text = `${headOf()}${machine}11 1 S m a\n`;
    const cutAt = async (length: number) => {
      const { warnings } = await read(text.slice(0, length));
      return warnings.filter(({ isCut }) => isCut).map(({ at, message }) => [at, message.split(":")[0]]);
    };
    const [inside, unended] = [text.length - 4, text.length - 1];
    expect(await cutAt(inside)).toEqual([[{ byte: inside }, "the file ends in the middle of a line"]]);
    expect(await cutAt(unended)).toEqual([[{ byte: unended }, "the last line has no line end"]]);
    expect(await cutAt(text.length)).toEqual([]);
    // All containers have ended: nothing can have come later. A comment says nothing.
    for (const end of ["7 2 M m", "7 2 M m\n# written by hand"]) expect((await read(text + end)).warnings).toEqual([]);
  });

  it("definitions without containers are an error", async () => {
    await expect(read(headOf())).rejects.toThrow(/a\.trace: found definitions of events, but no container; expected/);
  });
});

describe("topology", () => {
  it("links of no length at time 0 are messages where others of their type have a length", async () => {
    const { trace, topology } = await read(
      `${headOf()}${machine}15 0 L 0 a m k1\n16 0 L 0 a m k1\n15 1 L 0 a m k2\n16 2 L 0 a m k2\n7 9 M m\n`,
    );
    expect(trace?.messages.count).toBe(2);
    expect(topology?.links).toEqual([]);
  });
});

describe("a trace of several files", () => {
  const part = `${headOf()}${machine}17 1 E m inner\n7 9 M m\n`;
  const outer = (...names: string[]) => `${headOf()}${names.map((name) => `18 0 0 "${name}"\n`).join("")}`;

  it("is one recording, whichever of its files are opened", async () => {
    const fixture = { "z.trace": outer("part.trace"), "part.trace": part };
    for (const open of [["z.trace"], ["part.trace", "z.trace"]]) {
      const sets = await readFixture(paje, fixture, { open });
      expect(sets.map(({ name, files }) => [name, files])).toEqual([
        ["z.trace", ["/test/z.trace", "/test/part.trace"]],
      ]);
      expect(sets[0].trace?.events).toBe(1);
      expect(sets[0].warnings).toEqual([]);
    }
  });

  it("that comes back to a file is an error, directly and through others", async () => {
    await expect(readFixture(paje, { "a.trace": outer("a.trace") })).rejects.toThrow(
      /reads "a\.trace" inside of itself/,
    );
    const fixture = { "a.trace": outer("b.trace"), "b.trace": outer("c.trace"), "c.trace": outer("./a.trace") };
    await expect(readFixture(paje, fixture)).rejects.toThrow(/c\.trace, line \d+: found that the trace reads/);
  });

  it("never leaves its folder", async () => {
    const names = [
      "../up.trace",
      "/etc/passwd",
      "sub/in.trace",
      "..",
      ".",
      "",
      "C:\\x.trace",
      "..\\x.trace",
      "missing.trace",
    ];
    const opened: string[] = [];
    const fixture = new Proxy({ "a.trace": `${outer(...names)}${machine}7 9 M m\n` } as Record<string, string>, {
      get: (files, name: string) => (opened.push(name), files[name]),
    });
    const [{ warnings }] = await readFixture(paje, fixture);
    expect(new Set(opened)).toEqual(new Set(["a.trace"]));
    expect(messages({ warnings })[0]).toBe(
      'the file "../up.trace" is not read: only files of the trace\'s own folder are',
    );
    expect(messages({ warnings })[3]).toMatch(/6 further lines/);
  });

  it("reads each file once, and none that is no trace", async () => {
    const fixture = { "a.trace": outer("b.trace", "b.trace", "notes.txt"), "b.trace": part, "notes.txt": "hello" };
    const [{ warnings, trace }] = await readFixture(paje, fixture);
    expect(trace?.events).toBe(1);
    expect(messages({ warnings })).toEqual([
      'the file "b.trace" is not read: it was read before',
      'the file "notes.txt" is not read: it is no Paje trace',
    ]);
  });

  it("of many files in a chain ends", async () => {
    const fixture = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`${at}.trace`, outer(`${at + 1}.trace`) + (at === 0 ? machine : "")]),
    );
    const [{ files, warnings }] = await readFixture(paje, fixture, { open: ["0.trace"] });
    expect(files).toHaveLength(8);
    expect(messages({ warnings })[0]).toMatch(/named through more than 8 files/);
  });
});

describe("recognition", () => {
  it.each([
    ["%EventDef PajeX 1", true],
    ["\n\n # comment\n\t% EventDef PajeX 1", true],
    ["%\tEventDef\tx", true],
    ["%EventDefinition x", false],
    ["# only a comment", false],
    ["%PDF-1.4", false],
    ["% LaTeX, EventDef x", false],
    ["", false],
  ])("%j", (text, expected) => {
    expect(paje.recognizes({ bytes: Buffer.from(text), whole: true })).toBe(expected);
  });
});

formatLaws(paje, {
  "a small trace": { "a.trace": smallTrace() },
  "a trace with old names and tabs": {
    "a.trace": smallTrace()
      .replaceAll(" ", "\t")
      .replace("StartContainer\t", "SourceContainer\t")
      .replace("host\t1", "host1")
      .replace("half\tway", "half"),
  },
  "a trace of two files": {
    "a.trace": `${headOf()}18 0 0 b.trace\n`,
    "b.trace": smallTrace(),
  },
});
