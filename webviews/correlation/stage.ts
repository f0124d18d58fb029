/** Where the scatter is drawn: size, theme and layers belong together here; what is shown is handed in. */
import type { ScatterMessage } from "../../src/protocol/correlation";
import { pictureText } from "../shared/pictureText";
import { html, setAll, svg } from "../shared/dom";
import { pngBase64 } from "../shared/png";
import { type Measure, measureIn } from "../shared/text";
import { onThemeChange, readTheme, type Theme } from "../shared/theme";
import { fitSentence, whyNoLine } from "./describe";
import { Drawing, type Emphasis } from "./drawing";
import { PointCanvas } from "./pointCanvas";
import { type Box, buildScene, ELEMENT_LIMIT, FONT_SIZE, type Scene } from "./scene";

/** What is on the stage. */
export interface Shown {
  readonly scatter: ScatterMessage;
  readonly emphasis: Emphasis;
}

export interface StageListeners {
  /** The area has a size for the first time. */
  ready(size: { width: number; height: number }): void;
  /** A frame was drawn. */
  drew(): void;
}

/** Below a saved picture, for what it is of. */
const FOOT = 40;

export class Stage {
  readonly element = html("div", { class: "stage" });
  readonly drawing = new Drawing();
  /** What was drawn last. */
  scene: Scene | undefined;
  theme = readTheme();
  private readonly canvas = new PointCanvas();
  private measure: Measure = measureIn(`${FONT_SIZE}px ${this.theme.font}`);
  private size = { width: 0, height: 0 };
  private drawPending = false;
  /** The scatter and size that {@link scene} is of. */
  private built: { scatter: ScatterMessage; size: { width: number; height: number } } | undefined;

  /** @param shown what to draw, asked for at each frame */
  constructor(
    private readonly shown: () => Shown | undefined,
    private readonly listeners: StageListeners,
  ) {
    this.element.append(this.canvas.element, this.drawing.element);
    onThemeChange(() => {
      this.theme = readTheme();
      this.measure = measureIn(`${FONT_SIZE}px ${this.theme.font}`);
      this.built = undefined;
      this.draw();
    });
    new ResizeObserver(() => this.resized()).observe(this.element);
  }

  /** @param order marks in the order of x */
  show(scatter: ScatterMessage, order: readonly number[]): void {
    this.drawing.show(scatter, order, isLarge(scatter));
    this.drawNow();
  }

  clear(): void {
    this.scene = undefined;
    this.built = undefined;
    this.drawing.clear();
    this.canvas.clear();
  }

  draw(): void {
    if (this.drawPending) return;
    this.drawPending = true;
    requestAnimationFrame(() => this.drawNow());
  }

  drawNow(): void {
    this.drawPending = false;
    const shown = this.shown();
    if (!shown || this.size.width === 0) return;
    const { scatter, emphasis } = shown;
    if (!this.scene || this.built?.scatter !== scatter || this.built.size !== this.size) {
      this.scene = buildScene(scatter, this.size, this.measure);
      this.built = { scatter, size: this.size };
    }
    this.drawing.update(this.scene, this.theme, emphasis);
    if (isLarge(scatter)) this.canvas.update(this.scene, this.theme, emphasis);
    else this.canvas.clear();
    this.listeners.drew();
  }

  showBrush(box: Box | undefined): void {
    this.drawing.showBrush(box, this.theme);
  }

  /**
   * The scatter as a picture: SVG text, or base64 of a PNG.
   *
   * @param dataSet what the picture is of, written below it
   */
  async picture(format: "svg" | "png", { scatter, emphasis }: Shown, dataSet: string): Promise<string> {
    const scene = buildScene(scatter, this.size, this.measure);
    const text = svgText(scatter, scene, this.theme, emphasis, dataSet);
    return format === "svg" ? text : pngBase64(text, scene.width, scene.height + FOOT);
  }

  private resized(): void {
    const box = this.element.getBoundingClientRect();
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (width < 1 || height < 1 || (width === this.size.width && height === this.size.height)) return;
    const isFirst = this.size.width === 0;
    this.size = { width, height };
    if (isFirst) this.listeners.ready(this.size);
    this.draw();
  }
}

/** Cells are always painted: only pictures that stand alone have them as elements. */
function isLarge({ called, density }: ScatterMessage): boolean {
  return density !== undefined || called.length > ELEMENT_LIMIT;
}

function svgText(scatter: ScatterMessage, scene: Scene, theme: Theme, emphasis: Emphasis, dataSet: string): string {
  const drawing = new Drawing();
  drawing.show(scatter, scatter.density ? [] : [...scatter.called.keys()], scatter.density !== undefined);
  drawing.update(scene, theme, { ...emphasis, active: -1 });
  drawing.drawCells(scene, theme);
  const height = scene.height + FOOT;
  const { element } = drawing;
  setAll(element, { width: scene.width, height, viewBox: `0 0 ${scene.width} ${height}`, class: undefined });
  for (const mark of element.querySelectorAll("[tabindex]")) mark.removeAttribute("tabindex");
  element.prepend(svg("rect", { width: scene.width, height, fill: theme.background }));
  const line = (y: number, content: string) =>
    svg("text", { x: 12, y, fill: theme.foreground, "font-family": theme.font, "font-size": FONT_SIZE }, content);
  element.append(line(scene.height + 14, dataSet), line(scene.height + 32, whyNoLine(scatter) ?? fitSentence(scatter)));
  return pictureText(element);
}
