import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareArguments, failingText } from "../../../src/cli/compareCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";
import { CaliWriter, rank, regions, time } from "../formats/caliper/caliWriter";
import { ArgumentError } from "./commands";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-compare-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

let files = 0;
/** A recording with the exclusive time of each region. */
function recording(seconds: Readonly<Record<string, number>>): string {
  const out = new CaliWriter();
  for (const [name, own] of Object.entries(seconds)) out.snapshot([regions(name)], [[time, own]]);
  const file = path.join(folder, `run${files++}.cali`);
  fs.writeFileSync(file, out.text());
  return file;
}

/** A recording of another tool, whose metric has a unit of its own. */
function hatchet(values: Readonly<Record<string, number>>, unit: string): string {
  const own = { is_value: true, "attribute.unit": unit };
  const written = {
    data: Object.values(values).map((value, at) => [value, at]),
    columns: ["sum#work", "path"],
    column_metadata: [own, { is_value: false }],
    nodes: Object.keys(values).map((label) => ({ label, column: "path" })),
  };
  const file = path.join(folder, `run${files++}.json`);
  fs.writeFileSync(file, JSON.stringify(written));
  return file;
}

async function compared(...args: string[]) {
  const request = compareArguments([...args, "--source", folder], folder);
  const answer = await request.run(localEngine(grammars));
  return { text: request.text(answer), answer };
}

const ensemble = (name: string) => path.join(miniheat, `profiles/ensemble/${name}.cali`);

/** A row of what `--json` prints. */
type ComparedJson = Readonly<Record<"baseline" | "candidate" | "difference", number | null>> &
  Partial<Readonly<Record<"function" | "group" | "file", string>>> & { readonly line?: number };

const before = { solve: 1, dot: 10, io: 0.2, setup: 0.005 };
const after = { solve: 10.6, dot: 9.8, mesh: 0.3, setup: 0.02 };

