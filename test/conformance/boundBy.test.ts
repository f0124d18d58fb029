import path from "node:path";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { boundSentence } from "../../src/model/boundBy";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();

async function sentenceOf(file: string): Promise<string> {
  const engine = localEngine(grammars);
  const [info] = await engine.open({ paths: [file] });
  return boundSentence(await engine.boundBy({ dataSet: info.id }));
}

describe("the sentence of a recording with a GPU", () => {
  it("names the calls that the host made meanwhile", async () => {
    const h100 = path.join(import.meta.dirname, "../../tracker/test/recordings/h100.json.gz");
    expect(await sentenceOf(h100)).toBe("Without work for 73.3 %, runtime: cudaStreamCreateWithFlags");
  });

  it.skipIf(shared === undefined)("is computation if kernels take most of the time", async () => {
    const gemm = path.join(shared ?? "", "data/dmtracker/gemm-kernels/kernel-opt-5-2.json");
    expect(await sentenceOf(gemm)).toBe("Bound by computation (75.4 %)");
  });
});
