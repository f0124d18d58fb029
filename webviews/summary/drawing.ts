/** The sentence with its figures, two quantities along the run, and the clock. Pure. */
import { formatStretch, formatValue } from "../../src/model/units";
import { SECTORS } from "../../src/protocol/clock";
import type { SummaryContent } from "../../src/protocol/summary";
import { TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { clockShapes, type Dial, fullestSector, HUB, isInSector, isRun, sectorPath } from "../kit/clock";
import { type Box, circle, type DrawView, type Mark, type Scene, type Shape } from "../kit/stage/scene";
import { fitName } from "../shared/text";
import { boundBlock } from "./bound";
import { markFacts, markName, note, ROWS, WHOLE } from "./describe";
import { rowBox, rowsArea, utilisationShapes } from "./utilisation";

const LEFT = 12;
const RIGHT = 10;
const EDGE = 10;
/** From here on words, rows and clock stand side by side. */
const WIDE = 900;
/** Moments around the clock: above and below it, and beside it where it has the room. */
const ABOVE = 20;
const BESIDE = 58;
const LEAST_BESIDE = 420;
const LARGEST = 280;

export function draw(content: SummaryContent, view: DrawView): Scene {
  const { clock, window } = content;
  const { block, rows, dial } = layout(content, view);
  const most = fullestSector(clock);
  const area = rowsArea(rows, content, view);
  return {
    below: [
      ...clockShapes(clock, dial, view, { most, ...(window ? { window } : {}) }),
      ...utilisationShapes(content, rows, view),
      ...block,
    ],
    marks: [...sectorMarks(content, dial), ...rowMarks(content, area), wholeMark(content, dial)],
    above: [...moments(content, dial, view), ...hub(content, dial, view)],
    endsWithMarks: true,
  };
}

function layout(content: SummaryContent, view: DrawView): { block: readonly Shape[]; rows: Box; dial: Dial } {
  const { width, height } = view;
  const free = { x: LEFT, y: EDGE, width: width - LEFT - RIGHT, height: height - 2 * EDGE };
  if (width >= WIDE) {
    const [words, glyph] = [300, 324];
    const { shapes } = boundBlock(content, { x: free.x, y: free.y + 8, width: words }, view);
    const rows = { ...free, x: free.x + words + 28, width: glyph };
    const x = rows.x + glyph + 28;
    return { block: shapes, rows, dial: dialIn({ ...free, x, width: free.x + free.width - x }) };
  }
  const { shapes, height: words } = boundBlock(content, free, view);
  const y = free.y + words + 12;
  const rest = { ...free, y, height: Math.max(120, free.y + free.height - y) };
  const glyph = Math.round(rest.width * 0.36);
  const rows = { ...rest, width: glyph };
  return { block: shapes, rows, dial: dialIn({ ...rest, x: rest.x + glyph + 16, width: rest.width - glyph - 16 }) };
}

function dialIn({ x, y, width, height }: Box): Dial {
  const beside = width >= LEAST_BESIDE ? BESIDE : 4;
  const radius = Math.max(30, Math.min(width / 2 - beside, height / 2 - ABOVE, LARGEST));
  return { centre: { x: x + width / 2, y: y + Math.min(height / 2, radius + ABOVE + 40) }, radius };
}

function boxOf({ centre, radius }: Dial, part = 1): Box {
  const size = 2 * part * radius;
  return { x: centre.x - size / 2, y: centre.y - size / 2, width: size, height: size };
}

function sectorMarks(content: SummaryContent, dial: Dial): Mark[] {
  return sectorsOf(content).map((sector) => ({
    id: sector,
    key: `sector ${sector}`,
    box: boxOf(dial),
    name: markName(content, sector),
    d: sectorPath(dial, sector),
    paint: { fill: "transparent" },
    outline: { has: (at) => isInSector(dial, sector, at), around: (off) => sectorPath(dial, sector, off) },
    facts: () => markFacts(content, sector),
    note,
  }));
}

function sectorsOf({ clock }: SummaryContent): number[] {
  return Array.from({ length: SECTORS }, (_, sector) => sector).filter((sector) => isRun(clock, sector));
}

function rowMarks(content: SummaryContent, area: Box): Mark[] {
  return sectorsOf(content).map((sector) => ({
    id: ROWS + sector,
    key: `row ${sector}`,
    within: sector,
    box: rowBox(area, sector),
    name: markName(content, sector),
    paint: { fill: "transparent" },
    facts: () => markFacts(content, ROWS + sector),
    note,
  }));
}

function wholeMark(content: SummaryContent, dial: Dial): Mark {
  const box = boxOf(dial, HUB);
  return {
    id: WHOLE,
    key: "whole",
    box,
    isRound: true,
    name: markName(content, WHOLE),
    d: circle(box),
    paint: { fill: "transparent" },
    facts: () => markFacts(content, WHOLE),
  };
}

/** Where sectors begin, at the quarters. */
function moments({ clock }: SummaryContent, { centre, radius }: Dial, { theme, width, measure }: DrawView): Shape[] {
  const words = wordsAt(theme);
  const text = (part: number) => formatValue(clock.from + (clock.to - clock.from) * part, "s");
  const fits = (part: number) =>
    centre.x + radius + 10 + measure(SIZE)(text(part)) < width - 4 && centre.x - radius - BESIDE > 0;
  const muted = { fill: theme.muted } as const;
  const beside = width - centre.x - radius >= BESIDE - 8;
  return [
    words(centre.x, centre.y - radius - 9, text(0), { ...muted, anchor: "middle" }),
    words(centre.x, centre.y + radius + 17, text(0.5), { ...muted, anchor: "middle" }),
    ...(beside && fits(0.25) ? [words(centre.x + radius + 10, centre.y + 4, text(0.25), muted)] : []),
    ...(beside && fits(0.75)
      ? [words(centre.x - radius - 10, centre.y + 4, text(0.75), { ...muted, anchor: "end" })]
      : []),
  ];
}

function hub({ clock, window }: SummaryContent, { centre, radius }: Dial, { theme, measure }: DrawView): Shape[] {
  const words = wordsAt(theme);
  const room = 2 * HUB * radius - 10;
  const shown = window ?? { from: clock.from, to: clock.end };
  const lines: [string, number][] = [
    [formatValue(shown.to - shown.from, "s"), 600],
    [window ? formatStretch(window.from, window.to) : "whole run", 400],
  ];
  return lines.flatMap(([text, weight], at) => {
    const isWhole = measure(SIZE, weight)(text) <= room;
    if (!isWhole && at > 0) return [];
    const fitted = fitName(text, room, measure(SIZE, weight));
    return [words(centre.x, centre.y + (at === 0 ? -2 : 13), fitted, { anchor: "middle", weight })];
  });
}
