import { expect, it } from "vitest";
import { FloatColumn, IntColumn, widened } from "../../../src/model/columns";

it("keeps content and type, and fills what is new", () => {
  expect(widened(Int32Array.of(1, 2))).toEqual(Int32Array.of(1, 2, 0, 0));
  expect(widened(Float64Array.of(0.5), 3, Number.NaN)).toEqual(Float64Array.of(0.5, Number.NaN, Number.NaN));
  expect(widened(Uint8Array.of(7), 2, 255)).toEqual(Uint8Array.of(7, 255));
});

it.each([IntColumn, FloatColumn])("grows with what is pushed", (Column) => {
  const column = new Column();
  for (let at = 0; at < 1000; at++) column.push(at);
  expect([...column.values.subarray(0, column.length)]).toEqual(Array.from({ length: 1000 }, (_, at) => at));
});
