import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EnsembleFolders } from "../../../src/session/ensembleFolders";
import { Recordings } from "../../../src/session/recordings";
import { emptySession, readSavedSession } from "../../../src/session/savedState";
import { dataSetInfo } from "./sampleInfo";
import { Emitter } from "./standInForVsCode";

const here = vi.hoisted(() => ({ watching: new Map<string, Record<string, (file: string) => void>>(), said: [] as string[] })); // prettier-ignore

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("./standInForVsCode");
  const known = standIn(heardNothing());
  const createFileSystemWatcher = ({ base }: { base: { fsPath: string } }) => {
    const [create, change, remove] = [new Emitter<object>(), new Emitter<object>(), new Emitter<object>()];
    const fire = (emitter: Emitter<object>) => (file: string) => emitter.fire({ fsPath: file });
    here.watching.set(base.fsPath, { create: fire(create), change: fire(change), remove: fire(remove) });
    const dispose = () => here.watching.delete(base.fsPath);
    return { onDidCreate: create.event, onDidChange: change.event, onDidDelete: remove.event, dispose };
  };
  const RelativePattern = class {
    constructor(
      readonly base: object,
      readonly pattern: string,
    ) {}
  };
  return {
    ...known,
    RelativePattern,
    workspace: {
      createFileSystemWatcher,
      getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    },
    window: { setStatusBarMessage: (text: string) => here.said.push(text) },
  };
});

const ensembleOf = (...names: string[]) => ({ names, lacking: [[], []] });
let folder: string;
let recordings: Recordings;
let reads: number[];
let onDisk: readonly string[];
let folders: EnsembleFolders;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-watch-"));
  recordings = new Recordings(emptySession);
  reads = [];
  onDisk = ["np1", "np4"];
  here.said.length = 0;
  const info = () => {
    const files = onDisk.map((name) => path.join(folder, `${name}.cali`));
    return dataSetInfo({ name: `${onDisk.length} runs`, files, ensemble: ensembleOf(...onDisk) });
  };
  recordings.add(info(), { paths: [folder], ensemble: {} });
  folders = new EnsembleFolders(recordings, async (id) => {
    reads.push(id);
    recordings.opened(id, info(), {});
  });
  folders.update();
  await vi.waitFor(() => expect(here.watching.has(folder)).toBe(true));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  folders.dispose();
  fs.rmSync(folder, { recursive: true });
});

const happens = (what: "create" | "change" | "remove", name: string) => here.watching.get(folder)?.[what](path.join(folder, name)); // prettier-ignore

it("a run that comes into an ensemble's folder is added once it is written, and what is restricted to stays", async () => {
  recordings.change(1, { choice: { chosen: { by: "run", members: ["1"] } } });
  happens("create", "np2.cali");
  onDisk = ["np1", "np2", "np4"];
  for (let second = 0; second < 5; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    happens("change", "np2.cali");
  }
  expect(reads).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(reads).toEqual([1]);
  expect(here.said).toEqual(["$(add) Heatflow: 1 run came to 3 runs: np2"]);
  expect(recordings.get(1)?.choice.chosen).toEqual({ by: "run", members: ["2"] });
  // A run that is written anew, and one that goes.
  happens("change", "np1.cali");
  await vi.advanceTimersByTimeAsync(2000);
  onDisk = ["np1", "np2"];
  happens("remove", "np4.cali");
  await vi.advanceTimersByTimeAsync(2000);
  expect([reads, here.said.length]).toEqual([[1, 1, 1], 1]);
  // Of nothing that is left there is no restriction.
  expect(recordings.get(1)?.choice.chosen).toBeUndefined();
});

it("hidden files, and files that go on being written without being a run, are not read again and again", async () => {
  happens("create", ".np2.cali.part");
  happens("change", "build.log");
  await vi.advanceTimersByTimeAsync(5000);
  expect(reads).toEqual([]);
  happens("create", "run.log");
  await vi.advanceTimersByTimeAsync(2000);
  happens("change", "run.log");
  await vi.advanceTimersByTimeAsync(2000);
  expect(reads).toEqual([1]);
});

it("an ensemble that was closed is watched no more, nor is what was read when it was one", () => {
  happens("create", "np2.cali");
  recordings.remove(1);
  folders.update();
  expect(here.watching.size).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(reads).toEqual([]);
});

it("a restriction is to the same runs when the window comes back and others are there", () => {
  recordings.change(1, { choice: { chosen: { by: "run", members: ["1"] } } });
  const saved = readSavedSession(JSON.parse(JSON.stringify({ ...recordings.saved(), renamed: [] })));
  const again = new Recordings(saved);
  const info = dataSetInfo({
    files: [path.join(folder, "np1.cali")],
    ensemble: ensembleOf("np0", "np1", "np2", "np4"),
  });
  again.opened(1, info, {});
  expect(again.get(1)?.choice.chosen).toEqual({ by: "run", members: ["3"] });
  // Also when it was written once more before it was open.
  const twice = new Recordings(readSavedSession(JSON.parse(JSON.stringify({ ...new Recordings(saved).saved(), renamed: [] })))); // prettier-ignore
  twice.opened(1, info, {});
  expect(twice.get(1)?.choice.chosen).toEqual({ by: "run", members: ["3"] });
});
