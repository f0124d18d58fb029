/** A small panel keeps the laws of all: this, its definition, its drawing and its page are all that it costs. */
import { vi } from "vitest";
import type { FunctionRow } from "../../../../src/engine/api";
import { HOSTILE_NAME, panelLaws } from "../panelLaws";
import { sampleWorld, viewOf } from "../samples";
import { bars } from "./definition";
import { draw } from "./drawing";

vi.mock("vscode", () => import("../../fakeVsCode"));

panelLaws({
  definition: bars,
  draw,
  entry: "test/webview/kit/bars/main.ts",
  async samples() {
    const world = await sampleWorld();
    const view = viewOf(world, bars.start);
    const rows = await world.engine.hotFunctions({ scope: world.scope, by: "exclusive", limit: 30 });
    const many = Array.from({ length: 500 }, (_, at): FunctionRow => ({
      ...rows[0],
      name: `f${at}`,
      exclusive: 500 - at,
    }));
    return [
      { name: "measured", view, shown: rows },
      { name: "none", view, shown: [] },
      { name: "many", view, shown: many },
      { name: "hostile", view, shown: rows.map((row, at) => ({ ...row, name: HOSTILE_NAME + at })) },
    ];
  },
});
