import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, run, temporaryFolder } from "./build";
import { opened, total } from "./opened";
import { callsByName, readTrackerFile } from "./recording";

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const program = () => build(folder, ["test/files.cpp"]);

/** A folder that programs run in. */
const workplace = () => fs.mkdtempSync(path.join(folder, "work-"));

/** Runs the program in a folder, under names that it chooses itself unless the environment has one. */
function runIn(at: string, [name, milliseconds]: readonly [string, number], environment: Record<string, string> = {}) {
  const output = environment.HEATFLOW_OUTPUT ?? "";
  const given = { HEATFLOW_METRICS: "0", ...environment, HEATFLOW_OUTPUT: output };
  return run(at, "/usr/bin/env", ["-C", at, program(), name, String(milliseconds)], given);
}

const namesIn = (at: string) => fs.readdirSync(at).sort();
const regionsOf = (file: string) => [...callsByName(readTrackerFile(file)).keys()];
const rankOf = (file: string) =>
  (readTrackerFile(file) as { distributedInfo?: { rank: number } }).distributedInfo?.rank;

describe("the file of a recording", () => {
  it("is readable by its owner alone", () => {
    const at = workplace();
    expect(runIn(at, ["one", 0], { HEATFLOW_OUTPUT: "out.json" }).status).toBe(0);
    expect(fs.statSync(path.join(at, "out.json")).mode & 0o777).toBe(0o600);
  });

  it("replaces that of the run before under a fixed name", () => {
    const at = workplace();
    for (const name of ["first", "second"])
      expect(runIn(at, [name, 0], { HEATFLOW_OUTPUT: "out.json" }).complained).toBe("");
    expect(namesIn(at)).toEqual(["out.json"]);
    expect(regionsOf(path.join(at, "out.json"))).toEqual(["second"]);
  });

  it.each([
    ["rank", "heatflow-rank0.json", { OMPI_COMM_WORLD_RANK: "0", OMPI_COMM_WORLD_SIZE: "1" }],
    ["rank, under a name with places", "of-0.json", { PMI_RANK: "0", PMI_SIZE: "2", HEATFLOW_OUTPUT: "of-%r.json" }],
  ])("leaves that of an earlier run alone where the name is that of a %s", (_, name, environment) => {
    const at = workplace();
    expect(runIn(at, ["first", 0], environment).complained).toBe("");
    const next = name.replace(".json", "-2.json");
    expect(runIn(at, ["second", 0], environment).complained).toBe(
      `heatflow: ${name} already exists. This recording is in ${next}.\n`,
    );
    expect(namesIn(at).map((file) => [file, regionsOf(path.join(at, file)), rankOf(path.join(at, file))])).toEqual([
      [next, ["second"], 0],
      [name, ["first"], 0],
    ]);
  });

  it.each([
    ["a file that is no recording", "precious", (at: string) => fs.writeFileSync(at, "precious")],
    [
      "what a symbolic link leads to",
      "precious",
      (at: string) => fs.symlinkSync(written(`${at}.kept`, "precious"), at),
    ],
    ["another name of a recording", "{}", (at: string) => fs.linkSync(written(`${at}.kept`, "{}"), at)],
  ])("never destroys %s", (_, text, make) => {
    for (const name of ["heatflow-rank0.json", "out.json"]) {
      const at = workplace();
      make(path.join(at, name));
      const environment =
        name === "out.json" ? { HEATFLOW_OUTPUT: name } : { OMPI_COMM_WORLD_RANK: "0", OMPI_COMM_WORLD_SIZE: "1" };
      expect(runIn(at, ["one", 0], environment)).toMatchObject({
        status: 0,
        complained: expect.stringContaining(name) as string,
      });
      for (const file of namesIn(at).filter((one) => !/-2\.json$/.test(one)))
        expect(fs.readFileSync(path.join(at, file), "utf8")).toBe(text);
    }
  });

  it("never follows a symbolic link to nowhere", () => {
    const at = workplace();
    fs.symlinkSync(path.join(at, "nowhere"), path.join(at, "out.json"));
    const { complained } = runIn(at, ["one", 0], { HEATFLOW_OUTPUT: "out.json" });
    expect(complained).toBe("heatflow: out.json can't be written: it is a symbolic link. Nothing is recorded.\n");
    expect(namesIn(at)).toEqual(["out.json"]);
  });

  it.each([
    ["a pipe", (at: string) => void execFileSync("mkfifo", [at])],
    ["a folder", (at: string) => fs.mkdirSync(at)],
  ])("is no %s", (kind, make) => {
    const at = workplace();
    make(path.join(at, "out.json"));
    const { status, complained } = runIn(at, ["one", 0], { HEATFLOW_OUTPUT: "out.json" });
    expect([status, complained]).toEqual([
      0,
      `heatflow: out.json can't be written: it is ${kind}. Nothing is recorded.\n`,
    ]);
  });

  it("may be a device", () => {
    const at = workplace();
    expect(runIn(at, ["one", 0], { HEATFLOW_OUTPUT: "/dev/null" })).toMatchObject({ status: 0, complained: "" });
    expect(namesIn(at)).toEqual([]);
  });

  it("names no control characters to a terminal", () => {
    const at = workplace();
    fs.mkdirSync(path.join(at, "a\u001b[2J\u202e.json"));
    const { complained } = runIn(at, ["one", 0], { HEATFLOW_OUTPUT: "a\u001b[2J\u202e.json" });
    expect(complained).toBe("heatflow: a\\x1b[2J\\u202e.json can't be written: it is a folder. Nothing is recorded.\n");
  });
});

