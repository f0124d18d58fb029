/** The elements of a graph's bars. */
import type { GraphNumbers } from "../../src/protocol/superGraph";
import { BarElement } from "./barElement";
import { barSentence } from "./describe";

/** What needs no layout: in the order of the bars. */
interface Prepared {
  readonly bars: GraphNumbers["bars"];
  /** By what a bar is of. */
  readonly elements: ReadonlyMap<string, BarElement>;
  readonly sentences: readonly string[];
}

export class BarElements {
  private shown: Prepared["elements"] = new Map<string, BarElement>();
  private prepared: Prepared | undefined;

  /** Makes what is new and says what there is to say, while the layout of the graph is on its way. */
  prepare(graph: GraphNumbers): Prepared {
    const { bars } = graph;
    // The same graph gets another layout when the panel's size changes.
    if (this.prepared?.bars === bars) return this.prepared;
    const sentences = bars.map((_, bar) => barSentence(graph, bar));
    const elements = new Map<string, BarElement>();
    bars.forEach(({ group, visit }, bar) => {
      let key = JSON.stringify([group, visit]);
      // Two graphs, one above the other, have the same bars.
      while (elements.has(key)) key += " again";
      const known = this.shown.get(key);
      const element = known ?? new BarElement();
      // What is on screen stays as it is until then.
      if (!known) element.show(graph, bar, sentences[bar]);
      elements.set(key, element);
    });
    return (this.prepared = { bars, elements, sentences });
  }

  /** A bar that was there keeps its element, and nothing else ever has it: a click on the way to one never meets another. */
  show(graph: GraphNumbers): BarElement[] {
    const { elements, sentences } = this.prepare(graph);
    this.shown = elements;
    const shown = [...elements.values()];
    shown.forEach((element, bar) => element.show(graph, bar, sentences[bar]));
    return shown;
  }
}
