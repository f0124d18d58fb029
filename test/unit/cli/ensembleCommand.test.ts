import path from "node:path";
import { describe, expect, it } from "vitest";
import { ensembleArguments, sidesOf } from "../../../src/cli/ensembleCommand";
import { localEngine } from "../../../src/engine/localEngine";
import { miniheat } from "../../recordings";
import { grammars } from "../engine/miniheat";

const folder = path.join(miniheat, "profiles/ensemble");

async function printed(...args: string[]): Promise<string> {
  const request = ensembleArguments([folder, "--source", path.join(miniheat, "src"), ...args], process.cwd());
  return request.text(await request.run(localEngine(grammars)));
}

describe("heatflow ensemble", () => {
  it("says what is wrong with its arguments", () => {
    const wrong = (...args: string[]) => expect(() => ensembleArguments(args, process.cwd()), args.join(" "));
    wrong().toThrow("ensemble needs at least one file or folder to read");
    wrong(folder, "--bins", "0").toThrow("--bins takes a number from 1 to 999, not '0'");
    wrong(folder, "--diff", "one").toThrow("--diff takes BASELINE,CANDIDATE");
    wrong(folder, "--group-by", "map").toThrow("not grouped by a map");
    wrong(folder, "--columns", "ranks,,total").toThrow("--columns takes names");
  });

  it("takes a comma of a name behind a backslash", () => {
    expect(sidesOf("a\\,b,c*")).toEqual(["a,b", "c*"]);
    expect(() => sidesOf("a\\,b")).toThrow("--diff takes");
  });

  it("names the runs there are, and the parameters that are none", async () => {
    await expect(printed("--diff", "np1*,none")).rejects.toThrow(/there is no run 'none'; there are np1-r1/);
    await expect(printed("--scaling", "cali.channel")).rejects.toThrow("'cali.channel' is no number in every run");
    await expect(printed("--columns", "nothing")).rejects.toThrow("neither a parameter nor a function named 'nothing'");
    await expect(printed("--pattern", "np.cali")).rejects.toThrow("has no name in braces");
  });

  it("prints tables for people, with the first finding as a sentence", async () => {
    const text = await printed("--scaling", "ranks", "--diff", "np2-*,np8-*");
    expect(text).toMatch(/^18 runs of ensemble: time, mean over ranks; grouped by file\n/);
    expect(text).toMatch(/\nnp27-r3 .* 1\.10 s\n/);
    expect(text).toMatch(/\nMPI_Allreduce loses most at ranks = 27: 631 ms of 631 ms, src\/halo\.cpp:96\n/);
    expect(text).toMatch(
      /\nScaling over ranks, weak: at ranks = 27, computing per rank is [\d.]+ times that at ranks = 1, nearer to 1/,
    );
    expect(text).toMatch(/\nMPI_Allreduce +925 µs +119 ms +\+118 ms/);
  });

  it("says which way runs scale where it is told", async () => {
    const strong = JSON.parse(await printed("--scaling", "ranks", "strong", "--json")) as {
      scaling: { lost: number }[];
    };
    const weak = JSON.parse(await printed("--scaling", "ranks", "weak", "--json")) as { scaling: { lost: number }[] };
    expect(strong.scaling[0].lost).toBeGreaterThan(weak.scaling[0].lost);
  });
});