describe("a process that becomes another program", () => {
  it.each([
    ["under its number", {}],
    ["as a rank", { OMPI_COMM_WORLD_RANK: "0", OMPI_COMM_WORLD_SIZE: "1" }],
    ["under a fixed name", { HEATFLOW_OUTPUT: "out.json" }],
  ])("keeps what it has recorded before, %s", async (_, environment) => {
    const at = workplace();
    const { status, complained } = runIn(at, ["exec", 700], environment);
    expect([status, complained]).toEqual([0, ""]);
    const [second, first, ...others] = namesIn(at);
    expect(others).toEqual([]);
    expect(second).toBe(first.replace(".json", "-2.json"));
    expect(regionsOf(path.join(at, second))).toEqual(["replacement"]);
    const before = await opened(path.join(at, first));
    expect(total(before, "time")).toBeGreaterThan(0.3);
  });
});

it("writes one file per process where several have a fixed name", () => {
  const at = workplace();
  expect(runIn(at, ["forks", 50], { HEATFLOW_OUTPUT: "out.json" })).toMatchObject({ status: 0, complained: "" });
  expect(namesIn(at)).toEqual(["out-2.json", "out-3.json", "out.json"]);
  expect(regionsOf(path.join(at, "out.json"))).toEqual(["forks"]);
  for (const child of ["out-2.json", "out-3.json"]) expect(regionsOf(path.join(at, child))).toEqual(["child"]);
});

it("is written by its own process alone, whatever has gathered when that forks", () => {
  const at = workplace();
  expect(runIn(at, ["threads", 0], { HEATFLOW_OUTPUT: "out.json" })).toMatchObject({ status: 0, complained: "" });
  const file = path.join(at, "out.json");
  // Valid to any reader of JSON, and each event once.
  const { traceEvents } = JSON.parse(fs.readFileSync(file, "utf8")) as { traceEvents: { ph: string; name: string }[] };
  expect(traceEvents.filter(({ ph, name }) => ph === "X" && name === "short")).toHaveLength(600);
  expect(callsByName(readTrackerFile(file)).get("short")).toBe(600);
});

describe("jobs in one folder at once", () => {
  it.each([
    ["with the launcher's names of them", 2, ["job 1", "job 2"]],
    ["with no names", 3, ["", ""]],
    ["three of them", 1, ["a", "b", "c"]],
  ])("keep all ranks, %s", async (_, ranks, jobs) => {
    const at = workplace();
    const started = jobs.flatMap((job) =>
      [...Array(ranks).keys()].map((rank) => {
        const place = { OMPI_COMM_WORLD_RANK: String(rank), OMPI_COMM_WORLD_SIZE: String(ranks) };
        const env = { ...process.env, ...place, PMIX_NAMESPACE: job, HEATFLOW_OUTPUT: "", HEATFLOW_METRICS: "0" };
        const child = spawn(program(), [`job ${job}`, "300"], { cwd: at, env, stdio: "ignore" });
        return new Promise((resolve) => child.on("close", resolve));
      }),
    );
    expect(await Promise.all(started)).toEqual(started.map(() => 0));
    const found = namesIn(at).map((name) => `${regionsOf(path.join(at, name)).join()} ${rankOf(path.join(at, name))}`);
    const all = jobs.flatMap((job) => [...Array(ranks).keys()].map((rank) => `job ${job} ${rank}`));
    expect(found.sort()).toEqual(all.sort());
  });
});

function written(file: string, text: string): string {
  fs.writeFileSync(file, text);
  return file;
}
