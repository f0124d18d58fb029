/** Where the graph is drawn: size, zoom, theme and layers belong together here; what is shown is handed in. */
import type { GraphMessage, KeptViewport } from "../../src/protocol/superGraph";
import { html } from "../shared/dom";
import { pngBase64 } from "../shared/png";
import { measureIn, visible } from "../shared/text";
import { onThemeChange, readTheme } from "../shared/theme";
import { Viewport } from "../shared/viewport";
import type { Emphasis } from "./barElement";
import { Drawing } from "./drawing";
import { FlowCanvas } from "./flowCanvas";
import { FONT_SIZE, LINE_HEIGHT } from "./labelElement";
import { legend, legendScale } from "./legend";
import { pictureHeight, svgText } from "./pictures";
import { Remembered } from "./remembered";
import {
  buildScene,
  completeScene,
  fitView,
  flowsAreElements,
  type Fonts,
  layoutSize,
  type Marks,
  placeMarks,
  type Scene,
  type SceneExtras,
} from "./scene";
import { type Moment, Transition } from "./transition";

const LESS_MOTION = "(prefers-reduced-motion: reduce)";

/** What is on the stage. */
export interface Shown {
  readonly graph: GraphMessage;
  readonly emphasis: Emphasis;
  readonly extras: SceneExtras;
}

export interface StageListeners {
  /** The size for the layout, whenever the panel's changed. */
  resized(size: { width: number; height: number }, isFirst: boolean): void;
  /** The user zoomed or moved the drawing. */
  moved(): void;
  /** A frame was drawn. */
  drew(): void;
}

export class Stage {
  readonly element = html("div", { class: "stage" });
  readonly legendElement = html("div", { class: "legend-place" });
  readonly drawing = new Drawing();
  readonly canvas = new FlowCanvas();
  /** What was drawn last. */
  scene: Scene | undefined;
  /** Where what is on its way is going. */
  private target: Scene | undefined;
  private transition: Transition | undefined;
  private readonly marks = new Remembered<Marks>();
  private readonly scenes = new Remembered<Scene>();
  private readonly legend = new Remembered<HTMLElement>();
  private readonly viewport: Viewport;
  private theme = readTheme();
  private fonts = fontsOf(this.theme.font);
  private size = { width: 0, height: 0 };
  private drawPending = false;
  /** Everything is in sight, and stays so when graph or size change; ends when the user zooms or moves. */
  private isFitted = true;
  /** The drawing that the user's view is of, while one for another size of the stage, or the first after a reload, is on its way. */
  private viewIsOf: KeptViewport["of"];

  /** @param shown what to draw, asked for at each frame */
  constructor(
    private readonly shown: () => Shown | undefined,
    private readonly listeners: StageListeners,
  ) {
    this.element.append(this.canvas.element, this.canvas.nearElement, this.drawing.element);
    this.viewport = new Viewport(this.drawing.element, () => {
      this.isFitted = false;
      this.transition = undefined;
      listeners.moved();
      this.draw();
    });
    onThemeChange(() => {
      this.theme = readTheme();
      this.fonts = fontsOf(this.theme.font);
      this.draw();
    });
    new ResizeObserver(() => {
      if (this.measure()) this.draw();
    }).observe(this.element);
  }

  /**
   * A new graph: its elements are made anew.
   *
   * @param from for each bar the one of what is on the stage where it begins, or -1; undefined: it is there at once
   */
  show(graph: GraphMessage, from?: readonly number[]): void {
    this.transition = undefined;
    // Notes above may have come or gone with it: seen now, it is drawn once.
    this.measure();
    const { scene } = this;
    const moves = from && scene && !document.hidden && !window.matchMedia(LESS_MOTION).matches;
    if (moves) this.transition = new Transition(scene.bars, from, performance.now());
    this.drawing.show(graph, flowsAreElements(graph), this.transition?.gone);
    this.canvas.forget();
    this.drawNow();
    if (this.transition) this.listeners.drew();
  }

  clear(): void {
    this.scene = this.target = this.transition = undefined;
    this.drawing.clear();
    this.canvas.clear();
    this.legend.forget();
    this.legendElement.replaceChildren();
  }

  /** Many things change at once while zooming: they are drawn once a frame. */
  draw(): void {
    if (this.drawPending) return;
    this.drawPending = true;
    requestAnimationFrame(() => {
      if (this.drawPending) this.drawNow();
    });
  }

