import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withLock } from "../../../src/traced/folderLock";
import { makeOutput } from "../../../src/traced/runs";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-lock-"));
  lock = path.join(folder, "build.lock");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const host = (waiting: () => void = () => undefined, signal = new AbortController().signal) => ({ signal, waiting });

/** Code that runs in a process of its own with the lock. */
async function started(name: string, code: string) {
  const file = path.join(folder, `${name}.cjs`);
  const contents = `import { withLock } from ${JSON.stringify(path.resolve("src/traced/folderLock.ts"))};
    import fs from "node:fs";
    const host = { signal: new AbortController().signal, waiting() {} };
    const lock = ${JSON.stringify(lock)}, counter = ${JSON.stringify(path.join(folder, "counter"))};
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    (async () => { ${code} })();`;
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    platform: "node",
    outfile: file,
    logLevel: "error",
  });
  return spawn(process.execPath, [file], { stdio: "ignore" });
}

describe("a lock between processes", () => {
  it("loses no change that several processes, and several parts of one, make at the same time", async () => {
    const counter = path.join(folder, "counter");
    fs.writeFileSync(counter, "0");
    const code = `for (let at = 0; at < 5; at++) await withLock(lock, host, async () => {
      const before = Number(fs.readFileSync(counter, "utf8")); await pause(2); fs.writeFileSync(counter, String(before + 1)); });`;
    const others = await Promise.all(["a", "b", "c"].map((name) => started(name, code)));
    const ends = others.map((other) => once(other, "exit"));
    const here = Array.from({ length: 5 }, () =>
      withLock(lock, host(), async () => {
        const before = Number(fs.readFileSync(counter, "utf8"));
        await new Promise((resolve) => setTimeout(resolve, 2));
        fs.writeFileSync(counter, String(before + 1));
      }),
    );
    await Promise.all([...here, ...ends]);
    expect(fs.readFileSync(counter, "utf8")).toBe("20");
    expect(fs.readdirSync(folder).filter((name) => name.startsWith("build.lock"))).toEqual([]);
  });

  it("is taken over from a process that was killed", async () => {
    const holder = await started(
      "holder",
      `await withLock(lock, host, () => { fs.writeFileSync(counter, ""); return pause(1e8); });`,
    );
    await vi.waitFor(() => expect(fs.existsSync(path.join(folder, "counter"))).toBe(true), { timeout: 20_000 });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const waited = vi.fn();
    expect(await withLock(lock, host(waited), async () => "built")).toBe("built");
    expect(waited).toHaveBeenCalledOnce();
  });

  /** A lock as this process writes it, with other facts. */
  async function written(over: Record<string, unknown>): Promise<void> {
    const text = await withLock(lock, host(), async () => fs.readFileSync(lock, "utf8"));
    fs.writeFileSync(lock, JSON.stringify({ ...(JSON.parse(text) as object), ...over }));
  }

  it("is taken over where its process number is another process's by now", async () => {
    await written({ started: "1" });
    expect(await withLock(lock, host(), async () => "built")).toBe("built");
  });

  it.each([
    ["another host", { host: "node2" }],
    ["another container", { namespace: "pid:[1]", process: 2 ** 22 - 1 }],
    ["a process number that may be another process's by now", { started: "" }],
  ])("of %s is waited for until that gives no sign of life", async (_, over) => {
    await written(over);
    const text = fs.readFileSync(lock, "utf8");
    const stopping = new AbortController();
    const stopped = withLock(
      lock,
      host(() => stopping.abort(new Error("stopped")), stopping.signal),
      async () => "built",
    );
    await expect(stopped).rejects.toThrow("stopped");
    expect(fs.readFileSync(lock, "utf8")).toBe(text);
    expect(await withLock(lock, host(), async () => "built", 150)).toBe("built");
  });

  it("that nobody can read is waited for in the same way", async () => {
    fs.writeFileSync(lock, "{");
    expect(await withLock(lock, host(), async () => "built", 150)).toBe("built");
  });

  it("is given back by work that fails", async () => {
    const failing = withLock(lock, host(), () => Promise.reject(new Error("no compiler")));
    await expect(failing).rejects.toThrow("no compiler");
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe("the output folder", () => {
  it("is made by several windows at the same time", async () => {
    const output = path.join(folder, "out");
    await Promise.all(Array.from({ length: 20 }, () => makeOutput(output)));
    expect(fs.readdirSync(output).sort()).toEqual([".gitignore", "CACHEDIR.TAG"]);
  });

  it.each([
    [".gitignore", "mine\n"],
    ["CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# of cargo\n"],
    [".gitignore.orig", ""],
  ])("is not made where a %s of somebody else's is", async (name, text) => {
    fs.writeFileSync(path.join(folder, name), text);
    await expect(makeOutput(folder)).rejects.toThrow("already has other files");
    expect(fs.readdirSync(folder)).toEqual([name]);
  });

  it("is marked where a window ended while it did so", async () => {
    fs.writeFileSync(path.join(folder, ".gitignore"), "*\n");
    fs.writeFileSync(path.join(folder, "CACHEDIR.TAG.new-12-ab"), "Sig");
    await makeOutput(folder);
    expect(fs.readFileSync(path.join(folder, "CACHEDIR.TAG"), "utf8")).toContain("Heatflow");
  });
});
