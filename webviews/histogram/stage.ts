/** Where the histogram is drawn: size, theme and layers belong together here; what is shown is handed in. */
import type { HistogramMessage } from "../../src/protocol/histogram";
import { html } from "../shared/dom";
import { pngBase64 } from "../shared/png";
import { measureIn, visible } from "../shared/text";
import { onThemeChange, readTheme } from "../shared/theme";
import { Drawing, type Emphasis, FONT_SIZE } from "./drawing";
import { legend } from "./legend";
import { pictureHeight, svgText } from "./pictures";
import { buildScene, type Scene } from "./scene";
import { ShadowCanvas } from "./shadowCanvas";

/** What is on the stage. */
export interface Shown {
  readonly histogram: HistogramMessage;
  readonly emphasis: Emphasis;
}

export class Stage {
  readonly element = html("div", { class: "stage" });
  readonly legendElement = html("div", { class: "legend-place" });
  readonly drawing = new Drawing();
  /** What was drawn last. */
  scene: Scene | undefined;
  private readonly shadows = new ShadowCanvas();
  private theme = readTheme();
  private size = { width: 0, height: 0 };
  private isPending = false;

  /**
   * @param shown what to draw, asked for at each frame
   * @param resized hears of every size, and of the first one apart
   */
  constructor(
    private readonly shown: () => Shown | undefined,
    private readonly resized: (size: { width: number; height: number }, isFirst: boolean) => void,
  ) {
    this.element.append(...this.shadows.elements, this.drawing.element);
    onThemeChange(() => {
      this.theme = readTheme();
      this.layOut();
    });
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  /** Another histogram: its elements are made anew. */
  show(histogram: HistogramMessage): void {
    this.drawing.show(histogram);
    this.layOut();
  }

  clear(): void {
    this.scene = undefined;
    this.drawing.clear();
    this.shadows.clear();
    this.legendElement.replaceChildren();
  }

  /** What is chosen, pointed at or found has changed; drawn once a frame, however often that is. */
  emphasise(): void {
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => this.emphasiseNow());
  }

  emphasiseNow(): void {
    this.isPending = false;
    const shown = this.shown();
    const { scene, theme } = this;
    if (!shown || !scene) return;
    this.drawing.emphasise(shown.histogram, scene, theme, shown.emphasis);
    this.shadows.emphasise(shown.histogram, scene, theme, shown.emphasis);
  }

  /** SVG text, or base64 of a PNG. @param dataSet what the picture is of, written below it */
  async picture(format: "svg" | "png", { histogram, emphasis }: Shown, dataSet: string): Promise<string> {
    const { scene } = this;
    if (!scene) throw new Error("nothing is drawn yet");
    const text = svgText(histogram, scene, this.theme, emphasis, visible(dataSet));
    return format === "svg" ? text : pngBase64(text, scene.width, pictureHeight(scene));
  }

  private layOut(): void {
    const shown = this.shown();
    if (!shown || this.size.width === 0) return;
    const { histogram } = shown;
    const { theme } = this;
    const scene = buildScene(histogram, this.size, measureIn(`${FONT_SIZE}px ${theme.font}`));
    this.scene = scene;
    this.drawing.layOut(histogram, scene, theme);
    this.shadows.layOut(histogram, scene, theme);
    this.legendElement.replaceChildren(legend(histogram, theme));
    this.emphasiseNow();
  }

  private measure(): void {
    const box = this.element.getBoundingClientRect();
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (width < 1 || height < 1 || (width === this.size.width && height === this.size.height)) return;
    const isFirst = this.size.width === 0;
    this.size = { width, height };
    this.resized(this.size, isFirst);
    this.layOut();
  }
}
