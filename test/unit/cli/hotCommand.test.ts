import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { graphArguments } from "../../../src/cli/graphCommand";
import { hotArguments } from "../../../src/cli/hotCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";
import { CaliWriter, rank, regions, time } from "../formats/caliper/caliWriter";
import { ArgumentError } from "./commands";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-hot-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

async function hot(...args: string[]) {
  const request = hotArguments([...args], folder);
  const answer = await request.run(localEngine(grammars));
  return { text: request.text(answer), narrow: request.text(answer, 90), answer };
}

const PLANE = "bool voro::cell::plane<voro::neighbor>(voro::neighbor&, double)";
/** main calls plane; `here.cc` is in the folder, `/src/away.cc` is nowhere. */
const program = written(
  "callgrind.out.1",
  [
    "positions: line",
    "events: Ir",
    `fl=${folder}/here.cc`,
    "fn=main()",
    "2 50",
    "cfi=/src/away.cc",
    `cfn=${PLANE}`,
    "calls=3 7",
    "3 850",
    "fl=/src/away.cc",
    `fn=${PLANE}`,
    "7 250",
    "9 600",
    "ob=/bin/prog",
    "fl=/src/other.cc",
    "fn=run()",
    "4 60",
    "fl=/src/another.cc",
    "fn=run()",
    "8 40",
    "fl=/src/idle.cc",
    "fn=idle()",
    "1 0",
    "totals: 1000",
    "",
  ].join("\n"),
);
written("here.cc", "#include <voro>\nint main() {\n  plane();\n}\n");

