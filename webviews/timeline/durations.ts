/** How long the events of a function are, as a small histogram. Pure. */
import { scaleLinear } from "d3-scale";
import { formatValue } from "../../src/model/units";
import type { TimelineOccurrences } from "../../src/protocol/timelineLists";
import { svg } from "../shared/dom";
import { plural } from "../shared/text";

/** Pixels. */
const HEIGHT = 88;
const TOP = 16;
const FOOT = 20;

/** Bars of one width, whether the scale is one of sums or of factors; the largest count and the ends of the scale are written. */
export function durationsPicture({ edges, counts, isLog, instants }: TimelineOccurrences["bins"], width: number) {
  const most = counts.reduce((one, other) => Math.max(one, other), 0);
  const high = scaleLinear([0, Math.max(1, most)], [0, HEIGHT - TOP - FOOT]);
  const base = HEIGHT - FOOT;
  const step = width / Math.max(1, counts.length);
  const bars = Array.from(counts, (count, bin) => {
    // What is there is seen.
    const height = count === 0 ? 0 : Math.max(1, high(count));
    const range = `${formatValue(edges[bin], "s")} – ${formatValue(edges[bin + 1], "s")}: ${plural(count, "event")}`;
    const title = svg("title", {});
    title.textContent = range;
    return svg("rect", { x: bin * step, y: base - height, width: Math.max(1, step - 1), height }, title);
  });
  const text = (x: number, y: number, anchor: string, words: string) => {
    const element = svg("text", { x, y, "text-anchor": anchor });
    element.textContent = words;
    return element;
  };
  const [least, largest] = [edges[0] ?? 0, edges[edges.length - 1] ?? 0];
  const scale = [...(isLog ? ["log"] : []), ...(instants > 0 ? [`${plural(instants, "event")} of 0 s`] : [])].join(
    " · ",
  );
  const label = `${plural(counts.length, "bin")} of lengths from ${formatValue(least, "s")} to ${formatValue(largest, "s")}`;
  return svg(
    "svg",
    { class: "durations", width, height: HEIGHT, role: "img", "aria-label": label },
    bars,
    svg("line", { x1: 0, x2: width, y1: base + 0.5, y2: base + 0.5 }),
    text(0, 11, "start", most.toLocaleString("en")),
    text(0, HEIGHT - 6, "start", formatValue(least, "s")),
    text(width / 2, HEIGHT - 6, "middle", scale),
    text(width, HEIGHT - 6, "end", formatValue(largest, "s")),
  );
}
