import { describe, expect, it } from "vitest";
import { readableNames } from "../../../../src/engine/overview/shownStates";

describe("names of states", () => {
  it("are written out where they are mangled, as c++filt does", () => {
    expect(readableNames(["_Z8sgemm_v1iiifPKfS0_fPf", "cudaMalloc", "other"])).toEqual([
      "sgemm_v1(int, int, int, float, float const*, float const*, float, float*)",
      "cudaMalloc",
      "other",
    ]);
  });

  it("stay as they were recorded where two would be one: both constructors of a class", () => {
    const constructors = ["_ZN3BoxC1Ev", "_ZN3BoxC2Ev"];
    expect(readableNames([...constructors, "_ZN3BoxD1Ev"])).toEqual([...constructors, "Box::~Box()"]);
  });
});