describe("heatflow hot", () => {
  it("prints the functions that cost most, with shares and places", async () => {
    const { text } = await hot(program);
    const rows = text.split("\n").map((row) => row.split(/ {2,}/));
    const here = `${path.basename(folder)}/here.cc`;
    expect(rows).toEqual([
      ["Ir: 1000"],
      [""],
      ["function", "exclusive", "inclusive", "place"],
      [PLANE, "850", "85.0 %", "850", "85.0 %", "/src/away.cc:9"],
      ["run() (other.cc)", "60", "6.00 %", "60", "6.00 %", "/src/other.cc:4"],
      ["main()", "50", "5.00 %", "900", "90.0 %", `${here}:2`],
      ["run() (another.cc)", "40", "4.00 %", "40", "4.00 %", "/src/another.cc:8"],
      [""],
    ]);
  });

  it("prints lines, too, and as many rows as are asked for", async () => {
    const { text } = await hot(program, "--lines", "--top", "2");
    expect(text).toMatch(/^line of function +exclusive +place$/m);
    expect(text).not.toContain("has a row for each function");
    expect(text).toMatch(/ 600 +60\.0 % +\/src\/away\.cc:9$/m);
    expect(text).toMatch(/ 250 +25\.0 % +\/src\/away\.cc:7$/m);
    expect(text).not.toContain("main");
  });

  it("says why a line has several rows", async () => {
    const inlined = (name: string, cost: number) => [
      "fl=/src/away.cc",
      `fn=${name}`,
      "3 1",
      "fi=/include/vector.h",
      `9 ${cost}`,
    ];
    const shared = written(
      "callgrind.out.shared",
      ["events: Ir", ...inlined("first()", 60), ...inlined("second()", 30), "totals: 92", ""].join("\n"),
    );
    const { text } = await hot(shared, "--lines");
    expect(text).toMatch(/^first\(\) +60 +65\.2 % +\/include\/vector\.h:9$/m);
    expect(text).toMatch(/^second\(\) +30 +32\.6 % +\/include\/vector\.h:9$/m);
    expect(text).toMatch(
      /\n\nA line of a file that is not here has a row for each function that it was compiled into\.\n$/,
    );
  });

  it("prints JSON with full precision", async () => {
    const { functions, lines, ...rest } = JSON.parse((await hot(program, "--json", "--lines", "--top", "1")).text);
    expect(rest).toEqual({ metric: "Ir", unit: "1", over: "sum", total: 1000 });
    expect(functions).toEqual([
      { function: PLANE, file: "/src/away.cc", line: 9, exclusive: 850, share: 0.85, inclusive: 850 },
    ]);
    expect(lines).toEqual([{ function: PLANE, file: "/src/away.cc", line: 9, exclusive: 600, share: 0.6 }]);
    expect(JSON.parse((await hot(program, "--json")).text)).not.toHaveProperty("lines");
  });

  it("tells functions of one name apart in JSON, too", async () => {
    const { functions } = JSON.parse((await hot(program, "--json")).text) as { functions: { function: string }[] };
    const runs = functions.filter((row) => row.function === "run()");
    expect(runs).toMatchObject([
      { recorded: { file: "/src/other.cc", line: 4 }, module: "/bin/prog" },
      { recorded: { file: "/src/another.cc", line: 8 }, module: "/bin/prog" },
    ]);
  });

  it("has short names in a terminal, and rows that fit", async () => {
    const { narrow } = await hot(program, "--lines");
    expect(narrow).toMatch(/^voro::cell::plane +850 +85\.0 % /m);
    for (const row of narrow.split("\n")) expect(row.length).toBeLessThanOrEqual(90);
  });

  it("finds regions in the source, over the ranks that are asked for", async () => {
    const profile = path.join(miniheat, "profiles/profile-8ranks.cali");
    const args = [profile, "--source", path.join(miniheat, "src"), "--top", "3"];
    // Golden file of cali-query: MPI_Allreduce, MPI_Waitall and updateConductivity have the most of 21.5 s.
    const { text } = await hot(...args, "--over", "mean");
    expect(text).toMatch(/^time, mean over 8 ranks: 2\.69 s\n/);
    expect(text).toMatch(/^MPI_Allreduce +1\.34 s +49\.8 %/m);
    expect(text).toMatch(/^updateConductivity +251 ms +9\.33 % .* src\/physics\.cpp:\d+$/m);
    await expect(hot(...args, "--over", "rank=9")).rejects.toThrow("has no rank 9; it has 8, from 0 to 7");
  });

  it.each<[string, string[], string]>([
    ["named", ["--source", path.join(miniheat, "src")], folder],
    ["the current one", [], miniheat],
  ])("finds nothing of another program in a folder that is %s", async (_, args, workingFolder) => {
    const recording = path.resolve("tracker/test/recordings/h100.json.gz");
    const request = hotArguments([recording, ...args, "--lines", "--json", "--top", "100"], workingFolder);
    const { functions, lines } = JSON.parse(request.text(await request.run(localEngine(grammars)))) as {
      functions: { function: string; file?: string; line?: number }[];
      lines: { file?: string }[];
    };
    // The recording's own file, as it was recorded; miniheat has a main, too.
    expect(functions.find((row) => row.function === "main")).toMatchObject({ file: "tracker/test/work.cu", line: 114 });
    const files = new Set([...functions, ...lines].flatMap((row) => row.file ?? []));
    expect([...files]).toEqual(["tracker/test/work.cu"]);
  });

  it("names the load module of functions that the tool knew no name of, however wide the table is", async () => {
    const nameless = written(
      "callgrind.out.nameless",
      [
        "events: Ir",
        "fl=(1) ???",
        "ob=/usr/lib/libgomp.so.1.0.0",
        "fn=0x000000000001f6d0",
        "0 70",
        "ob=/opt/lib/libother.so",
        "fn=0x0000000000000420",
        "0 20",
        "ob=/bin/prog",
        "fn=main",
        "0 10",
        "totals: 100",
        "",
      ].join("\n"),
    );
    const { text, narrow, answer } = await hot(nameless);
    for (const table of [text, narrow]) {
      expect(table).toMatch(/^0x000000000001f6d0 in libgomp\.so\.1\.0\.0 +70 /m);
      expect(table).toMatch(/^0x0000000000000420 in libother\.so +20 /m);
      expect(table).toMatch(/^main +10 /m);
    }
    // As recorded, for programs that read it.
    expect(JSON.stringify(answer)).toContain('"name":"0x000000000001f6d0"');
  });

  it.each<[string, string, string[], string[]]>([
    [
      "a recording of another program, by its files",
      path.resolve("tracker/test/recordings/h100.json.gz"),
      ["--source", path.join(miniheat, "src")],
      [": recorded from work.cu, which is not in these folders. Places are printed as recorded"],
    ],
    [
      "a recording of another program, by its names",
      path.join(miniheat, "profiles/profile-8ranks.cali"),
      ["--source", "src/cli"],
      [": its functions and regions are not in these folders. Places are printed as recorded"],
    ],
    ["a recording of the folder", path.join(miniheat, "profiles/profile-8ranks.cali"), ["--source", miniheat], []],
    ["a folder that nobody named", path.resolve("tracker/test/recordings/h100.json.gz"), [], []],
  ])("notes %s", async (_, recording, options, expected) => {
    const args = [recording, ...options];
    const [hotRequest, graphRequest] = [hotArguments(args, path.resolve(".")), graphArguments(args, path.resolve("."))];
    const { name } = (await localEngine(grammars).open({ paths: [recording] }))[0];
    const start = `${name} does not belong to ${options[1]}`;
    const notes = expected.map((end) => expect.stringContaining(start + end) as string);
    expect((await hotRequest.run(localEngine(grammars))).notes).toEqual(notes);
    expect((await graphRequest.run(localEngine(grammars))).notes).toEqual(notes);
  });

  it("finds the sample program in the current folder, and nothing of it in another program's", async () => {
    const profile = path.join(miniheat, "profiles/profile-8ranks.cali");
    const placesIn = async (workingFolder: string) => {
      const request = hotArguments([profile, "--lines", "--json", "--top", "100"], workingFolder);
      const { functions, lines } = JSON.parse(request.text(await request.run(localEngine(grammars)))) as {
        functions: { file?: string; places?: object[] }[];
        lines: { file?: string; places?: object[] }[];
      };
      return [...functions, ...lines].filter((row) => row.file !== undefined || row.places !== undefined).length;
    };
    const names = ["main", "solve", "write", "apply"].map((name) => `void ${name}() { MPI_Allreduce(); }\n`);
    const foreign = fs.mkdtempSync(path.join(folder, "foreign-"));
    fs.writeFileSync(path.join(foreign, "tool.c"), names.join(""));
    expect(await placesIn(foreign)).toBe(0);
    // All but MPI_Comm_dup, whose call is in no file, and the time outside of regions.
    expect(await placesIn(miniheat)).toBe(2 * 22);
  });

  it.each(["profile-8ranks.cali", "samples-1rank.cali", "iterations-8ranks.cali"])(
    "finds the sample program as before if one file of it is renamed and one is gone: %s",
    async (name) => {
      const copy = fs.mkdtempSync(path.join(folder, "moved-"));
      fs.cpSync(path.join(miniheat, "src"), copy, { recursive: true });
      const placesIn = async (source: string) => {
        const args = [path.join(miniheat, "profiles", name), "--source", source, "--json", "--top", "100"];
        const request = hotArguments(args, folder);
        const answer = await request.run(localEngine(grammars));
        expect("notes" in answer ? answer.notes : undefined).toEqual([]);
        const { functions } = JSON.parse(request.text(answer)) as {
          functions: { function: string; file?: string; line?: number }[];
        };
        return functions.flatMap(({ function: called, file, line }) =>
          file?.includes(path.basename(source)) === true ? [`${called} ${path.basename(file)}:${line}`] : [],
        );
      };
      const before = await placesIn(copy);
      expect(before.join(" ")).toMatch(/solver\.cpp.*physics\.cpp|physics\.cpp.*solver\.cpp/);
      fs.renameSync(path.join(copy, "solver.cpp"), path.join(copy, "cg.cpp"));
      fs.rmSync(path.join(copy, "physics.cpp"));
      const left = before.filter((place) => !place.includes("physics.cpp"));
      expect(await placesIn(copy)).toEqual(left.map((place) => place.replace("solver.cpp", "cg.cpp")));
    },
  );

  it("says what has no rank, never 0", async () => {
    const out = new CaliWriter();
    for (const [region, of, own] of [
      ["main", "0", 2],
      ["main", "1", 5],
      ["MPI_Init", undefined, 0.276],
    ] as const)
      out.snapshot([regions(region), ...(of === undefined ? [] : [[[rank, of] as const]])], [[time, own]]);
    const { text, answer } = await hot(written("no-rank.cali", out.text()), "--over", "mean");
    expect("functions" in answer && answer.functions.map(({ name }) => name)).toEqual(["main", "MPI_Init"]);
    expect(text).toMatch(/^MPI_Init +276 ms, of no rank/m);
  });

  it.each([
    [[], "hot needs at least one file"],
    [["a", "--top", "x"], "--top takes a number of rows"],
    [["a", "--over", "x"], "--over takes"],
  ])("refuses %j", (args, message) => {
    expect(() => hotArguments(args, folder)).toThrow(ArgumentError);
    expect(() => hotArguments(args, folder)).toThrow(message);
  });
});
