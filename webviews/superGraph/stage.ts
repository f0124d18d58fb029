/** The super graph's stage: the kit's, zoomed and moved, on which one graph turns into the next. */
import type { DrawView, Emphasis, Mark, Shape } from "../kit/stage/scene";
import { type Picture, Stage, type StageHooks, type ToDraw } from "../kit/stage/stage";
import { FlowCanvas } from "./flowCanvas";
import { type Graph, isLaidOut, markOf } from "./graph";
import { Remembered } from "./remembered";
import { marksOf } from "./marks";
import { placeGraph, type Placed } from "./placed";
import { draw, type GraphScene, sceneOf } from "./scene";
import { type Seen, viewportOf } from "./seen";
import { type Moment, Transition } from "./transition";

const LESS_MOTION = "(prefers-reduced-motion: reduce)";

export class GraphStage extends Stage<Graph, Seen> {
  private readonly flows: FlowCanvas;
  private readonly placed = new Remembered<Placed>();
  private readonly made = new Remembered<Mark[]>();
  private readonly scenes = new Remembered<GraphScene>();
  private drawn: { readonly revision: number; readonly scene: GraphScene } | undefined;
  private transition: Transition | undefined;
  /** What fades out. */
  private before: GraphScene | undefined;
  /** Bars whose labels are placed before all others. */
  private first: readonly number[] = [];
  private isDue = false;

  constructor(hooks: StageHooks<Graph, Seen>) {
    const flows = new FlowCanvas();
    super(hooks, draw, flows);
    this.flows = flows;
  }

  /** What is pointed at or selected is named, whatever has to give way. */
  override emphasise(emphasis: Emphasis, now = false): void {
    super.emphasise(emphasis, now);
    const graph = this.drawn?.scene.placed.graph;
    const first = [emphasis.selected, emphasis.pointed].flatMap((mark) =>
      graph && mark !== undefined ? (markOf(graph, mark).bar ?? []) : [],
    );
    if (first.join() === this.first.join()) return;
    this.first = first;
    this.redrawSoon();
  }

  protected override sceneOf({ content: graph, revision, seen }: ToDraw<Graph, Seen>, view: DrawView): GraphScene {
    if (!isLaidOut(graph)) throw new Error("A graph without a layout is not drawn.");
    this.turnInto(graph, revision, view);
    const { first } = this;
    const { width, height, theme } = view;
    const viewport = viewportOf(graph, view, seen);
    const { scale, x, y } = viewport;
    const { bars, layout, look, histograms } = graph;
    const placed = this.placed.get([bars, layout, look?.colour, scale, x, y, width, height], () =>
      placeGraph(graph, viewport, view),
    );
    const marks = this.made.get([placed, theme], () => marksOf(placed, placed.bars, theme));
    const scene = this.scenes.get([marks, view, look, histograms, ...first], () =>
      sceneOf({ ...placed, graph }, marks, view, first),
    );
    const moment = this.momentOf(scene);
    const shown = moment ? this.onItsWay(scene, moment, view) : scene;
    this.drawn = { revision, scene: shown };
    return shown;
  }

  /** All of the graph, wherever people have zoomed and moved to, and however far it is on its way. */
  override picture(): Picture | undefined {
    const content = this.hooks.shown()?.content;
    if (!content || !isLaidOut(content)) return undefined;
    const scene: GraphScene = { ...draw(content, this.view), thinFlows: 0 };
    return this.pictureOf(scene);
  }

  /** Another graph: what was drawn leads to it, where it was made from that. */
  private turnInto({ from }: Graph, revision: number, { width, height }: DrawView): void {
    const { drawn } = this;
    const isSame = drawn?.revision === revision;
    const isResized = drawn?.scene.placed.width !== width || drawn.scene.placed.height !== height;
    if (isSame && !isResized) return;
    this.transition = undefined;
    if (isSame) return;
    const isMoved = from && drawn && from.revision === drawn.revision;
    if (!isMoved || document.hidden || window.matchMedia(LESS_MOTION).matches) return;
    this.before = drawn.scene;
    this.transition = new Transition(drawn.scene.placed.bars, from.bars, performance.now());
  }

  /** How far the drawing is on its way to a scene; undefined where it is there. */
  private momentOf({ placed: { bars } }: GraphScene): Moment | undefined {
    const { transition } = this;
    const moment = transition?.isStill(bars) === true ? undefined : transition?.at(performance.now(), bars);
    if (!moment) this.transition = this.before = undefined;
    const isBefore = moment !== undefined && moment.before > 0;
    const opacity = moment && (isBefore ? moment.before : moment.flows);
    this.fade(opacity);
    this.flows.fade(opacity, isBefore ? this.before : undefined);
    return moment;
  }

  /** Flows and labels of the graph before fade out, then bars move, then flows and labels come back. */
  private onItsWay(scene: GraphScene, { bars, before, flows }: Moment, { theme }: DrawView): GraphScene {
    this.redrawSoon();
    const { transition, before: last } = this;
    const marks = marksOf(scene.placed, bars, theme, (bar) => (transition?.isNew(bar) === true ? flows : undefined));
    const gone = new Set(transition?.gone);
    const ghosts = (last?.marks ?? [])
      .filter(({ id }) => gone.has(id))
      .map(({ box, paint }): Shape => ({ kind: "box", box, ...paint }));
    return {
      ...scene,
      placed: { ...scene.placed, bars },
      marks,
      ...(before > 0 ? { below: ghosts, above: last?.above ?? [], signs: [] } : {}),
    };
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
