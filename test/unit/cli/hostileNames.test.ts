import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareArguments } from "../../../src/cli/compareCommand";
import { ensembleArguments } from "../../../src/cli/ensembleCommand";
import { graphArguments, graphJson, graphTable } from "../../../src/cli/graphCommand";
import { hotArguments } from "../../../src/cli/hotCommand";
import { overviewArguments } from "../../../src/cli/overviewCommand";
import { plain } from "../../../src/editor/markdown";
import { localEngine } from "../../../src/engine/localEngine";
import { csv } from "../../../src/model/csv";
import { withEscapes } from "../../../src/model/unseen";
import { grammars } from "../engine/miniheat";
import { CaliWriter, regions, time } from "../formats/caliper/caliWriter";
import { exported, linesOf, summarized } from "./commands";

let folder = "";
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-names-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

// A title for the terminal's window, a text that runs backwards, an 8-bit control sequence, and a formula.
const names = ["\u001b]0;title\u0007", "a\u202egnp.exe", "\u009b31mred", '=HYPERLINK("http://x","y")', "+1", "@sum"];
const unseen = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

function recording(): string {
  const out = new CaliWriter();
  for (const name of names) out.snapshot([regions(name)], [[time, 1]]);
  const file = path.join(folder, "names.cali");
  fs.writeFileSync(file, out.text());
  return file;
}

/** One lane with an event of each name. */
function trace(): string {
  const traceEvents = names.map((name, at) => ({ ph: "X", name, ts: 10 * at, dur: 5 + at, pid: 1, tid: 1 }));
  const file = path.join(folder, "names.json");
  fs.writeFileSync(file, JSON.stringify({ traceEvents }));
  return file;
}

const graph = (...args: string[]) => graphArguments([...args, "--source", folder], folder);

describe("names that no program should have", () => {
  it("are written with escapes in tables, so that a terminal obeys none of them", async () => {
    const request = graph(recording(), "--group-by", "function");
    const table = graphTable(await request.run(localEngine(grammars)));
    expect(table).toContain("\\x1b]0;title\\x07");
    expect(table).toContain("a\\u202egnp.exe");
    expect(table).not.toMatch(unseen);
    expect(await summarized([recording()])).not.toMatch(unseen);
  });

  it("are escapes of JSON in what every command prints as JSON, and the same names for who reads it", async () => {
    const file = trace();
    const engine = () => localEngine(grammars);
    const hot = hotArguments([file, "--lines", "--json"], folder);
    const compare = compareArguments([file, file, "--json", "--changed", "0"], folder);
    const overview = overviewArguments([file, "--json"], folder);
    const ensemble = ensembleArguments([file, file, "--json"], folder);
    const printed = {
      graph: graphJson(await graph(file, "--group-by", "function").run(engine())),
      hot: hot.text(await hot.run(engine())),
      compare: compare.text(await compare.run(engine())),
      overview: overview.text(await overview.run(engine())),
      ensemble: ensemble.text(await ensemble.run(engine())),
      summary: await summarized([file, "--json"]),
      jsonl: (await exported([file])).text,
      "json-split": (await exported([file, "--format", "json-split"])).text,
      events: (await exported([file, "--events"])).text,
    };
    for (const [command, text] of Object.entries(printed)) {
      expect(text, command).not.toMatch(unseen);
      const read = command === "jsonl" || command === "events" ? linesOf(text) : JSON.parse(text);
      if (command !== "summary" && command !== "compare")
        expect(JSON.stringify(read), command).toContain("\u009b31mred");
    }
  });

  it("are escapes for a terminal, and as they were recorded for a pipe", async () => {
    for (const format of ["csv", "collapsed"]) {
      const args = [recording(), "--format", format];
      const [pipe, terminal] = [(await exported(args)).text, (await exported(args, undefined, true)).text];
      expect(pipe).toContain("\u009b31mred");
      expect(terminal.replaceAll("\r\n", "")).not.toMatch(unseen);
      expect(terminal).toContain("\\x9b31mred");
    }
  });

  it("are written with escapes in hovers, as text", () => {
    expect(plain("a\u202eb\u001b[1m")).toBe("a\\\\u202eb\\\\x1b\\[1m");
    expect(withEscapes("plain ünïcode ∑ 名")).toBe("plain ünïcode ∑ 名");
  });

  it("are no formulas in CSV, and numbers stay numbers", async () => {
    const { text } = await exported([recording(), "--format", "csv"]);
    const first = text
      .split("\r\n")
      .slice(1, -1)
      .map((row) => row.replace(/^"/, "")[0]);
    expect(first.sort()).toEqual(["\u001b", "'", "'", "'", "\u009b", "a"].sort());
    expect(csv([["-1", -1, "=1"]])).toBe("'-1,-1,'=1\r\n");
  });
});

describe("--map", () => {
  it("takes regular files of at most 8 MB", () => {
    const large = path.join(folder, "large.json");
    fs.writeFileSync(large, " ".repeat((8 << 20) + 1));
    expect(() => graph("x", "--map", large)).toThrow(/--map: .*large\.json: 8388609 bytes are no map/);
    expect(() => graph("x", "--map", folder)).toThrow(/this is no regular file/);
    expect(() => graph("x", "--map", "/dev/zero")).toThrow(/this is no regular file/);
    expect(() => graph("x", "--map", path.join(folder, "none"))).toThrow(/no such file/);
  });

  it("are no formulas in a table, where cells are split at semicolons, or behind blanks and in full width, too", () => {
    expect(csv([["main;=1+1", " =1+1", "\n=1+1", "＝1+1", "a b", 1]])).toBe(
      '"main;=1+1",\' =1+1,"\'\n=1+1",\'＝1+1,a b,1\r\n',
    );
  });
});
