import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { quietTask } from "../../../../src/model/task";
import { headOf } from "../../formats/paje/writer";
import { casesOf } from "../../randomCases";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-areas-"));
const engine = localEngine(grammars);
afterAll(async () => {
  await engine.dispose();
  fs.rmSync(folder, { recursive: true });
});
let written = 0;

const MACHINES = 2;
const RANKS = 4;
const machineOf = (rank: number) => rank % MACHINES;
const STATES = ["a", "b", "c"];

/** Times are eighths of a second: all sums are exact. */
const steps = fc.array(
  fc.record({
    rank: fc.nat(RANKS - 1),
    eighths: fc.nat(5),
    does: fc.constantFrom("push", "push", "pop", "pop", "load", "leave"),
    state: fc.constantFrom(...STATES),
    level: fc.nat(9),
  }),
  { minLength: 1, maxLength: 60 },
);
type Steps = typeof steps extends fc.Arbitrary<infer All> ? All : never;

const step = (rank: number, eighths: number, does: Steps[number]["does"], state = "a") => ({
  rank,
  eighths,
  does,
  state,
  level: 0,
});
const LAST_BEFORE_END = [
  step(0, 0, "push", "b"),
  step(0, 1, "pop"),
  step(0, 0, "push"),
  step(0, 1, "push", "b"),
  step(0, 0, "pop"),
  step(0, 0, "pop"),
  step(1, 3, "leave"),
];

/** What each eighth of a second has of each rank. */
interface Eighth {
  readonly state?: string;
  readonly load?: number;
}

/** A plain walk over the steps. */
function walk(all: Steps) {
  const lines = ["0 M 0 Machine", "0 P M Rank", "2 S P STATE", "1 V P load"];
  for (let machine = 0; machine < MACHINES; machine++) lines.push(`6 0 m${machine} M 0 machine-${machine}`);
  for (let rank = 0; rank < RANKS; rank++) lines.push(`6 0 r${rank} P m${machineOf(rank)} rank-${rank}`);
  const ranks = Array.from({ length: RANKS }, () => ({
    stack: [] as string[],
    load: undefined as number | undefined,
    isGone: false,
    eighths: [] as Eighth[],
    begun: [] as { state: string; at: number }[],
  }));
  let now = 0;
  for (const { rank, eighths, does, state, level } of all) {
    for (const { stack, load, isGone, eighths: passed } of ranks)
      for (let at = 0; at < eighths; at++) passed.push(isGone ? {} : { state: stack.at(-1), load });
    now += eighths;
    const own = ranks[rank];
    if (own.isGone) continue;
    const time = now / 8;
    if (does === "push") {
      own.stack.push(state);
      own.begun.push({ state, at: now });
      lines.push(`12 ${time} S r${rank} ${state}`);
    }
    if (does === "pop" && own.stack.length > 0) {
      own.stack.pop();
      lines.push(`13 ${time} S r${rank}`);
    }
    if (does === "load") {
      own.load = level;
      lines.push(`8 ${time} V r${rank} ${level}`);
    }
    if (does === "leave" && own.stack.length === 0) {
      own.isGone = true;
      lines.push(`7 ${time} P r${rank}`);
    }
  }
  ranks.forEach(({ isGone }, rank) => isGone || lines.push(`7 ${now / 8} P r${rank}`));
  return { ranks, now, text: `${headOf()}${lines.join("\n")}\n` };
}

describe("areas of resources", () => {
  it("are what a plain walk over the events adds up in the window, at every cut", async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), fc.nat(), fc.nat(2), async (all, someFrom, someLength, depth) => {
        const { ranks, now, text } = walk(all);
        if (now === 0) return;
        const from = someFrom % now;
        const to = from + 1 + (someLength % (now - from));
        const file = path.join(folder, `${written++}.trace`);
        fs.writeFileSync(file, text);
        const [info] = await engine.open({ paths: [file] }, quietTask);
        for (const quantity of ["time", "count", "variable load"]) {
          if (quantity !== "variable load" && ranks.every(({ begun }) => begun.length === 0)) continue;
          if (quantity === "variable load" && !all.some(({ does }) => does === "load")) continue;
          const query = {
            scope: { dataSet: info.id },
            quantity,
            cut: { depth },
            fromSeconds: from / 8,
            toSeconds: to / 8,
          };
          const { nodes, parts, values, quantities, quantity: chosen } = await engine.resourceAreas(query, quietTask);
          if (quantities[chosen]?.id !== quantity) continue;
          nodes.forEach(({ name, depth: own }, node) => {
            const members = ranks.filter(
              (_, rank) => own === 0 || name === `machine-${machineOf(rank)}` || name === `rank-${rank}`,
            );
            parts.forEach((part, at) => {
              let expected = 0;
              for (const { eighths, begun } of members) {
                for (let eighth = from; eighth < to; eighth++) {
                  if (quantity === "time" && eighths[eighth].state === part.name) expected += 1 / 8;
                  if (quantity === "variable load") expected += (eighths[eighth].load ?? 0) / 8;
                }
                if (quantity === "count")
                  expected += begun.filter(
                    (one) => one.state === part.name && one.at >= from && (one.at < to || to === now),
                  ).length;
              }
              if (expected > 0) compared++;
              expect([quantity, name, part.name, values[node * parts.length + at]]).toEqual([
                quantity,
                name,
                part.name,
                expected,
              ]);
            });
          });
        }
        await engine.close({ dataSet: info.id });
      }),
      // What begins where the window ends is not the run's last moment, as resources go on.
      { numRuns: casesOf(400), examples: [[LAST_BEFORE_END, 0, 1, 0]] },
    );
    expect(compared).toBeGreaterThan(0);
  });

  it("are refused where values are so large that their sum is none", async () => {
    const lines = ["0 M 0 Machine", "1 V M power", "6 0 a M 0 a", "6 0 b M 0 b", "8 0 V a 1e308", "8 0 V b 1e308"];
    const file = path.join(folder, `${written++}.trace`);
    fs.writeFileSync(file, `${headOf()}${[...lines, "7 2 M a", "7 2 M b"].join("\n")}\n`);
    const [info] = await engine.open({ paths: [file] }, quietTask);
    const asked = engine.resourceAreas({ scope: { dataSet: info.id }, cut: {} }, quietTask);
    await expect(asked).rejects.toThrow("power has values that are too large to be added up.");
  });
});
