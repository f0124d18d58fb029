import { expect, it } from "vitest";
import { labelsOf } from "../../../webviews/kit/frame/curveLabels";

const plot = { x: 38, y: 8, width: 199, height: 88 };
/** Half of a name's width, pixels, and its middle above its baseline. */
const [HALF, MIDDLE] = [54, 4];

it.each([
  // Where the second line rises steeply at the end, one end of its name was near it, and the rest near the first line.
  [
    [0, 0.804, 0.805, 1],
    [0, 0.019, 0.02, 1],
  ],
  [
    [0.17, 0.3, 0.4, 0.5, 0.6, 0.7, 1],
    [0, 0.01, 0.02, 0.03, 0.05, 0.2, 1],
  ],
  [
    [0.1, 0.43, 0.5, 0.6, 0.63, 0.75, 0.85, 1],
    [0, 0, 0, 0.05, 0.08, 0.25, 0.4, 1],
  ],
  // The second line is low, and the first one's name was where its name belongs.
  [
    [0.22, 0.29, 0.32, 0.35, 0.39, 0.42, 0.79, 0.87, 1],
    [0, 0, 0, 0.01, 0.02, 0.03, 0.1, 0.12, 1],
  ],
  [
    [0.28, 0.34, 0.35, 0.36, 0.38, 0.4, 0.54, 0.58, 0.6, 0.95, 1],
    [0, 0, 0, 0, 0, 0.01, 0.05, 0.06, 0.08, 0.4, 1],
  ],
])("the name of a line is nearer to it than to the other line: %j", (...values) => {
  const lines = values.map((own, at) => ({ name: `${at}`, values: own }));
  const heightAt = (own: readonly number[], pixel: number) => {
    const step = ((pixel - plot.x) / plot.width) * (own.length - 1);
    const before = Math.min(own.length - 2, Math.floor(step));
    return plot.y + (1 - own[before] - (own[before + 1] - own[before]) * (step - before)) * plot.height;
  };
  const labels = labelsOf(lines, plot);
  const middles = labels.map((label) => label ?? expect.fail("a line without its name"));
  middles.forEach(([middle, baseline], line) => {
    const distance = (own: readonly number[]) => {
      let sum = 0;
      for (let pixel = middle - HALF; pixel <= middle + HALF; pixel++)
        sum += Math.abs(heightAt(own, pixel) - baseline + MIDDLE);
      return sum;
    };
    expect(distance(values[line])).toBeLessThan(distance(values[1 - line]));
  });
  const [[x, y], [otherX, otherY]] = middles;
  expect(Math.abs(x - otherX) >= 2 * HALF || Math.abs(y - otherY) >= 12).toBe(true);
});
