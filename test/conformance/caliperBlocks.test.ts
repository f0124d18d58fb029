import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { caliper } from "../../src/formats/caliper/format";
import { recordings } from "../recordings";
import { plain, readFixture } from "../unit/formats/formatLaws";
import { rearranged } from "../unit/formats/caliper/randomProgram";

const shared = recordings();
const folder = path.join(shared ?? "", "miniapp/profiles/trace");

function linesOf(rank: number): string[] {
  return fs
    .readFileSync(path.join(folder, `messages-${rank}.cali`), "utf8")
    .split("\n")
    .slice(0, -1);
}

/** The recording of four ranks, each with its snapshots in blocks that `order` arranges. */
async function read(order: (snapshots: readonly string[], rank: number) => string[]) {
  const files = [0, 1, 2, 3].map((rank) => {
    const lines = linesOf(rank);
    const isSnapshot = (line: string) => line.startsWith("__rec=ctx");
    const [nodes, closing] = [lines.slice(0, -1).filter((line) => !isSnapshot(line)), lines.slice(-1)];
    const text = [...nodes, ...order(lines.filter(isSnapshot), rank), ...closing].map((line) => `${line}\n`).join("");
    return [`messages-${rank}.cali`, text] as const;
  });
  return plain(await readFixture(caliper, Object.fromEntries(files), { open: files.map(([name]) => name) }));
}

describe.skipIf(shared === undefined)("blocks of a Caliper trace", () => {
  const cuts = [417, 1009, 1010, 1500, 2750];

  it("last block first, or in any order, give the same data set as in the order of time", async () => {
    const whole = await read((snapshots) => [...snapshots]);
    expect(await read((snapshots) => rearranged(snapshots, cuts, [6, 5, 4, 3, 2, 1]))).toEqual(whole);
    expect(await read((snapshots, rank) => rearranged(snapshots, cuts, [2, 6, 1, 5, 3 + rank, 4]))).toEqual(whole);
  });
});