  drawNow(): void {
    this.drawPending = false;
    const shown = this.shown();
    if (!shown || this.size.width === 0) return;
    const { graph, emphasis, extras } = shown;
    if (this.isFitted) this.viewport.set(fitView(graph, this.size));
    else this.keepInSight(graph);
    const first = [emphasis.selected, emphasis.pointed].filter((bar) => bar !== undefined);
    const scene = this.sceneOf(graph, first, extras);
    const moment = this.momentOf(scene);
    this.target = scene;
    // Histograms stand still: they come back with the flows.
    this.scene = moment ? { ...moment.scene, histograms: [] } : scene;
    this.element.classList.toggle("of-two", scene.titles.length > 0);
    this.drawing.update(this.scene, this.theme, emphasis);
    this.drawing.fade(moment && { ...moment, isNew: (bar) => this.transition?.isNew(bar) === true });
    // What was on the canvas fades out before anything else is put there.
    if (!moment || moment.before === 0) {
      if (flowsAreElements(graph)) this.canvas.clear();
      else this.canvas.update(graph, scene, this.theme, emphasis);
    }
    this.canvas.fade(moment && (moment.before === 0 ? moment.flows : moment.before));
    const scale = legendScale(graph, scene, extras);
    this.legend.get([JSON.stringify(scale), this.theme], () => {
      const made = legend(scale, this.theme);
      this.legendElement.replaceChildren(made);
      return made;
    });
    if (moment) this.draw();
    else this.listeners.drew();
  }

  /** Of all that a scene is made of, mostly one thing changes: while the pointer moves, only labels do. */
  private sceneOf(graph: GraphMessage, first: readonly number[], { colour, histograms }: SceneExtras): Scene {
    const { size, fonts } = this;
    const { view } = this.viewport;
    const marks = this.marks.get([graph, view.scale, view.x, view.y, size, colour], () =>
      placeMarks(graph, view, size, colour),
    );
    return this.scenes.get([marks, fonts, histograms, ...first], () => completeScene(marks, fonts, first, histograms));
  }

  /** What the user had moved to stays in sight when the stage gets another size, and the drawing with it. */
  private keepInSight({ geometry }: GraphMessage): void {
    const before = this.viewIsOf;
    if (!before || before === geometry) return;
    // It is there, and nothing that comes later is for this size: what needs much height is as large in a lower stage.
    this.viewIsOf = undefined;
    const { width, height } = geometry;
    if (before.width === width && before.height === height) return;
    const { scale, x, y } = this.viewport.view;
    this.viewport.set({ scale, x: (x * width) / before.width, y: (y * height) / before.height });
    this.listeners.moved();
  }

  /** How far the drawing is on its way to a scene; undefined where it is there. */
  private momentOf(scene: Scene): Moment | undefined {
    const { transition } = this;
    const moment = transition?.isStill(scene) === true ? undefined : transition?.at(performance.now(), scene);
    if (!moment) this.transition = undefined;
    return moment;
  }

  zoom(factor: number): void {
    this.viewport.zoom(factor);
  }

  fit(): void {
    this.isFitted = true;
    this.viewIsOf = undefined;
    this.listeners.moved();
    this.draw();
  }

  /** Moves a bar into sight, where it is not. */
  reveal(bar: number): void {
    const box = this.target?.bars.at(bar);
    if (box) this.viewport.reveal(box);
  }

  /** The user's view, for a reload; undefined while everything is in sight. */
  get view(): KeptViewport | undefined {
    if (this.isFitted) return undefined;
    const drawing = this.viewIsOf ?? this.shown()?.graph.geometry;
    return { ...this.viewport.view, ...(drawing ? { of: { width: drawing.width, height: drawing.height } } : {}) };
  }

  set view(kept: KeptViewport | undefined) {
    this.isFitted = kept === undefined;
    this.viewIsOf = kept?.of;
    if (kept) this.viewport.set({ scale: kept.scale, x: kept.x, y: kept.y });
  }

  /**
   * The whole graph as a picture: SVG text, or base64 of a PNG.
   *
   * @param dataSet what the picture is of, written below it
   */
  async picture(format: "svg" | "png", { graph, emphasis, extras }: Shown, dataSet: string): Promise<string> {
    const scene = buildScene(graph, fitView(graph, this.size), this.size, this.fonts, [], extras);
    const { active, selected } = emphasis;
    const text = svgText(graph, scene, this.theme, { active, selected }, visible(dataSet));
    return format === "svg" ? text : pngBase64(text, scene.width, pictureHeight(scene));
  }

  /** @returns whether the drawing has another size now */
  private measure(): boolean {
    const box = this.element.getBoundingClientRect();
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (width < 1 || height < 1 || (width === this.size.width && height === this.size.height)) return false;
    const isFirst = this.size.width === 0;
    if (!isFirst && !this.isFitted) this.viewIsOf ??= this.shown()?.graph.geometry;
    this.transition = undefined;
    this.size = { width, height };
    this.listeners.resized(layoutSize(this.size), isFirst);
    return true;
  }
}

function fontsOf(font: string): Fonts {
  return {
    name: measureIn(`600 ${FONT_SIZE}px ${font}`),
    rest: measureIn(`${FONT_SIZE}px ${font}`),
    lineHeight: LINE_HEIGHT,
  };
}
