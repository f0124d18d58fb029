/** The histogram as it is drawn: few members with a bar each, more of them in bins. Pure. */
import { hasMemberBars, type HistogramContent } from "../../src/protocol/histogram";
import { draw as drawBins } from "../kit/bins/drawing";
import { draw as drawMembers } from "../kit/bins/memberBars";
import type { DrawView, Scene } from "../kit/stage/scene";

export function draw(content: HistogramContent, view: DrawView): Scene {
  return hasMemberBars(content) ? drawMembers(content, view) : drawBins(content, view);
}
