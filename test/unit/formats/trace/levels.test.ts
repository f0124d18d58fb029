import { describe, expect, it } from "vitest";
import { LevelBuilder } from "../../../../src/formats/trace/levels";
import type { LaneLevel } from "../../../../src/model/trace";

/** All levels of a lane, finest first. */
function levelsOf(levels: LevelBuilder, lane: number): LaneLevel[] {
  const found: LaneLevel[] = [];
  for (let least = 0; ;) {
    const level = levels.level(lane, least);
    if (!level || level.binSeconds < least) return found;
    found.push(level);
    least = level.binSeconds * 1.5;
  }
}

function total({ seconds }: LaneLevel): number {
  return seconds.reduce((sum, one) => sum + one, 0);
}

describe("levels of detail", () => {
  it("halve down to one bin, and each of them holds all time", () => {
    const levels = new LevelBuilder(1, 0, 100);
    levels.begin(0, 0, 100, 100_000);
    for (let event = 0; event < 100_000; event++) levels.add(event % 3, event / 1000, (event + 0.75) / 1000);
    levels.end();
    const all = levelsOf(levels, 0);
    expect(all[0].bins).toBe(4096);
    expect(all.at(-1)?.bins).toBe(1);
    all.forEach((level, at) => {
      if (at > 0) expect(level.binSeconds).toBe(2 * all[at - 1].binSeconds);
      expect(total(level)).toBeCloseTo(75, 6);
      expect(level.seconds.every((seconds) => seconds > 0 && seconds <= level.binSeconds * 1.000001)).toBe(true);
    });
    expect([...levels.stateSeconds(0).seconds].map((seconds) => seconds.toFixed(3))).toEqual([
      "25.001",
      "25.000",
      "25.000",
    ]);
  });

  it("lie on one grid for all lanes of a trace, short or long", () => {
    const [start, span] = [1_700_000_000.5, 37.7];
    const levels = new LevelBuilder(3, start, span);
    const lanes = [
      [start, start + span],
      [start + 1.1, start + 1.3],
      [start + 30, start + 37.7],
    ];
    lanes.forEach(([from, to], lane) => {
      levels.begin(lane, from, to, 5000);
      for (let part = 0; part < 5000; part++)
        levels.add(0, from + ((to - from) * part) / 5000, from + ((to - from) * (part + 1)) / 5000);
      levels.end();
    });
    for (const [lane] of lanes.entries())
      for (const { startSeconds, binSeconds, bins } of levelsOf(levels, lane)) {
        const bin = (startSeconds - start) / binSeconds;
        expect(Math.abs(bin - Math.round(bin))).toBeLessThan(0.01);
        expect(Math.log2(span / binSeconds) % 1).toBeCloseTo(0, 9);
        expect(bins).toBeLessThanOrEqual(4097);
      }
    // A lane that is 190 times shorter has its own fine bins.
    expect(levels.level(1, 0)?.binSeconds).toBeLessThan((levels.level(0, 0)?.binSeconds ?? 0) / 100);
  });

  it("have few bins where there is little in the lane, and a bounded number of cells where there is much", () => {
    const few = new LevelBuilder(1, 0, 1000);
    few.begin(0, 0, 1000, 2);
    few.add(0, 0, 1000);
    few.end();
    expect(few.level(0, 0)?.bins).toBeLessThanOrEqual(9);

    const lanes = 200;
    const much = new LevelBuilder(lanes, 0, 10);
    for (let lane = 0; lane < lanes; lane++) {
      much.begin(lane, 0, 10, 50_000);
      for (let event = 0; event < 50_000; event++) much.add(event % 100, event / 5000, (event + 1) / 5000);
      much.end();
      expect(total(much.level(lane, 0) as LaneLevel)).toBeCloseTo(10, 6);
      expect(much.level(lane, 0)?.state.length).toBeLessThan(20_000);
    }
    expect(much.bytes).toBeLessThan(100e6);
  });

  it("are there for a lane without any length, at a time of any size", () => {
    for (const at of [0, 1e-300, 1.7e9, -5, 1e20]) {
      const levels = new LevelBuilder(1, at, 0);
      levels.begin(0, at, at, 1);
      levels.end();
      expect(levels.level(0, 0)).toMatchObject({ bins: 1, rowStart: Int32Array.of(0, 0) });
    }
    const wide = new LevelBuilder(1, -1e24, 2e24);
    wide.begin(0, -1e24, 1e24, 2);
    wide.add(0, -1e24, 1e24);
    wide.end();
    expect(total(wide.level(0, 0) as LaneLevel)).toBe(2e24);
  });
});
