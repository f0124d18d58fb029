/**
 * Colours of categories that people with any kind of colour vision can tell apart, after Okabe and Ito ("Color Universal
 * Design", 2008). Never the only sign: whatever has such a colour also says its category in words.
 */
import { type Color, colorText, contrast, parseColor } from "./color";

const set = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"];

/** The colour of a category by its number; undefined where there are more categories than colours. */
export function categoryColor(category: number): string | undefined {
  return set[category];
}

const BLACK: Color = [0, 0, 0, 1];
const WHITE: Color = [255, 255, 255, 1];

/** Black or white: what is easier to read on this. */
export function inkOn(fill: string): string {
  const color = parseColor(fill) ?? WHITE;
  return colorText(contrast(color, BLACK) >= contrast(color, WHITE) ? BLACK : WHITE);
}
