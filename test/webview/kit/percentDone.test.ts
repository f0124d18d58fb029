import { expect, it } from "vitest";
import { percentDone } from "../../../webviews/kit/frame/percentDone";

it("is never 100 % while work goes on", () => {
  const texts = [undefined, 0, 0.35, 0.999, 1, 1.2].map((fraction) =>
    percentDone(fraction === undefined ? {} : { fraction }),
  );
  expect(texts).toEqual(["", "0\u00a0%", "35\u00a0%", "99\u00a0%", "", ""]);
});
