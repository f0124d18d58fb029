import { expect, it } from "vitest";
import { HUES, LIGHTNESSES, nameTones } from "../../../src/protocol/nameTones";

const names = (count: number) => Array.from({ length: count }, (_, at) => `function_${at * 7919}`);
const huesOf = (all: readonly string[]) => [...nameTones(all).values()].map((tone) => tone % HUES);

it("gives as many functions as there are hues one each, and as many as there are tones no two the same", () => {
  for (let count = 0; count <= HUES; count++) expect(new Set(huesOf(names(count))).size).toBe(count);
  const most = HUES * LIGHTNESSES;
  expect(new Set(nameTones(names(most)).values())).toEqual(new Set(Array.from({ length: most }, (_, tone) => tone)));
  const beyond = nameTones(names(500));
  expect(beyond.size).toBe(500);
  expect([...beyond.values()].every((tone) => tone >= 0 && tone < most)).toBe(true);
});

it("gives the first functions hues that are far apart: they are those with most time", () => {
  for (let first = 0; first < 50; first++) {
    const hues = huesOf(Array.from({ length: 3 }, (_, at) => `function_${first}_${at}`));
    const apart = hues.flatMap((hue, at) =>
      hues.slice(0, at).map((other) => Math.min(Math.abs(hue - other), HUES - Math.abs(hue - other))),
    );
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(3);
  }
});

it("gives a function the same one whatever comes after it, and a name that comes twice one", () => {
  const [few, more] = [nameTones(names(10)), nameTones([...names(10), ...names(200), "solve"])];
  for (const [name, tone] of few) expect(more.get(name)).toBe(tone);
  expect(nameTones(["dot", "solve", "dot"]).size).toBe(2);
});
