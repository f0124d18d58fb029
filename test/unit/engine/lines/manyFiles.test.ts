/** A program of thousands of source files: no question waits for what is done for all of them. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Links } from "../../../../src/engine/lines/links";
import { OpenDataSet } from "../../../../src/engine/dataSets/openDataSet";
import { quietTask } from "../../../../src/model/task";
import { folderWith, grammars } from "../../source/program";
import { recordingOf } from "../recordings";

const FILES = 2000;
const LONGEST_TURN_MS = 200;

/** Calls work, and measures the longest time that nothing else had its turn: computing, not waiting for a busy machine. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  const clocks = () => {
    const { user, system } = process.cpuUsage();
    return [performance.now(), (user + system) / 1000];
  };
  let longest = 0;
  let since = clocks();
  const turn = () => {
    const now = clocks();
    longest = Math.max(longest, Math.min(...now.map((clock, at) => clock - since[at])));
    since = now;
    pending = setImmediate(turn);
  };
  let pending = setImmediate(turn);
  await work();
  clearImmediate(pending);
  turn();
  clearImmediate(pending);
  return longest;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 100));
}

describe("a recording that names lines of thousands of files", () => {
  it("blocks no question while their baselines are taken, found again and made links of", async () => {
    const body = "// a line\n".repeat(50);
    const name = (at: number) => `part${at % 50}/file${at}.cpp`;
    const source = folderWith(
      Object.fromEntries(Array.from({ length: FILES }, (_, at) => [name(at), `${body}int f${at}() { return 1; }\n`])),
    );
    const storage = folderWith({});
    const dataSet = recordingOf(
      Array.from({ length: FILES }, (_, at) => [
        [
          { name: `f${at}`, kind: "function" },
          { name: "", kind: "line", file: path.join(source, name(at)), line: 51 },
        ],
        0,
        1,
      ]),
    );
    fs.mkdirSync(path.join(storage, "baselines"));
    const baselines = () => fs.readdirSync(path.join(storage, "baselines"));
    const lines = Array.from({ length: dataSet.tree.size }, (_, context) => context);
    // The first time, and after a restart.
    for (const edited of [false, true]) {
      const open = new OpenDataSet(1, dataSet, 0);
      const links = new Links(grammars);
      links.configure({ folders: [source], sourceMap: {}, storage });
      const taken = await longestTurn(async () => {
        await links.noteOpened(open);
        await until(() => baselines().length === FILES);
      });
      expect(taken).toBeLessThan(LONGEST_TURN_MS);
      let found: Awaited<ReturnType<Links["linksOf"]>> = [];
      const linking = await longestTurn(async () => void (found = await links.linksOf(open, lines, quietTask)));
      expect(linking).toBeLessThan(LONGEST_TURN_MS);
      const recorded = found.filter(({ rule }) => rule === "recorded-line");
      expect(recorded).toHaveLength(FILES);
      expect(new Set(recorded.map(({ places }) => places[0]?.line))).toEqual(new Set(edited ? [51, 53] : [51]));
      // Every tenth file gets two lines more before the restart.
      for (let at = 0; at < FILES; at += 10)
        fs.writeFileSync(path.join(source, name(at)), `\n\n${body}int f${at}() { return 1; }\n`);
    }
  });
});
