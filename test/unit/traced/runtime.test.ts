import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thisMachine } from "../../../src/traced/machine";
import { runtimeLibrary } from "../../../src/traced/runtime";

let folder: string;
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-runtime-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A compiler that writes nothing, and answers as it is told. */
function compiler(name: string, at: string, answer = ""): void {
  fs.mkdirSync(path.join(folder, at), { recursive: true });
  fs.writeFileSync(path.join(folder, at, name), `#!/bin/sh\n# ${at}\necho "${answer}"\n`, { mode: 0o755 });
}

const cupti = (home: string) => ({ includes: [path.join(home, "include")], libraries: path.join(home, "lib64") });

/** Asks for the runtime, and makes it as a compiler does. @returns the library, and whether it was compiled */
async function asked(
  { ranks = 0, bins = ["bin"], cuda }: { ranks?: number; bins?: readonly string[]; cuda?: string },
  environment: Readonly<Record<string, string>> = {},
): Promise<{ library: string; isCompiled: boolean }> {
  const PATH = bins.map((bin) => path.join(folder, bin)).join(":");
  const machine = thisMachine(path.resolve("tracker"), {}, { PATH, ...environment });
  const task = { output: path.join(folder, "out"), ranks, env: {} };
  const { library, step } = await runtimeLibrary(task, machine, cuda === undefined ? undefined : cupti(cuda));
  if (step !== undefined) {
    fs.writeFileSync(step.args[step.args.indexOf("-o") + 1], "");
    await step.finish?.(new AbortController().signal);
  }
  return { library, isCompiled: step !== undefined };
}

/** The first and every other way are compiled once each, and stay beside each other. */
async function expectOwnLibraries(...ways: readonly (() => ReturnType<typeof asked>)[]): Promise<void> {
  const libraries = new Set<string>();
  for (const way of ways) {
    const { library, isCompiled } = await way();
    expect(isCompiled).toBe(true);
    libraries.add(library);
  }
  expect(libraries.size).toBe(ways.length);
  for (const way of ways) expect((await way()).isCompiled).toBe(false);
}

describe("the tracker's runtime is compiled again", () => {
  it.each([
    ["MPI", "mpicxx", 2],
    ["compiler", "c++", 0],
  ])("for another %s of the same name", async (_, name, ranks) => {
    compiler(name, "one");
    compiler(name, "two");
    await expectOwnLibraries(
      () => asked({ ranks, bins: ["one"] }),
      () => asked({ ranks, bins: ["two"] }),
    );
  });

  it("for another compiler behind the same link", async () => {
    compiler("g++-12", "bin");
    compiler("g++-13", "bin");
    const link = path.join(folder, "bin/c++");
    const to = (name: string) => async () => {
      fs.rmSync(link, { force: true });
      fs.symlinkSync(name, link);
      return asked({});
    };
    await expectOwnLibraries(to("g++-12"), to("g++-13"));
  });

  it("for a wrapper that says, or is told, to call another compiler", async () => {
    compiler("mpicxx", "bin", "g++ -I$MPI_HOME/include");
    await expectOwnLibraries(
      () => asked({ ranks: 2 }),
      () => asked({ ranks: 2 }, { OMPI_CXX: "clang++" }),
      () => asked({ ranks: 2 }, { PE_ENV: "CRAY" }),
    );
    process.env.MPI_HOME = "/opt/other";
    try {
      expect((await asked({ ranks: 2 })).isCompiled).toBe(true);
    } finally {
      delete process.env.MPI_HOME;
    }
  });

  it("for another CUDA, and for one that was installed at the same place later", async () => {
    compiler("c++", "bin");
    const toolkit = (name: string, text: string) => {
      const library = path.join(folder, name, "lib64/libcupti.so");
      fs.mkdirSync(path.dirname(library), { recursive: true });
      fs.writeFileSync(library, text);
      return path.join(folder, name);
    };
    const [older, newer] = [toolkit("cuda-12", "12"), toolkit("cuda-13", "13")];
    await expectOwnLibraries(
      () => asked({ cuda: older }),
      () => asked({ cuda: newer }),
      () => asked({}),
    );
    toolkit("cuda-12", "12.8");
    expect((await asked({ cuda: older })).isCompiled).toBe(true);
  });

  it("where a compilation was cut short", async () => {
    compiler("c++", "bin");
    const machine = thisMachine(path.resolve("tracker"), {}, { PATH: path.join(folder, "bin") });
    const task = { output: path.join(folder, "out"), ranks: 0, env: {} };
    const { step, library } = await runtimeLibrary(task, machine);
    fs.writeFileSync(step?.args[step.args.indexOf("-o") + 1] ?? "", "half of it");
    expect(fs.existsSync(library)).toBe(false);
    expect((await runtimeLibrary(task, machine)).step).toBeDefined();
  });
});