describe("heatflow compare", () => {
  it("prints the JSON that is documented, the largest difference first", async () => {
    const { text } = await compared(recording(before), recording(after), "--json");
    const json = JSON.parse(text) as { differences: unknown[] };
    expect(json).toMatchObject({
      metric: "time",
      unit: "s",
      over: "mean",
      value: "exclusive",
      baseline: { name: "run0.cali", total: expect.closeTo(11.205, 9) },
      candidate: { name: "run1.cali", total: expect.closeTo(20.72, 9) },
    });
    expect(json.differences).toEqual([
      { function: "solve", baseline: 1, candidate: 10.6, difference: expect.closeTo(9.6, 9), ratio: 10.6 },
      { function: "mesh", baseline: null, candidate: 0.3, difference: 0.3, ratio: null },
      { function: "io", baseline: 0.2, candidate: null, difference: -0.2, ratio: 0 },
      {
        function: "dot",
        baseline: 10,
        candidate: 9.8,
        difference: expect.closeTo(-0.2, 9),
        ratio: expect.closeTo(0.98, 9),
      },
      { function: "setup", baseline: 0.005, candidate: 0.02, difference: 0.015, ratio: 4 },
    ]);
  });

  it("prints a table with signs and ratios, and says how much changed", async () => {
    const { text } = await compared(recording(before), recording(after), "--top", "2");
    expect(text).toContain(
      "11.2 s → 20.7 s, +9.51 s · +84.9 %; 2 functions changed in exclusive by more than 1 % of the total",
    );
    expect(text).toMatch(/^solve +1\.00 s +10\.6 s +\+9\.60 s +10\.6×$/m);
    expect(text).toMatch(/^mesh +300 ms +\+300 ms +new$/m);
    expect(text).not.toMatch(/^(io|dot|setup) /m);
    expect(text).toMatch(/^and 3 below 1 %$/m);
    const few = await compared(recording(before), recording(after), "--top", "1");
    expect(few.text).toMatch(/^1 more, and 3 below 1 %$/m);
    expect((await compared(recording(before), recording(after), "--changed", "0")).text).toMatch(/^setup /m);
    const same = recording(before);
    const [heading, ...rest] = (await compared(same, same)).text.split("\n");
    expect(heading).toMatch(/±0 s; nothing differs in exclusive$/);
    expect(rest.join("")).toBe("");
  });

  it("says what has no rank, of which numbers over ranks show nothing, for every grouping", async () => {
    const written = (name: string, ofNoRank: number) => {
      const out = new CaliWriter();
      for (const [region, of, own] of [
        ["main", "0", 2],
        ["main", "1", 5],
        ["MPI_Init", undefined, ofNoRank],
      ] as const)
        out.snapshot([regions(region), ...(of === undefined ? [] : [[[rank, of] as const]])], [[time, own]]);
      const file = path.join(folder, name);
      fs.writeFileSync(file, out.text());
      return file;
    };
    const files = [written("no-rank.cali", 0.276), written("less-of-no-rank.cali", 0.14)] as const;
    for (const grouping of ["function", "file"]) {
      const { text } = await compared(...files, "--group-by", grouping);
      expect(text).toMatch(/MPI\w* +.*of no rank +.*of no rank +±0 s/);
    }
    const { text } = await compared(...files, "--over", "sum");
    expect(text).toMatch(/^MPI_Init +276 ms +140 ms/m);
  });

  it("fails for what has 1 % of either total and is slower than the limit, or new", async () => {
    const failing = async (limit: string) =>
      (await compared(recording(before), recording(after), "--fail-above", limit)).answer;
    expect((await failing("5%")).failing.map(({ name }) => name)).toEqual(["solve", "mesh"]);
    expect(failingText(await failing("5"))).toContain("  solve: +9.60 s · 10.6×");
    const { answer } = await compared(
      recording({ a: 100, b: 1 }),
      recording({ a: 104, b: 1.05 }),
      "--fail-above",
      "4.5%",
    );
    // b has 0.99 % and 1.0 % of the totals: the limit of 1 % decides.
    expect(answer.failing.map(({ name }) => name)).toEqual([]);
  });

  it("finds nothing slower whose values were summed up in another order", async () => {
    const run = (...order: number[]) => {
      const out = new CaliWriter();
      order.forEach((own, at) => out.snapshot([regions(`caller ${at}`, "solve")], [[time, own]]));
      const file = path.join(folder, `run${files++}.cali`);
      fs.writeFileSync(file, out.text());
      return file;
    };
    const { answer, text } = await compared(run(0.1, 0.2, 0.3), run(0.3, 0.2, 0.1), "--fail-above", "0");
    expect(answer.failing).toEqual([]);
    expect(text).toContain("nothing differs");
  });

  it("fails for nothing that has no 1 % of a positive total, and takes limits above 100 %", async () => {
    const failing = async (
      before: Readonly<Record<string, number>>,
      after: Readonly<Record<string, number>>,
      limit: string,
    ) =>
      (await compared(recording(before), recording(after), "--fail-above", limit)).answer.failing.map(
        ({ name }) => name,
      );
    // Of a run in which nothing took time nothing is a share: only the candidate's total decides.
    expect(await failing({ a: 0, b: 0 }, { a: 10, b: 0.01 }, "5%")).toEqual(["a"]);
    expect(await failing({ a: 1, b: -3 }, { a: 2, b: 1 }, "5%")).toEqual(["b", "a"]);
    expect(await failing({ a: 1, b: -3 }, { a: 2, b: -3 }, "5%")).toEqual([]);
    expect(await failing({ a: 1, b: 1 }, { a: 2.4, b: 2.6 }, "150%")).toEqual(["b"]);
  });

  it("groups by file, with the values of all functions on both sides, and leads to lines", async () => {
    const source = ["--source", path.join(miniheat, "src")];
    const rowsOf = async (...args: string[]) =>
      (
        JSON.parse((await compared(...args, ...source, "--json", "--top", "1000")).text) as {
          differences: ComparedJson[];
        }
      ).differences;
    const runs = [ensemble("np8-r1"), ensemble("np8-r2")];
    const [functions, files] = [await rowsOf(...runs), await rowsOf(...runs, "--group-by", "file")];
    const backwards = await rowsOf(...runs.toReversed(), "--group-by", "file");
    // No group is there twice, once for each side; and the other way round, sides and signs are exchanged.
    expect(new Set(files.map(({ group }) => group)).size).toBe(files.length);
    const swapped = backwards.map(({ group, baseline, candidate }) => [group, candidate, baseline]);
    expect(swapped.sort()).toEqual(files.map(({ group, baseline, candidate }) => [group, baseline, candidate]).sort());
    expect(functions.some(({ file, line }) => file?.endsWith(".cpp") === true && line !== undefined)).toBe(true);
    for (const side of ["baseline", "candidate", "difference"] as const) {
      const sum = (rows: readonly ComparedJson[]) => rows.reduce((all, row) => all + (row[side] ?? 0), 0);
      expect(sum(files)).toBeCloseTo(sum(functions), 9);
    }
  });

  it("compares a rank only where both recordings have it", async () => {
    const [two, sixteen] = [ensemble("np2-r1"), ensemble("np16-r1")];
    for (const runs of [
      [two, sixteen],
      [sixteen, two],
    ])
      await expect(compared(...runs, "--over", "rank=12")).rejects.toThrow(
        new ArgumentError("np2-r1.cali has no rank 12; it has 2, from 0 to 1"),
      );
    expect((await compared(two, sixteen, "--over", "rank=1")).text).toContain("time, rank 1, ");
    const none = hatchet({ work: 1 }, "s");
    await expect(compared(none, none, "--over", "rank=0")).rejects.toThrow(/has no ranks$/);
  });

  it("says of each side how its ranks were combined, where that differs", async () => {
    const heading = async (...runs: [string, string]) => (await compared(...runs.map(ensemble))).text.split("\n")[0];
    const value = String.raw`[\d.]+ (?:m|µ)?s`;
    expect(await heading("np2-r1", "np2-r2")).toMatch(
      new RegExp(`^np2-r1.cali → np2-r2.cali: time, mean over 2 ranks, ${value} → ${value}, `),
    );
    expect(await heading("np2-r1", "np16-r1")).toMatch(
      new RegExp(`: time, ${value} \\(mean over 2 ranks\\) → ${value} \\(mean over 16 ranks\\), `),
    );
    // Of one rank there is nothing to combine.
    expect(await heading("np1-r1", "np2-r1")).toMatch(
      new RegExp(`: time, ${value} → ${value} \\(mean over 2 ranks\\), `),
    );
  });

  describe("of a program whose source is not here", () => {
    const callgrind = (costs: Readonly<Record<string, number>>) => {
      const file = path.join(folder, `callgrind.out.${files++}`);
      const blocks = Object.entries(costs).map(([place, own]) => `${place.replaceAll(" ", "\n")} ${own}\n`);
      const total = Object.values(costs).reduce((sum, own) => sum + own, 0);
      fs.writeFileSync(file, `positions: line\nevents: Ir\n${blocks.join("")}totals: ${total}\n`);
      return file;
    };
    const cell = "ob=/bin/voro fl=/src/cell.cc fn=plane 123";
    const below = (module: string) => `ob=/lib/${module} fl=??? fn=below 0`;
    const [had, has] = [
      { [cell]: 100, [below("libc.so.6")]: 10, [below("ld.so.2")]: 20, "ob=/bin/voro fl=/src/a.c fn=run 7": 30 },
      { [cell]: 150, [below("libc.so.6")]: 30, [below("ld.so.2")]: 50, "ob=/bin/voro fl=/src/a.c fn=run 7": 70 },
    ];
    const lines = (text: string) => text.split("\n");

    it("says which file and line was recorded", async () => {
      const runs = [callgrind(had), callgrind(has)];
      const { text } = await compared(...runs, "--json");
      const { differences } = JSON.parse(text) as { differences: ComparedJson[] };
      expect(differences.find((row) => row.function === "plane")).toMatchObject({ file: "/src/cell.cc", line: 123 });
      expect(differences.find((row) => row.function === "below")).not.toHaveProperty("file");
      expect((await compared(...runs)).text).toMatch(/^plane .*\+50 +\+50\.0 % +\/src\/cell\.cc:123$/m);
    });

    it("says of a function that is gone which one has its lines", async () => {
      const track = "ob=/bin/voro fl=/src/cell.cc fn=track";
      const inlined = "ob=/bin/voro fl=/src/cell.cc fn=plane";
      const before = callgrind({
        [`${inlined} 10`]: 100,
        [`${track} 50`]: 30,
        [`${track} 51`]: 20,
        [`${track} 60`]: 5,
      });
      const after = callgrind({ [`${inlined} 10`]: 100, [`${inlined} 50`]: 25, [`${inlined} 51`]: 10 });
      const said = async (...runs: string[]) => (await compared(...runs)).text;
      // Line 50 costs 5 less, 51 costs 10 less, 60 costs 5 less.
      expect(await said(before, after)).toMatch(/^track .* gone +\/src\/cell\.cc:51, inlined into plane$/m);
      expect(await said(after, before)).toMatch(/^track .* new +\/src\/cell\.cc:51, was inlined into plane$/m);
      const { differences } = JSON.parse((await compared(before, after, "--json")).text) as {
        differences: Record<string, unknown>[];
      };
      expect(differences.map((row) => [row.function, row.inlinedInto])).toEqual([
        ["track", "plane"],
        ["plane", undefined],
      ]);
      // Less than half of its cost, or a function of another name: nothing is known.
      const little = callgrind({ [`${inlined} 10`]: 100, [`${inlined} 51`]: 10 });
      const renamed = callgrind({ [`${inlined} 10`]: 100, [`${track.replace("track", "other")} 50`]: 30 });
      for (const other of [little, renamed]) expect(await said(before, other)).not.toContain("inlined");
    });

    it("tells functions of one name apart by their files or load modules", async () => {
      const other = "ob=/bin/voro fl=/src/b.c fn=run 9";
      const runs = [callgrind({ ...had, [other]: 5 }), callgrind({ ...has, [other]: 65 })];
      const expected = ["below (ld.so.2)", "below (libc.so.6)", "plane", "run (a.c)", "run (b.c)"];
      const table = lines((await compared(...runs)).text).slice(3, 8);
      expect(table.map((row) => row.split("  ")[0]).sort()).toEqual(expected);
      const markdown = lines((await compared(...runs, "--markdown")).text).slice(4, 9);
      expect(markdown.map((row) => row.split("`")[1]).sort()).toEqual(expected);
    });
  });

  it("says that what a group costs with all below it is estimated, where a call graph was measured", async () => {
    const callGraph = (own: number) => {
      const file = path.join(folder, `callgrind.out.${files++}`);
      const called = `fl=b.c\nfn=work\n7 ${own}\n`;
      fs.writeFileSync(
        file,
        `events: Ir\nfl=a.c\nfn=main\n1 5\ncfi=b.c\ncfn=work\ncalls=1 7\n2 ${own}\n${called}totals: ${5 + own}\n`,
      );
      return file;
    };
    const runs = [callGraph(100), callGraph(300)];
    const by = ["--group-by", "file"];
    const said = "estimated from a call graph";
    for (const form of ["--markdown", "--json"]) {
      const { text, answer } = await compared(...runs, "--value", "inclusive", ...by, form);
      expect(answer.warnings.join()).toContain(said);
      if (form !== "--json") expect(text).toContain(`changed in inclusive (${said}) by more than`);
    }
    // What was measured is not estimated: functions, and what files cost themselves.
    for (const args of [["--value", "inclusive"], by]) {
      const { text, answer } = await compared(...runs, ...args);
      expect(text + answer.warnings.join()).not.toContain("estimated");
    }
    expect((await compared(ensemble("np2-r1"), ensemble("np2-r2"), "--value", "inclusive", ...by)).text).not.toContain(
      "estimated",
    );
  });

  it("writes names as code in Markdown, whatever they hold", async () => {
    const hostile = ["a|b", "`x`", "@user #1", "<img src=x>", "\u001b]0;t\u0007", "[l](http://x)"];
    const grown = Object.fromEntries(hostile.map((name, at) => [name, 10 + at]));
    const { text } = await compared(recording({ a: 1 }), recording(grown), "--markdown");
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    expect(rows).toHaveLength(2 + hostile.length + 1);
    // Five unescaped separators between six cells, and one at each end.
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(7);
    expect(text).toContain("`a\\|b`");
    expect(text).toContain("`` `x` ``");
    expect(text).toContain("`\\x1b]0;t\\x07`");
    // Nothing of a recording stands outside of code.
    expect(text.replace(/(`+)(?: ?).*?\1(?!`)/g, "")).not.toMatch(/user|img|http|\u001b/);
  });

  it("writes units as code in Markdown, and separators as such outside of its table", async () => {
    const unit = "x | <img src=https://evil.example/p.png> @octocat [click](https://evil.example) |";
    const [before, after] = [hatchet({ work: 200 }, unit), hatchet({ work: 600 }, unit)];
    const { text } = await compared(before, after, "--markdown");
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(7);
    const escaped = unit.replaceAll("|", "\\|");
    expect(rows[2]).toBe(`| \`work\` | \`200 ${escaped}\` | \`600 ${escaped}\` | **\`+400 ${escaped}\`** | 3.00× |  |`);
    // The heading is code, in which a backslash is a backslash.
    expect(text.split("\n")[0]).toContain(`200 ${unit} → 600 ${unit}, +400 ${unit} · 3.00×`);
    expect(text.replace(/(`+)(?: ?).*?\1(?!`)/g, "")).not.toMatch(/img|octocat|evil/);
    const plain = (await compared(hatchet({ work: 200 }, "J"), hatchet({ work: 600 }, "J"), "--markdown")).text;
    expect(plain).toContain("| 200 J | 600 J | **+400 J** |");
  });

  it("says of each row that fails in one line, whatever its name and its unit hold", async () => {
    const name = "a\nheatflow: all is well\r\u2028b";
    const { answer } = await compared(
      hatchet({ [name]: 1 }, "x\ny"),
      hatchet({ [name]: 3 }, "x\ny"),
      "--fail-above",
      "5",
    );
    expect(failingText(answer).split(/[\n\r\u2028]/)).toEqual([
      "slower than --fail-above lets pass:",
      "  a\\x0aheatflow: all is well\\x0d\\u2028b: +2 x\\x0ay · 3.00×",
    ]);
  });

  it("takes what was renamed as one, by --pair", async () => {
    const { answer } = await compared(
      recording({ old: 1, x: 1 }),
      recording({ fresh: 3, x: 1 }),
      "--pair",
      "old=fresh",
    );
    expect(answer.comparison.rows[0]).toMatchObject({ name: "old", baseline: 1, candidate: 3 });
    expect(answer.warnings.join()).not.toContain("--pair");
  });

  it("swaps nothing by a --pair of two functions that both have, and says that it joins nothing", async () => {
    const file = recording({ mainSort: 3, mainGtU: 1 });
    for (const pair of ["mainSort=mainGtU", "nothing=mainSort"]) {
      const { answer } = await compared(file, file, "--pair", pair);
      expect(answer.comparison.rows.map(({ difference }) => difference)).toEqual([0, 0]);
      expect(answer.warnings.filter((text) => text.startsWith("--pair"))).toEqual([
        expect.stringContaining(`--pair ${pair} joins nothing`),
      ]);
    }
  });

  it.each([
    [[], "needs two recordings"],
    [["a", "b", "--fail-above", "x"], "--fail-above takes a percentage"],
    [["a", "b", "--fail-above=-5%"], "--fail-above takes a percentage from 0 on, not '-5'"],
    [["a", "b", "--fail-above", "Infinity"], "--fail-above takes a percentage"],
    [["a", "b", "--changed", "101"], "--changed takes a percentage from 0 to 100"],
    [["a", "b", "--top", "-1"], "--top"],
    [["a", "b", "--pair", "x"], "--pair takes OLD=NEW"],
    [["a", "b", "--json", "--markdown"], "one of them"],
    [["a", "b", "--group-by", "none"], "--group-by takes one of"],
  ])("refuses %j", (args, message) => {
    expect(() => compareArguments(args, folder)).toThrow(ArgumentError);
    expect(() => compareArguments(args, folder)).toThrow(message);
  });
});

describe("heatflow compare, of recordings without a common metric,", () => {
  it("names the metrics of both recordings if they differ, and no option that was not given", async () => {
    const [here, other] = [recording(before), hatchet({ solve: 3 }, "count")];
    const said = (first: string, second: string, ...more: string[]) => compared(first, second, ...more).catch(String);
    expect(await said(here, other)).toBe(
      `RequestError: the baseline's metric time is not in ${other}, which has sum#work; compare two recordings of one tool`,
    );
    expect(await said(other, here)).toMatch(
      /^RequestError: the baseline's metric sum#work is not in .* which has time/,
    );
    expect(await said(here, other, "--metric", "time")).toMatch(/--metric: there is no 'time'; there is sum#work$/);
  });
});
