/** Controls of two graphs and of the histograms on bars: what is drawn, how it is coloured, what it is compared with. */
import type { ColourChoice, HalvesControls as Shown, HistogramChoice } from "../../src/protocol/graphHalves";
import { button, dropdown, setPressed } from "../shared/controls";
import { html, setAll } from "../shared/dom";
import { labelled } from "../shared/scopeControls";
import { visible } from "../shared/text";

export interface HalvesListeners {
  histograms(of: HistogramChoice): void;
  colour(colour: ColourChoice): void;
  below(shown: boolean): void;
  compare(): void;
  stopComparing(): void;
}

export class HalvesControls {
  /** In the toolbar, before its buttons. */
  readonly elements: readonly HTMLElement[];
  /** Last in the toolbar. */
  readonly chipPlace = html("span", { class: "chip-place" });
  private readonly chip = html("span", { class: "chip" });
  private readonly histograms;
  private readonly colour;
  private readonly colourControl;
  private readonly below;

  constructor(listeners: HalvesListeners) {
    this.histograms = dropdown("Histograms on bars", (value) => listeners.histograms(value as HistogramChoice));
    this.colour = dropdown("Colour of bars", (value) => listeners.colour(value as ColourChoice));
    this.colourControl = labelled("colour", this.colour.element);
    this.below = button("", () => listeners.below(this.below.getAttribute("aria-pressed") !== "true"), {
      toggle: true,
    });
    const compare = button("Compare with…", () => listeners.compare(), {
      title: "Compare with another recording…",
    });
    const remove = html("button", { type: "button", "aria-label": "Stop comparing", title: "Remove" }, "×");
    remove.addEventListener("click", listeners.stopComparing);
    this.chip.append(html("span"), remove);
    this.elements = [
      labelled("histograms", this.histograms.element),
      this.colourControl,
      html("span", { class: "buttons" }, this.below, compare),
    ];
  }

  show({ histograms, noHistograms, colour, below, pair, compared }: Shown): void {
    const choices = [
      { value: "exclusive", label: "exclusive" },
      { value: "inclusive", label: "inclusive" },
      { value: "off", label: "off" },
    ];
    // Where there are none the list says why, and offers nothing.
    this.histograms.show(
      noHistograms === undefined ? choices : [{ value: "none", label: "none", title: visible(noHistograms) }],
      noHistograms === undefined ? histograms : "none",
    );
    setAll(this.histograms.element, {
      title: noHistograms === undefined ? undefined : visible(noHistograms),
      disabled: noHistograms !== undefined,
    });
    this.colour.show(
      [
        { value: "exclusive", label: "exclusive" },
        { value: "difference", label: "difference" },
      ],
      colour,
    );
    const merged = pair === "runs" && !below;
    this.colourControl.hidden = pair === undefined || merged || (pair === "members" && !below);
    this.below.hidden = pair === undefined;
    this.below.textContent = pair === "runs" ? "Two graphs" : "Others below";
    setPressed(this.below, below);
    setAll(this.below, {
      "aria-label": pair === "runs" ? "Two graphs, else one by difference" : "Others below",
      title:
        pair === "runs"
          ? "Both graphs, one above the other; else one graph by difference"
          : "The graph of all others below that of the chosen",
    });
    const [text] = this.chip.children;
    text.textContent = visible(compared ?? "");
    if (compared === undefined) this.chip.remove();
    else if (!this.chip.isConnected) this.chipPlace.append(this.chip);
  }
}
