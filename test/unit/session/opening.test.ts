import { describe, expect, it, vi } from "vitest";
import type { Engine, OpenRequest } from "../../../src/engine/api";
import type { Task } from "../../../src/model/task";
import { openAsking } from "../../../src/session/opening";

vi.mock("vscode", async () => {
  const { standIn } = await import("./standInForVsCode");
  return standIn({ commands: [], trees: [], customEditors: [], messages: [] });
});

/** What is heard of the progress of opening these paths, where the engine reports these files. */
async function heardOf(paths: readonly string[], files: readonly string[]): Promise<(string | undefined)[]> {
  const heard: (string | undefined)[] = [];
  const open = (_: OpenRequest, task: Task) => {
    files.forEach((file, at) => task.progress(at / files.length, file));
    return Promise.resolve([]);
  };
  const engine = { open } as unknown as Engine;
  await openAsking(
    () => engine,
    { paths },
    "the title",
    (_, message) => void heard.push(message),
  );
  return heard;
}

describe("progress of opening", () => {
  it("has the names of files, unless there is one, which the title names", async () => {
    expect(await heardOf(["/runs/big.perf-script"], ["big.perf-script", "finding source lines"])).toEqual([
      undefined,
      "finding source lines",
    ]);
    expect(await heardOf(["C:\\runs\\a.cali"], ["a.cali"])).toEqual([undefined]);
    expect(await heardOf(["/runs"], ["a.cali", "b.cali"])).toEqual(["a.cali", "b.cali"]);
    expect(await heardOf(["/runs/a.cali", "/runs/b.cali"], ["a.cali", "b.cali"])).toEqual(["a.cali", "b.cali"]);
  });
});
