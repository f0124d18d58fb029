/** States of traces without a metric, against a twin that keeps a stack per rank and adds up between any two lines of the file. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { localEngine } from "../../../../src/engine/localEngine";
import { casesOf } from "../../randomCases";
import { type Step, steps, textOf } from "../../formats/paje/randomSteps";
import { grammars } from "../miniheat";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "heatflow-states-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

interface Sum {
  seconds: number;
  count: number;
  longest: number;
}

interface Begun {
  readonly value: string;
  readonly since: number;
}

/** By state: seconds in which it is on top of its rank's stack, how often it begins, and its longest stay on the stack. */
class Naive {
  readonly sums = new Map<string, Sum>();
  private readonly stacks = new Map<number, Begun[]>();
  private now = 0;

  constructor(all: readonly Step[]) {
    for (const { rank, eighths, does, value } of all) {
      this.pass(eighths / 8);
      const stack = this.stacks.get(rank) ?? [];
      this.stacks.set(rank, stack);
      if (does === "pop" && stack.length > 0) this.end(stack);
      if (does === "set" || does === "reset") while (stack.length > 0) this.end(stack);
      if (does === "push" || does === "set") {
        stack.push({ value, since: this.now });
        this.of(value).count++;
      }
    }
    for (const stack of this.stacks.values()) while (stack.length > 0) this.end(stack);
  }

  private of(value: string): Sum {
    const known = this.sums.get(value) ?? { seconds: 0, count: 0, longest: 0 };
    this.sums.set(value, known);
    return known;
  }

  private pass(seconds: number): void {
    this.now += seconds;
    for (const stack of this.stacks.values()) {
      const top = stack.at(-1);
      if (top) this.of(top.value).seconds += seconds;
    }
  }

  private end(stack: Begun[]): void {
    const ended = stack.pop();
    if (ended) this.of(ended.value).longest = Math.max(this.of(ended.value).longest, this.now - ended.since);
  }
}

describe("hot states", () => {
  it("are those of the stacks of each rank, longest first, also with states of no length and ranks without any", async () => {
    let at = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const file = path.join(folder, `${at++}.trace`);
        fs.writeFileSync(file, textOf(all));
        const engine = localEngine(grammars);
        const [info] = await engine.open({ paths: [file] });
        const expected = new Naive(all).sums;
        if (expected.size === 0) return engine.dispose();
        const { states, laneSeconds, lanes } = await engine.hotStates({ dataSet: info.id });
        const found = states.map(({ name, seconds, count, longestSeconds: longest }) => [
          name,
          { seconds, count, longest },
        ]);
        const close = (value: number) => expect.closeTo(value, 9) as number;
        expect(Object.fromEntries(found)).toEqual(
          Object.fromEntries(
            [...expected].map(([name, { seconds, count, longest }]) => [
              name,
              { seconds: close(seconds), count, longest: close(longest) },
            ]),
          ),
        );
        const { startSeconds, endSeconds } = await engine.timelineFacts({ dataSet: info.id });
        expect(laneSeconds).toBeCloseTo(lanes * (endSeconds - startSeconds), 9);
        const seconds = states.map((one) => one.seconds);
        expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
        // No state has less than nothing, and all have no more than the lanes.
        expect(Math.min(...seconds)).toBeGreaterThanOrEqual(0);
        expect(seconds.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(laneSeconds + 1e-9);
        return engine.dispose();
      }),
      { numRuns: casesOf(400) },
    );
  });
});
