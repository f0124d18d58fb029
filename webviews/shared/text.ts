import { withoutScopes } from "./qualifiedNames";

/** Text out of recordings, made fit to be shown: names may be of any length and hold any character. */

export { visible } from "../../src/model/unseen";

/** At most 200 characters for a sentence, the end kept too: what tells long names apart is often there. */
export function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 120)}…${text.slice(-79)}`;
}

/** How wide a text is, in pixels. */
export type Measure = (text: string) => number;

/** The text, or its beginning with "…" where it is wider than `most` pixels; empty where not one character fits. */
export function fit(text: string, most: number, measure: Measure): string {
  if (text.length < 1000 && measure(text) <= most) return text;
  // By characters, not by UTF-16 units: half a pair is not a character. No label holds more than some hundred.
  const characters = Array.from(text.slice(0, 2000)).slice(0, 1000);
  let fits = 0;
  for (let from = 0, to = characters.length; from < to;) {
    const middle = (from + to + 1) >> 1;
    if (measure(`${characters.slice(0, middle).join("")}…`) <= most) from = fits = middle;
    else to = middle - 1;
  }
  return fits === 0 ? "" : `${characters.slice(0, fits).join("").trimEnd()}…`;
}

/** An absolute path, as of load modules and files: what tells one from another stands at its end. */
const PATH = /^(?:\/|[A-Za-z]:[\\/])[^/\\]*[/\\]./;

/** Names that are longer are cut at their end, whatever they are. */
const LONGEST_IN_PARTS = 4096;

/**
 * Like {@link fit}, but a path loses folders from its front (`…/lib/libmpi.so`, `…/libmpi.so`), and a qualified name scopes
 * (`…::Solver::dot()`, `…::dot()`).
 */
export function fitName(text: string, most: number, measure: Measure): string {
  if (text.length > LONGEST_IN_PARTS || measure(text) <= most) return fit(text, most, measure);
  if (PATH.test(text)) return fitPath(text, most, measure);
  const shorter = withoutScopes(text);
  const shown = shorter.find((name) => measure(name) <= most);
  return shown ?? fit((shorter.at(-1) ?? text).replace(/^…::/, ""), most, measure);
}

function fitPath(text: string, most: number, measure: Measure): string {
  const parts = text.split(/(?=[/\\])/);
  let shown = "";
  for (let from = parts.length - 1; from > 0; from--) {
    const longer = `…${parts.slice(from).join("")}`;
    if (measure(longer) > most) break;
    shown = longer;
  }
  return shown === "" ? fit(parts[parts.length - 1].slice(1), most, measure) : shown;
}

/** Measures in this font, e.g. `600 12px sans-serif`; remembers what it measured. */
export function measureIn(font: string): Measure {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map<string, number>();
  return (text) => {
    let width = known.get(text);
    if (width === undefined) {
      if (context) context.font = font;
      width = context?.measureText(text).width ?? text.length * 7;
      if (known.size > 20_000) known.clear();
      known.set(text, width);
    }
    return width;
  };
}

/** Made once: making one takes longer than all that it writes. */
const counts = new Intl.NumberFormat("en");

/** "1 bar", "2 bars". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${counts.format(count)} ${count === 1 ? one : many}`;
}
