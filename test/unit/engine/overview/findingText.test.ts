import { Modes } from "../../../../src/aggregation/modes";
import { describe, expect, it } from "vitest";
import { findingText } from "../../../../src/engine/overview/findingText";
import type { TraceModel } from "../../../../src/engine/overview/namedModel";

const NAMES = ["Allreduce", "Recv", "Gather"];
const SLICES = 4;
const SLICE_SECONDS = 2;

/** @param seconds of each state, slice by slice, of each rank */
function modelOf(seconds: readonly (readonly (readonly number[])[])[], isTime = true): TraceModel {
  const amounts = Float64Array.from(
    seconds.flatMap((slices) => NAMES.flatMap((_, state) => slices.map((of) => of[state]))),
  );
  return {
    leaves: seconds.length,
    states: NAMES.length,
    slices: SLICES,
    names: NAMES,
    amounts,
    values: isTime ? amounts : amounts.map((one) => one * 100),
    nodes: seconds.map((_, rank) => ({ name: `rank ${rank}`, parent: -1 })),
    fromSeconds: 0,
    toSeconds: SLICES * SLICE_SECONDS,
  } as unknown as TraceModel;
}

const always = (...of: number[]) => Array.from({ length: SLICES }, () => of);
const finding = (kind: "time" | "space", boundaries: number[]) => ({ kind, boundaries, leaves: [0], strength: 1 });
const moment = (boundary: number) => boundary * SLICE_SECONDS;

describe("what is unlike the rest", () => {
  it("is said by what resources are mostly in, where that is not the same", () => {
    const model = modelOf([always(0.5, 1.5, 0), always(2, 0, 0), always(1.5, 0.5, 0)]);
    expect(findingText(model, new Modes(model), finding("space", [0]), moment)).toEqual({
      when: "over the whole window",
      what: "1 resource (rank 0) is mostly in Recv (75.0 %), the others in Allreduce (87.5 %)",
    });
  });

  it("is said by the state that they are not alike in most, where they are mostly in one", () => {
    const own = [
      [2, 0, 0],
      [1.2, 0, 0.8],
      [1.2, 0, 0.8],
      [2, 0, 0],
    ];
    const model = modelOf([own, always(1.6, 0.4, 0), always(2, 0, 0)]);
    expect(findingText(model, new Modes(model), finding("time", [1, 3]), moment).what).toBe(
      "1 resource (rank 0) is 40.0 % in Gather, the others 0 %, all mostly in Allreduce",
    );
    expect(findingText(model, new Modes(model), finding("time", [1]), moment)).toEqual({
      when: "at 2.00 s",
      what: "1 resource (rank 0) goes from 0 % to 40.0 % in Gather, mostly in Allreduce before and after; the others do not change there",
    });
  });

  it("is said by how much was recorded, where that is all that changes and values are time", () => {
    const own = [
      [0.5, 0, 0],
      [2, 0, 0],
      [2, 0, 0],
      [2, 0, 0],
    ];
    const all = [own, always(2, 0, 0)];
    expect(findingText(modelOf(all), new Modes(modelOf(all)), finding("time", [1]), moment).what).toBe(
      "1 resource (rank 0) goes from 25.0 % to 100 % recorded, mostly in Allreduce before and after; the others do not change there",
    );
  });

  it("is said by how much there is of it, where values are no time, as those of a variable", () => {
    const own = [
      [0.5, 0, 0],
      [2, 0, 0],
      [2, 0, 0],
      [2, 0, 0],
    ];
    const model = modelOf([own, always(2, 0, 0)], false);
    expect(findingText(model, new Modes(model), finding("time", [1]), moment).what).toBe(
      "1 resource (rank 0) goes from 50 to 200 Allreduce per cell; the others do not change there",
    );
    expect(findingText(model, new Modes(model), finding("space", [0]), moment).what).toBe(
      "1 resource (rank 0) is at 163 Allreduce per cell, the others at 200 Allreduce per cell",
    );
  });
});
