import { describe, expect, it, vi } from "vitest";
import type { Engine, OpenRequest } from "../../../src/engine/api";
import type { Task } from "../../../src/model/task";
import { dividing, estimating, FINDING_CONTEXTS } from "../../../src/model/stages";
import { openAsking } from "../../../src/session/opening";

vi.mock("vscode", async () => {
  const { standIn } = await import("./standInForVsCode");
  return standIn({ commands: [], trees: [], customEditors: [], messages: [] });
});

/** What is heard of the progress of opening these paths, of so many bytes, where the engine reports these messages. */
async function heardOf(
  paths: readonly string[],
  reports: readonly (readonly [fraction: number | undefined, message?: string])[],
  bytes = NaN,
): Promise<(string | undefined)[]> {
  const heard: (string | undefined)[] = [];
  const open = (_: OpenRequest, task: Task) => {
    for (const [fraction, message] of reports) task.progress(fraction, message);
    return Promise.resolve([]);
  };
  const engine = { open } as unknown as Engine;
  await openAsking(
    () => engine,
    { paths },
    "the title",
    () => bytes,
    (_, message) => void heard.push(message),
  );
  return heard;
}

describe("progress of opening", () => {
  it("has bytes and the names of files, unless there is one, which the title names", async () => {
    const both = [
      [0, "a.cali"],
      [0.5, "b.cali"],
    ] as const;
    expect(await heardOf(["/runs/big.perf-script"], [[0.25, "big.perf-script"]], 8e6)).toEqual(["2.00 MB of 8.00 MB"]);
    expect(await heardOf(["C:\\runs\\a.cali"], [[0.25, "a.cali"]])).toEqual(["reading"]);
    expect(await heardOf(["/runs"], both)).toEqual(["a.cali", "b.cali"]);
    const read = ["0 B of 8.00 MB, a.cali", "4.00 MB of 8.00 MB, b.cali"];
    expect(await heardOf(["/runs/a.cali", "/runs/b.cali"], both, 8e6)).toEqual(read);
  });

  it("has no bytes of files that lie beside the one that was named", async () => {
    const reports = [[0.5], [0.25, "trace.db"], [1, "trace.db"]] as const;
    expect(await heardOf(["/runs/meta.db"], reports, 2e4)).toEqual([
      "reading",
      "trace.db",
      "all read, putting it together",
    ]);
  });

  it("names the work that follows, and claims no bytes for it", async () => {
    const paths = ["/runs/a.callgrind"];
    const reports = [
      [1, "a.callgrind"],
      [0.3, FINDING_CONTEXTS],
      [undefined, estimating(12_345, 1)],
      [undefined, estimating(9, 2)],
      [undefined, dividing(12_345)],
    ] as const;
    expect(await heardOf(paths, reports, 8e6)).toEqual([
      "8.00 MB read, putting it together",
      "finding calling contexts",
      "estimating calling contexts: 12,345",
      "estimating calling contexts: 9, pass 2",
      "dividing costs among 12,345 calling contexts",
    ]);
    expect(await heardOf(paths, [[1, "a.callgrind"]])).toEqual(["all read, putting it together"]);
  });
});
