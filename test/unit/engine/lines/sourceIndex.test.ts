/** The index of the source: shared by all questions, cancelled with the last of them, started anew with other settings, limited. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Links } from "../../../../src/engine/lines/links";
import { CancelledError } from "../../../../src/model/errors";
import { quietTask, taskOf } from "../../../../src/model/task";
import { folderWith, grammars } from "../../source/program";
import { Grammars } from "../../../../src/source/grammar";
import { openRecording } from "../recordings";

afterEach(() => vi.restoreAllMocks());

const ranFunction = (name: string) => [[{ name, kind: "function" as const }], 0, 1] as const;

/** Links over folders of `count` files, `f7` in the seventh; the first of them is asked for. */
function linksOver(...folders: string[]) {
  const { open } = openRecording([ranFunction("f0")]);
  const links = new Links(grammars);
  const configure = (more: object = {}) => links.configure({ folders, sourceMap: {}, ...more });
  configure();
  const first = (task = quietTask) => links.link(open, 0, task);
  return { links, open, configure, first };
}

function manyFiles(count: number): string {
  const text = "// words and words\n".repeat(20);
  return folderWith(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.cpp`, `${text}void f${at}() {}\n`])),
  );
}

/** A task that is cancelled when it has heard of progress so many times. */
function cancelledAfter(times: number) {
  let heard = 0;
  return taskOf(
    () => heard >= times,
    () => heard++,
  );
}

/** How many source files were opened. */
function opened(): () => number {
  const opens = vi.spyOn(fs, "openSync");
  return () => opens.mock.calls.filter(([file]) => String(file).endsWith(".cpp")).length;
}

describe("the index of the source", () => {
  it("stops when nobody wants it any more, and is made at the next question", async () => {
    const { first } = linksOver(manyFiles(1500));
    const files = opened();
    await expect(first(cancelledAfter(2))).rejects.toThrow(CancelledError);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(files()).toBeLessThan(700);
    expect((await first()).places).toHaveLength(1);
  });

  it("goes on for other questions when one is cancelled", async () => {
    const { first } = linksOver(manyFiles(1000));
    const files = opened();
    const [cancelled, other] = await Promise.allSettled([first(cancelledAfter(2)), first()]);
    expect(cancelled).toMatchObject({ status: "rejected", reason: expect.any(CancelledError) });
    expect(other).toMatchObject({ value: { rule: "definition" } });
    // One pass over all, and the file that was found is read once more.
    expect(files()).toBeLessThan(1010);
  });

  it("is not made twice at once where the settings change: the first stops", async () => {
    const { first, configure } = linksOver(manyFiles(1500));
    const files = opened();
    let changed = false;
    const asked = first(
      taskOf(
        () => false,
        () => {
          if (!changed) configure();
          changed = true;
        },
      ),
    );
    expect((await asked).places).toHaveLength(1);
    expect(files()).toBeLessThan(1500 + 700);
  });

  it("ends nothing but the question where it cannot be made", async () => {
    const { links, open } = linksOver(manyFiles(1));
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const broken = new Links({ ...grammars, cpp: "/no such grammar.wasm" });
    broken.configure({ folders: [manyFiles(1)], sourceMap: {} });
    await broken.setOpenTexts([{ file: "/a.cpp", text: "edited" }]);
    const asked = broken.link(open, 0, quietTask);
    await broken.setOpenTexts([]); // saved while the index is being made
    await expect(asked).rejects.toThrow(/no such grammar/);
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(links.notes()).toEqual([]);
  });
});

describe("more source than the limit", () => {
  const filler = "// filler filler filler\n".repeat(100_000); // 2.4 MB
  const program = () =>
    folderWith({
      "a.cpp": "void early() {}\n",
      "b.cpp": filler,
      "late.h": "void fromHeader() {}\n",
      "named.cpp": '#include "late.h"\nvoid named() { fromHeader(); }\n',
      "zzz.cpp": "void hidden() {}\n",
    });

  it("is read up to it; the rest is searched where it is named, and that is said", async () => {
    const folder = program();
    const named = { name: "named", kind: "function" as const, file: "named.cpp" };
    const { open, contextOf } = openRecording([
      ranFunction("early"),
      ranFunction("hidden"),
      [[named, { name: "fromHeader", kind: "function" }], 0, 1],
    ]);
    for (const limited of [true, false]) {
      const links = new Links(grammars);
      links.configure({ folders: [folder], sourceMap: {}, sourceLimitMegabytes: limited ? 1 : 500 });
      const link = (path: Parameters<typeof contextOf>[0]) => links.link(open, contextOf(path), quietTask);
      const [early, hidden, inNamed, fromHeader] = await Promise.all([
        link([{ name: "early", kind: "function" }]),
        link([{ name: "hidden", kind: "function" }]),
        link([named]),
        link([named, { name: "fromHeader", kind: "function" }]),
      ]);
      expect([early, inNamed, fromHeader].map(({ places }) => places.length)).toEqual([1, 1, 1]);
      expect(hidden.places).toHaveLength(limited ? 0 : 1);
      expect(hidden.reason.includes("beyond heatflow.limits.source were not searched")).toBe(limited);
      expect(links.notes().map((note) => note.includes("heatflow.limits.source"))).toEqual(limited ? [true] : []);
    }
  });
});

describe("a file that the parser fails on", () => {
  it("is said to be one, harms no other file, and is read again when it is another text", async () => {
    const names = ["f0", "f1", "f2", "f3"];
    const folder = folderWith(Object.fromEntries(names.map((name) => [`${name}.cpp`, `void ${name}() {}\n`])));
    const { open, contextOf } = openRecording(names.map(ranFunction));
    const links = new Links(grammars);
    links.configure({ folders: [folder], sourceMap: {} });
    const placesOf = async (name: string) =>
      (await links.link(open, contextOf([{ name, kind: "function" }]), quietTask)).places.map(({ line }) => line);
    const { memory } = await Grammars.load(grammars);
    new Uint8Array(memory.memory.buffer).fill(0xff);
    expect(await placesOf("f0")).toEqual([]);
    const file = path.join(fs.realpathSync(folder), "f0.cpp");
    expect(links.notes()).toEqual([`A source file could not be parsed, and nothing is found in it: ${file}.`]);
    expect(await placesOf("f1")).toEqual([1]);
    fs.writeFileSync(file, "\nvoid f0() {}\n");
    await links.setOpenTexts([{ file }]);
    expect(await placesOf("f0")).toEqual([2]);
    expect(links.notes()).toEqual([]);
  });
});
