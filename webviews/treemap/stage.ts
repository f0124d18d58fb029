/** Where one content turns into the next within 200 ms: what both have grows and moves, unless somebody asked for less motion. */
import type { TreemapContent } from "../../src/protocol/treemap";
import type { DrawView } from "../kit/stage/scene";
import { Stage, type StageHooks, type ToDraw } from "../kit/stage/stage";
import { draw } from "./drawing";
import { EdgeLayer, type EdgeScene } from "./edgeLayer";
import type { TreemapSeen } from "./seen";
import { between } from "./between";

const LESS_MOTION = "(prefers-reduced-motion: reduce)";
const DURATION_MS = 200;
/** More would not be drawn often enough for anything to be seen moving. */
const MOST_MOVING = 1500;

export class TreemapStage extends Stage<TreemapContent, TreemapSeen> {
  private shown: { readonly revision: number; readonly content: TreemapContent } | undefined;
  private moving: { readonly before: TreemapContent; readonly since: number } | undefined;
  private isDue = false;

  constructor(hooks: StageHooks<TreemapContent, TreemapSeen>) {
    super(hooks, draw, new EdgeLayer());
  }

  protected override sceneOf(
    { content, revision, seen }: ToDraw<TreemapContent, TreemapSeen>,
    view: DrawView,
  ): EdgeScene {
    this.turnInto(content, revision);
    const share = this.moving ? (performance.now() - this.moving.since) / DURATION_MS : 1;
    if (!this.moving || share >= 1) {
      this.moving = undefined;
      return draw(content, view, seen);
    }
    this.redrawSoon();
    return draw(between(this.moving.before, content, share), view, seen);
  }

  private turnInto(content: TreemapContent, revision: number): void {
    const { shown } = this;
    if (shown?.revision === revision && shown.content === content) return;
    this.shown = { revision, content };
    this.moving = undefined;
    const isFew = content.nodes.id.length + content.marks.node.length <= MOST_MOVING;
    const isSameKind = shown?.content.subject === content.subject && shown.content.quantity === content.quantity;
    if (!shown || !isFew || !isSameKind || document.hidden || window.matchMedia(LESS_MOTION).matches) return;
    this.moving = { before: shown.content, since: performance.now() };
  }

  private redrawSoon(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.redraw();
    });
  }
}
