/** A label as SVG: made once for its bar, and told what changes. */
import { Mark } from "../shared/dom";
import type { Theme } from "../shared/theme";
import type { PlacedLabel } from "./labels";

export const FONT_SIZE = 12;
export const LINE_HEIGHT = 16;

export class LabelElement {
  private readonly group = new Mark("g", { class: "label" });
  /** Made when the label first lies on a flow. */
  private plate: Mark<"rect"> | undefined;
  private readonly lines: TextLine[] = [];

  get element(): SVGGElement {
    return this.group.element;
  }

  update(label: PlacedLabel, theme: Theme, isSelected: boolean, isDimmed: boolean): void {
    const { bar, x, y, width, height, plate, lines } = label;
    this.group.set({ "data-bar": bar, opacity: isDimmed ? 0.4 : undefined });
    if (plate && !this.plate) {
      this.plate = new Mark("rect", { rx: 2, "fill-opacity": 0.85 });
      this.element.prepend(this.plate.element);
    }
    if (plate) this.plate?.set({ x: x - 2, y, width: width + 4, height, fill: theme.background });
    else if (this.plate) {
      this.plate.element.remove();
      this.plate = undefined;
    }
    for (const line of this.lines.splice(lines.length)) line.element.remove();
    lines.forEach((text, at) => {
      let line = this.lines.at(at);
      if (!line) {
        line = new TextLine();
        this.lines.push(line);
        this.element.append(line.element);
      }
      const isName = at === 0;
      line.set(text, {
        x,
        y: y + LINE_HEIGHT * at + FONT_SIZE,
        fill: isName ? theme.foreground : theme.muted,
        "font-weight": isName ? 600 : undefined,
        "text-decoration": isSelected && isName ? "underline" : undefined,
      });
    });
  }
}

/** A line of text. */
class TextLine {
  private readonly mark = new Mark("text");
  private readonly text = document.createTextNode("");

  constructor() {
    this.element.append(this.text);
  }

  get element(): SVGTextElement {
    return this.mark.element;
  }

  set(text: string, attributes: Parameters<Mark<"text">["set"]>[0]): void {
    if (this.text.data !== text) this.text.data = text;
    this.mark.set(attributes);
  }
}
