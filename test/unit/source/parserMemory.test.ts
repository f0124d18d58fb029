/** The memory that the parsers of a thread share: it is the same however often they are asked for, and a trap in it harms no other text. */
import { describe, expect, it } from "vitest";
import { Grammars } from "../../../src/source/grammar";
import { grammars } from "./program";

const TEXTS = {
  c: "void f(void) { g(1); }",
  cpp: "namespace n { struct S { void f() { g(); } }; }",
  python: "def f():\n    g()\n",
};

async function captured() {
  const loaded = await Grammars.load(grammars);
  return (["c", "cpp", "python"] as const).map((language) =>
    loaded.withCaptures(language, TEXTS[language], (captures) =>
      captures.map(({ as, node }) => `${as} ${node.type} ${node.startIndex}-${node.endIndex}`),
    ),
  );
}

describe("the parsers' memory", () => {
  it("does not grow with the number of those who ask for them", async () => {
    const { memory } = await Grammars.load(grammars);
    const { size } = memory;
    const first = await captured();
    for (let time = 0; time < 50; time++) expect(await captured()).toEqual(first);
    expect(memory.size).toBe(size);
  });

  it("is as new after a trap in a parse, while a tree is read, and after calls that were too deep", async () => {
    const loaded = await Grammars.load(grammars);
    const before = await captured();
    const damage = (from: number) => new Uint8Array(loaded.memory.memory.buffer).fill(0xff, from);
    // As it is set back to: other tests of the process may have left some of it taken.
    damage(0);
    loaded.withCaptures("cpp", TEXTS.cpp, () => "read");
    const { stack } = loaded.memory;
    for (const from of [0, 1 << 16, 1 << 17]) {
      damage(from);
      expect(
        loaded.withCaptures("cpp", TEXTS.cpp, () => "read"),
        `damaged from ${from}`,
      ).toBeUndefined();
      expect(await captured()).toEqual(before);
    }
    const whileRead = loaded.withCaptures("cpp", TEXTS.cpp, (captures) => {
      damage(0);
      return captures.map(({ node }) => node.childForFieldName("name")?.type);
    });
    expect(whileRead).toBeUndefined();
    expect(await captured()).toEqual(before);
    const tooDeep = loaded.withCaptures("cpp", TEXTS.cpp, () => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    expect(tooDeep).toBeUndefined();
    expect(await captured()).toEqual(before);
    // Each trap leaves 48 bytes of the stack's 64 KB taken.
    expect(loaded.memory.stack).toBe(stack);
  });

  it("does not swallow other errors", async () => {
    const loaded = await Grammars.load(grammars);
    const failing = () =>
      loaded.withCaptures("c", TEXTS.c, () => {
        throw new Error("of the reader");
      });
    expect(failing).toThrow("of the reader");
  });
});
