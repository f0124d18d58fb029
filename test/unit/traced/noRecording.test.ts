import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tracedTask } from "../../../src/traced/definition";
import { whyNoRecording } from "../../../src/traced/noRecording";
import { factsOf } from "../../../src/traced/runs";

let folder: string;
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-none-"))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A program that records nothing, compiled with these flags. */
function compiled(...flags: string[]): string {
  const source = path.join(folder, "plain.c");
  fs.writeFileSync(source, "int main(void) { return 0; }\n");
  const program = path.join(folder, "plain");
  execFileSync("cc", [source, "-o", program, ...flags]);
  return program;
}

function why(program: string, definition: Record<string, unknown>, ended = {}, library?: string): Promise<string> {
  const task = tracedTask(definition, folder);
  const facts = factsOf(task, { program, flags: [] }, new Date(0), { code: 0, signal: null, seconds: 2, ...ended });
  return whyNoRecording(task, facts, library);
}

describe("a run without a recording", () => {
  it("says how it ended", async () => {
    const program = compiled();
    expect(await why(program, { tool: "callgrind" })).toBe("It ended after 2.0 s.");
    expect(await why(program, { tool: "callgrind" }, { code: 3 })).toBe("It ended with exit code 3 after 2.0 s.");
    const killed = await why(program, { tool: "callgrind" }, { code: null, signal: "SIGKILL" });
    expect(killed).toBe("It was ended by SIGKILL after 2.0 s.");
  });

  it("is of a program that no library can be loaded into", async () => {
    const program = compiled("-static");
    expect(await why(program, { tool: "instrument" }, {}, "/runtime.so")).toContain("linked statically");
    // Without a runtime it is no reason.
    expect(await why(program, { tool: "tracker" })).toContain("Nothing in it is marked");
  });

  it("is of a program whose build takes no flags, or that marks nothing", async () => {
    expect(await why(compiled(), { tool: "instrument" }, {}, "/runtime.so")).toContain(
      "not compiled with -finstrument-functions",
    );
    expect(await why(compiled(), { tool: "tracker" }, {}, "/runtime.so")).toContain("Nothing in it is marked");
    const instrumented = await why(compiled("-finstrument-functions"), { tool: "instrument" }, {}, "/runtime.so");
    expect(instrumented).toBe("It ended after 2.0 s.");
  });

  it("is of a script, or of settings that write elsewhere or nothing", async () => {
    const script = path.join(folder, "script");
    fs.writeFileSync(script, "#!/bin/sh\n");
    expect(await why(script, { tool: "instrument" })).toContain("a script, perhaps");
    const env = (name: string, value: string) => ({ tool: "instrument", env: { [name]: value } });
    expect(await why(compiled(), env("HEATFLOW_ENABLE", "0"))).toContain("HEATFLOW_ENABLE is 0");
    expect(await why(compiled(), env("HEATFLOW_OUTPUT", "/else/a.json"))).toContain("/else/a.json");
  });
});
