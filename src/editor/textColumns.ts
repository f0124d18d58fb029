/** How many columns of text an editor shows, from the width of its group. Pure. */

/** What the widths of an editor's parts follow from. */
export interface EditorLook {
  /** Pixels. */
  readonly fontSize: number;
  readonly hasMinimap: boolean;
  /** Of the document: their numbers take a part of the width. */
  readonly lines: number;
}

/** Of the font's size: of the usual fonts of code the widest (SF Mono 0.618, Menlo and DejaVu 0.602, Consolas 0.55). */
const CHARACTER_WIDTH = 0.62;
/** Of the font's size; the margin for the heat's marks is as wide as a line is high. */
const LINE_HEIGHT = 1.5;
/** Line numbers have room for so many digits. */
const LEAST_DIGITS = 5;
/** Pixels between the line numbers and the text. */
const FOLDING = 26;
const SCROLL_BAR = 14;
/** Pixels that VS Code's minimap has beside its own columns, of a pixel each, and how many columns it has at most. */
const MINIMAP_EDGE = 8;
const MINIMAP_COLUMNS = 120;

/**
 * @param layout what VS Code's command `vscode.getEditorLayout` answers: rows of columns of rows of groups, with sizes in pixels along each
 * @returns the widths of the groups in the order of their view columns; undefined where the layout does not tell
 */
export function groupWidths(layout: unknown): (number | undefined)[] {
  const { orientation } = propertiesOf(layout);
  const widths: (number | undefined)[] = [];
  const pending = [{ node: layout, width: undefined as number | undefined, isRow: orientation === 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { groups } = propertiesOf(next.node);
    if (!Array.isArray(groups)) {
      widths.push(next.width);
      continue;
    }
    // Groups above one another are all as wide as the widest row among them is in all.
    const width = next.isRow ? undefined : (next.width ?? rowWidth(groups));
    for (const group of [...groups].reverse())
      pending.push({ node: group, width: next.isRow ? sizeOf(group) : width, isRow: !next.isRow });
  }
  return widths;
}

/** @param width of the editor's group, in pixels */
export function textColumns(width: number, { fontSize, hasMinimap, lines }: EditorLook): number {
  const character = CHARACTER_WIDTH * fontSize;
  const digits = Math.max(LEAST_DIGITS, `${lines}`.length);
  const free = width - LINE_HEIGHT * fontSize - digits * character - FOLDING - SCROLL_BAR;
  const ofMinimap = hasMinimap ? Math.min(MINIMAP_COLUMNS, free / (character + 1)) + MINIMAP_EDGE : 0;
  return Math.max(0, Math.floor((free - ofMinimap) / character));
}

/** Of groups above one another, the width of the first row that is cut into columns. */
function rowWidth(rows: readonly unknown[]): number | undefined {
  for (const row of rows) {
    const { groups } = propertiesOf(row);
    if (!Array.isArray(groups)) continue;
    const sizes = groups.map(sizeOf);
    if (sizes.every((size) => size !== undefined)) return sizes.reduce((sum, size) => sum + size, 0);
  }
  return undefined;
}

function sizeOf(node: unknown): number | undefined {
  const { size } = propertiesOf(node);
  return typeof size === "number" && size > 0 ? size : undefined;
}

function propertiesOf(node: unknown): { orientation?: unknown; groups?: unknown; size?: unknown } {
  return typeof node === "object" && node !== null ? node : {};
}
