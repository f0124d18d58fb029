import { expect, it } from "vitest";
import type { LaidOutGraph } from "../../webviews/superGraph/graph";
import { fitted, viewportOf } from "../../webviews/superGraph/seen";

const size = { width: 500, height: 700 };
const graphOf = (width: number, height: number) => ({ layout: { width, height } }) as LaidOutGraph;

it("a part of a super graph that people moved to stays in sight while the graph reaches there, else all of it is", () => {
  const large = graphOf(900, 4000);
  const now = { scale: 1.5, x: -20, y: -5125, ...size };
  expect(viewportOf(large, size, now)).toEqual({ scale: 1.5, x: -20, y: -5125 });
  const small = graphOf(900, 600);
  expect(viewportOf(small, size, now)).toEqual(fitted(small, size));
  for (const beyond of [{ x: -1500 }, { x: 500 }, { y: 700 }])
    expect(viewportOf(small, size, { scale: 1, x: 0, y: 0, ...size, ...beyond })).toEqual(fitted(small, size));
});
