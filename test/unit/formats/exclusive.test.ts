import { expect, it } from "vitest";
import { negativeExclusive } from "../../../src/formats/exclusive";

const values = (...value: number[]) => ({
  rowStart: new Int32Array(0),
  column: new Int32Array(value.length),
  value: Float64Array.from(value),
});

it("negative exclusive values are a warning, a minor one of less than 0.01 % of the total, which nothing shows", () => {
  expect(negativeExclusive("time", values(100, -0.00001))).toEqual([]);
  const minor = negativeExclusive("time", values(100, -0.00014));
  expect(minor).toEqual([{ message: expect.stringContaining("by up to 0.00014 % of the total"), isMinor: true }]);
  const [{ message, isMinor }] = negativeExclusive("time", values(100, -0.5));
  expect(message).toMatch(/^time: .* by up to 0\.50 % of the total/);
  expect(isMinor).toBeUndefined();
});
