import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRecordings } from "../../../src/formats/registry";
import { RUN_FILE } from "../../../src/model/runFacts";
import { quietTask } from "../../../src/model/task";
import { listFiles } from "../../../src/source/listing";
import { tracedTask } from "../../../src/traced/definition";
import { mirror } from "../../../src/traced/mirror";
import { runTexts } from "../../../src/traced/runTexts";
import { deleteRun, factsOf, keepFacts, listRuns, makeOutput, newRunFolder } from "../../../src/traced/runs";

let folder: string;
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-runs-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

describe("runs", () => {
  const ended = { code: 0, signal: null, seconds: 1.5 };

  it("are kept, listed with the latest first, and deleted one by one", async () => {
    const task = tracedTask({ tool: "callgrind", args: ["$(x)"] }, folder);
    const made: string[] = [];
    for (const time of ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", "2026-01-03T00:00:00Z"]) {
      const run = await newRunFolder(task, "/bin/my program", new Date(time));
      await keepFacts(run, factsOf(task, { program: "/bin/my program", flags: ["-g"] }, new Date(time), ended));
      made.push(path.basename(run));
    }
    expect(made).toEqual([
      "2026-01-02 03-04-05 my_program callgrind",
      "2026-01-02 03-04-05 my_program callgrind 2",
      "2026-01-03 00-00-00 my_program callgrind",
    ]);
    const runs = await listRuns(task.output);
    expect(runs.map(({ facts }) => facts.startedAt)[0]).toBe("2026-01-03T00:00:00.000Z");
    expect(runs[0].facts).toMatchObject({ tool: "callgrind", args: ["$(x)"], seconds: 1.5, exitCode: 0 });
    await deleteRun(runs[0], task.output);
    expect(await listRuns(task.output)).toHaveLength(2);
    await expect(deleteRun({ ...runs[1], folder }, task.output)).rejects.toThrow("is no run");
  });

  it("lie where neither git nor the search for functions takes anything for a source", async () => {
    const output = path.join(folder, "measured");
    await makeOutput(output);
    fs.mkdirSync(path.join(output, "build"));
    fs.writeFileSync(path.join(output, "build", "main.cpp"), "int main() {}");
    fs.writeFileSync(path.join(folder, "main.cpp"), "int main() {}");
    expect((await listFiles([folder], quietTask)).files).toEqual([path.join(folder, "main.cpp")]);
    expect(fs.readFileSync(path.join(output, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("never hide from git what lies in a folder already", async () => {
    fs.writeFileSync(path.join(folder, ".gitignore"), "mine\n");
    await expect(makeOutput(folder)).rejects.toThrow("already has other files");
    expect(fs.readFileSync(path.join(folder, ".gitignore"), "utf8")).toBe("mine\n");
    const output = path.join(folder, "measured");
    await makeOutput(output);
    fs.writeFileSync(path.join(output, ".gitignore"), "mine\n");
    await makeOutput(output);
    expect(fs.readFileSync(path.join(output, ".gitignore"), "utf8")).toBe("mine\n");
  });

  it("leave out what is no run", async () => {
    const output = path.join(folder, ".heatflow");
    for (const [name, text] of Object.entries({ a: "{", b: '{"version":2}', c: "null" })) {
      fs.mkdirSync(path.join(output, "runs", name), { recursive: true });
      fs.writeFileSync(path.join(output, "runs", name, RUN_FILE), text);
    }
    expect(await listRuns(output)).toEqual([]);
    expect(await listRuns(path.join(folder, "nothing"))).toEqual([]);
  });

  it("are listed with their total, once their pages have stated it, and with the commit they were built of", async () => {
    const task = tracedTask({ tool: "callgrind", args: ["24", "10"], ranks: 4 }, folder);
    const run = await newRunFolder(task, "/bin/heat", new Date(0));
    const facts = factsOf(task, { program: "/bin/heat", flags: [] }, new Date(0), {
      code: 3,
      signal: null,
      seconds: 1.5,
    });
    expect(runTexts(facts)).toMatchObject({
      description: "callgrind",
      detail: "ran 1.50 s under valgrind · exit code 3 · 4 ranks · 24 10",
    });
    const total = { of: "Ir · mean over 4 ranks", unit: "1", value: 1234567 };
    await keepFacts(run, { ...facts, commit: "0123456789abcdef", isDirty: true, total });
    const [known] = await listRuns(task.output);
    expect(runTexts(known.facts)).toMatchObject({
      description: "callgrind · 1.23 M Ir · mean over 4 ranks",
      detail: "ran 1.50 s under valgrind · exit code 3 · 4 ranks · commit 0123456789 with changes · 24 10",
    });
    expect(runTexts({ ...known.facts, isDirty: false }).detail).toContain("0123456789 without changes");
    fs.writeFileSync(path.join(run, RUN_FILE), JSON.stringify({ ...facts, total: { of: 1 } }));
    expect((await listRuns(task.output))[0].facts.total).toBeUndefined();
  });

  it("say with their recording how it came to be", async () => {
    const task = tracedTask({}, folder);
    const run = await newRunFolder(task, "program", new Date(0));
    const measured = { program: "program", flags: ["-g", "-O2"] };
    const facts = factsOf(task, measured, new Date(0), { code: null, signal: "SIGSEGV", seconds: 2 });
    await keepFacts(run, { ...facts, commit: "0123456789", isDirty: true });
    fs.writeFileSync(
      path.join(run, "trace.json"),
      '{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}]}',
    );
    const [{ globals }] = await openRecordings([run], {}, quietTask);
    expect(globals.get("run.tool")).toEqual(["tracker"]);
    expect(globals.get("run.flags")).toEqual(["-g -O2"]);
    expect(globals.get("run.commit")).toEqual(["0123456789, with changes that were not committed"]);
    expect(globals.get("run.ended")).toEqual(["by SIGSEGV"]);
  });
});

describe("a copy to build in", () => {
  const at = (...names: string[]) => path.join(folder, ...names);
  const write = (text: string, ...names: string[]) => {
    fs.mkdirSync(path.dirname(at(...names)), { recursive: true });
    fs.writeFileSync(at(...names), text);
  };

  it("has the sources, and none of what was built or is the tool's own", async () => {
    write("int main;", "from", "src", "main.cpp");
    write("x", "from", "src", "main.o");
    write("\x7fELF…", "from", "program");
    write("x", "from", ".git", "HEAD");
    write("x", "from", ".heatflow", "runs", "a");
    fs.symlinkSync("src/main.cpp", at("from", "link.cpp"));
    await mirror(at("from"), at("to"), never);
    expect(fs.readdirSync(at("to"), { recursive: true }).sort()).toEqual(["link.cpp", "src", "src/main.cpp"]);
    expect(fs.readFileSync(at("to", "link.cpp"), "utf8")).toBe("int main;");
  });

  it("takes what was edited, leaves what it has built, and keeps times, so that make compiles no more than it must", async () => {
    write("one", "from", "a.cpp");
    write("two", "from", "b.cpp");
    await mirror(at("from"), at("to"), never);
    write("object", "to", "a.o");
    const before = fs.statSync(at("to", "b.cpp")).mtimeMs;
    write("edited", "from", "a.cpp");
    await mirror(at("from"), at("to"), never);
    expect(fs.readFileSync(at("to", "a.cpp"), "utf8")).toBe("edited");
    expect(fs.readFileSync(at("to", "a.o"), "utf8")).toBe("object");
    expect(fs.statSync(at("to", "b.cpp")).mtimeMs).toBe(before);
  });

  it("never writes or deletes through a link what is not its own", async () => {
    write("shared", "shared", "a.cpp");
    write("shared", "shared", "b.cpp");
    fs.mkdirSync(at("from"));
    fs.symlinkSync(at("shared", "a.cpp"), at("from", "a.cpp"));
    fs.symlinkSync(at("shared"), at("from", "parts"));
    await mirror(at("from"), at("to"), never);
    for (const name of ["a.cpp", "parts"]) fs.rmSync(at("from", name));
    write("own", "from", "a.cpp");
    write("own", "from", "parts", "b.cpp");
    await mirror(at("from"), at("to"), never);
    expect(fs.readFileSync(at("to", "parts", "b.cpp"), "utf8")).toBe("own");
    fs.rmSync(at("from", "parts"), { recursive: true });
    fs.symlinkSync(at("shared"), at("from", "parts"));
    await mirror(at("from"), at("to"), never);
    expect(["a.cpp", "b.cpp"].map((name) => fs.readFileSync(at("shared", name), "utf8"))).toEqual(["shared", "shared"]);
    expect(fs.readFileSync(at("to", "a.cpp"), "utf8")).toBe("own");
  });

  it("has nothing of what was deleted, and leaves what was built", async () => {
    write("one", "from", "a.cpp");
    write("two", "from", "parts", "b.cpp");
    await mirror(at("from"), at("to"), never);
    write("object", "to", "parts", "b.o");
    fs.rmSync(at("from", "parts"), { recursive: true });
    await mirror(at("from"), at("to"), never);
    expect(fs.readdirSync(at("to"), { recursive: true }).sort()).toEqual(["a.cpp", "parts", "parts/b.o"]);
  });

  it("has its own copy behind links within the folder", async () => {
    write("one", "from", "src", "a.cpp");
    fs.symlinkSync("src", at("from", "include"));
    await mirror(at("from"), at("to"), never);
    write("object", "to", "include", "a.o");
    expect(fs.existsSync(at("from", "src", "a.o"))).toBe(false);
  });
});
