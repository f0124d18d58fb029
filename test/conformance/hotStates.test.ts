import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";

const shared = recordings();

interface Sum {
  seconds: number;
  count: number;
  longest: number;
}

/** By state: seconds in which it is on top of its container's stack, pushes, and the longest stay on the stack. */
function statesOf(text: string): Map<string, Sum> {
  const names = new Map<string, string>();
  const stacks = new Map<string, { value: string; begin: number }[]>();
  const since = new Map<string, number>();
  const sums = new Map<string, Sum>();
  for (const line of text.split("\n")) {
    const [kind, first, type, container, value] = line.split(" ");
    if (kind === "5") names.set(first, container.replaceAll('"', ""));
    if ((kind !== "12" && kind !== "13") || type !== "2") continue;
    const seconds = Number(first);
    const stack = stacks.get(container) ?? [];
    stacks.set(container, stack);
    const top = stack.at(-1);
    const last = since.get(container) ?? 0;
    since.set(container, seconds);
    if (top) sumOf(sums, top.value).seconds += seconds - last;
    if (kind === "12") {
      stack.push({ value: names.get(value) ?? "", begin: seconds });
      sumOf(sums, names.get(value) ?? "").count++;
      continue;
    }
    const ended = stack.pop();
    if (!ended) continue;
    const own = sumOf(sums, ended.value);
    own.longest = Math.max(own.longest, seconds - ended.begin);
  }
  return sums;
}

function sumOf(sums: Map<string, Sum>, name: string): Sum {
  const known = sums.get(name) ?? { seconds: 0, count: 0, longest: 0 };
  sums.set(name, known);
  return known;
}

describe.skipIf(shared === undefined)("states of a recording without a metric", () => {
  it("are those of the file's stacks", async () => {
    const file = path.join(shared ?? "", "data/paje/traces/smpi-cg64.trace.gz");
    const expected = statesOf(gunzipSync(fs.readFileSync(file)).toString());
    const engine = localEngine(grammars);
    const [info] = await engine.open({ paths: [file] });
    const { states, lanes, laneSeconds } = await engine.hotStates({ dataSet: info.id });
    expect(lanes).toBe(64);
    const found = states.map(({ name, seconds, count, longestSeconds }) => [name, { seconds, count, longestSeconds }]);
    const close = (value: number) => expect.closeTo(value, 6) as number;
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        [...expected].map(([name, { seconds, count, longest }]) => [
          name,
          { seconds: close(seconds), count, longestSeconds: close(longest) },
        ]),
      ),
    );
    expect([states[0].name, states[0].kind, states[0].count]).toEqual(["PMPI_Send", "communication", 148_800]);
    expect(states[0].seconds).toBeCloseTo(280, 0);
    expect(states[0].seconds / laneSeconds).toBeCloseTo(0.527, 3);
  });
});
