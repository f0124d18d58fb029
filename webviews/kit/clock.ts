/** A run as a clock (Kesavan 2023, chapter 7): twelve sectors, in each what was done as stacked bars, and the window as an arc. Pure. */
import { largestIn } from "../../src/model/longLists";
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { type BoundShown, type ClockShown, SECTORS } from "../../src/protocol/clock";
import type { Stretch } from "../../src/protocol/panel";
import { type EventKind, eventKinds } from "../../src/protocol/timeline";
import { plural } from "../shared/text";
import { kindFill, kindWord } from "./kinds";
import { type DrawView, type Fact, type Paint, type Point, rounded, type Shape, standsBack } from "./stage/scene";
import type { Theme } from "./theme/theme";

const KINDS = eventKinds.length;
/** Parts of the radius: the hub ends, the window's arc lies, bars begin. */
export const HUB = 0.3;
const ARC = { from: 0.34, to: 0.39 } as const;
const BARS = 0.44;
/** Between bars of neighbouring sectors, and between their tracks, in radians. */
const GAP = 0.035;
/** An arc is seen from here on. */
const LEAST_ARC = 0.03;
/** Of kinds that stand back for those that are highlighted. */
export const LEFT_OUT = 0.3;
const IDLE: number = eventKinds.indexOf("idle");

/** Where a clock is drawn. */
export interface Dial {
  readonly centre: Point;
  readonly radius: number;
}

/** Seconds of all lanes' events in a sector. */
export function sectorSeconds({ kinds }: ClockShown, sector: number): number {
  return kinds.subarray(sector * KINDS, (sector + 1) * KINDS).reduce((sum, one) => sum + one, 0);
}

/** What the full height of a bar stands for. */
export function fullestSector(clock: ClockShown): number {
  return Math.max(0, largestIn(Array.from({ length: SECTORS }, (_, at) => sectorSeconds(clock, at))));
}

/** What a clock has of one lane: all are in its sums. */
export function lanesSummed({ cpuLanes, gpuLanes }: Pick<ClockShown, "cpuLanes" | "gpuLanes">): string {
  return `in the sums of ${plural(cpuLanes + gpuLanes, "lane")}`;
}

/** From the beginning of a sector to that of the next; of the last one that is in the run to the run's end. */
export function sectorStretch({ from, to, end }: ClockShown, sector: number): Stretch {
  const edge = (at: number) => (at === SECTORS ? to : from + ((to - from) * at) / SECTORS);
  return { from: edge(sector), to: Math.max(edge(sector), Math.min(end, edge(sector + 1))) };
}

/** Whether something of the run is in it. */
export function isRun(clock: ClockShown, sector: number): boolean {
  const { from, to } = sectorStretch(clock, sector);
  return to > from || clock.to === clock.from;
}

/** Everything of a clock but what can be pointed at. @param most what the full height stands for, seconds */
export function clockShapes(
  clock: ClockShown,
  dial: Dial,
  view: Pick<DrawView, "theme" | "highlighted">,
  { most, window, of }: { readonly most: number; readonly window?: Stretch; readonly of?: number },
): Shape[] {
  const { theme } = view;
  const mark = of === undefined ? {} : { of };
  const tracks = Array.from({ length: SECTORS }, (_, sector): Shape[] => {
    if (!isRun(clock, sector)) return [];
    return [{ kind: "path", d: sectorPath(dial, sector), stroke: theme.grid, strokeWidth: 1, ...mark }];
  }).flat();
  const bars = Array.from({ length: SECTORS }, (_, sector) => sectorBars(clock, dial, sector, most, view));
  const ring = ringPath(dial, ARC, 0, 2 * Math.PI);
  return [
    ...tracks,
    ...bars.flat().map((bar) => ({ ...bar, ...mark })),
    { kind: "path", d: ring, stroke: theme.grid, strokeWidth: 1, ...mark },
    ...(window ? windowArc(clock, dial, theme, window) : []),
  ];
}

function sectorBars(
  clock: ClockShown,
  dial: Dial,
  sector: number,
  most: number,
  view: Pick<DrawView, "theme" | "highlighted">,
): Shape[] {
  const { theme } = view;
  let height = 0;
  return eventKinds.flatMap((name, kind): Shape[] => {
    const seconds = clock.kinds[sector * KINDS + kind];
    if (!(seconds > 0) || !(most > 0)) return [];
    const place = (sum: number) => BARS + (1 - BARS) * (sum / most);
    const ring = { from: place(height), to: place((height += seconds)) };
    const edge: Paint = kind === IDLE ? { stroke: theme.grid, strokeWidth: 1 } : edgeOf(theme);
    const back = standsBack(view, name) ? { fillOpacity: LEFT_OUT } : {};
    const [begin, end] = angles(sector, GAP);
    const d = ringPath(dial, ring, begin, end);
    return [{ kind: "path", d, fill: kindFill(name, theme), ...back, ...edge }];
  });
}

function edgeOf({ edge }: Theme): Paint {
  return edge === undefined ? {} : { stroke: edge, strokeWidth: 0.75 };
}

function windowArc({ from, to }: ClockShown, dial: Dial, theme: Theme, window: Stretch): Shape[] {
  const length = to - from;
  if (!(length > 0)) return [];
  const angle = (seconds: number) => 2 * Math.PI * Math.min(1, Math.max(0, (seconds - from) / length));
  const [begin, end] = [angle(window.from), angle(window.to)];
  const middle = (begin + end) / 2;
  const half = Math.max(LEAST_ARC, end - begin) / 2;
  return [{ kind: "path", d: ringPath(dial, ARC, middle - half, middle + half), fill: theme.link }];
}

function angles(sector: number, gap: number): [number, number] {
  const step = (2 * Math.PI) / SECTORS;
  return [sector * step + gap / 2, (sector + 1) * step - gap / 2];
}

/** A sector's track, so many pixels larger on all sides. */
export function sectorPath(dial: Dial, sector: number, off = 0): string {
  const [begin, end] = angles(sector, GAP / 2 - (1.4 * off) / dial.radius);
  const ring = { from: BARS - off / dial.radius, to: 1 + off / dial.radius };
  return ringPath(dial, ring, begin, end);
}

/** Whether a point is in a sector's track. */
export function isInSector({ centre, radius }: Dial, sector: number, { x, y }: Point): boolean {
  const [dx, dy] = [x - centre.x, y - centre.y];
  const distance = Math.hypot(dx, dy);
  if (distance < BARS * radius || distance > radius) return false;
  const turn = (Math.atan2(dx, -dy) / (2 * Math.PI) + 1) % 1;
  return Math.floor(turn * SECTORS) === sector;
}

/** A part of a ring, by parts of the radius and by angles from the top on, clockwise. */
function ringPath(
  { centre, radius }: Dial,
  { from, to }: { readonly from: number; readonly to: number },
  begin: number,
  end: number,
): string {
  const at = (part: number, angle: number) =>
    `${rounded(centre.x + part * radius * Math.sin(angle))},${rounded(centre.y - part * radius * Math.cos(angle))}`;
  const [inner, outer] = [rounded(from * radius), rounded(to * radius)];
  if (end - begin >= 2 * Math.PI - 1e-9) {
    const circle = (part: number, size: number) =>
      `M${at(part, 0)}A${size},${size} 0 1 1 ${at(part, Math.PI)}A${size},${size} 0 1 1 ${at(part, 0)}Z`;
    return `${circle(to, outer)}${circle(from, inner)}`;
  }
  const large = end - begin > Math.PI ? 1 : 0;
  return (
    `M${at(from, begin)}L${at(to, begin)}A${outer},${outer} 0 ${large} 1 ${at(to, end)}` +
    `L${at(from, end)}A${inner},${inner} 0 ${large} 0 ${at(from, begin)}Z`
  );
}

/** `sector 3: 26.7 – 40.0 ms`. */
export function sectorName(clock: ClockShown, sector: number): string {
  const { from, to } = sectorStretch(clock, sector);
  return `sector ${sector + 1}: ${formatStretch(from, to)}`;
}

/** What was done in a sector, and what was moved. */
export function sectorFacts(clock: ClockShown, sector: number): Fact[] {
  const { kinds, bytes, cpu, gpu, exposed, cpuLanes, isMpi, bound } = clock;
  const own = kinds.subarray(sector * KINDS, (sector + 1) * KINDS);
  return [
    ...timeFacts(own, isMpi),
    ["data moved", bytes.length > 0 ? formatValue(bytes[sector], "B") : "no sizes recorded"],
    ...(cpu.length > 0
      ? [["CPU occupancy", `${formatShare(cpu[sector])}, of ${plural(cpuLanes, "lane")}`] as const]
      : []),
    ["GPU occupancy", gpu.length > 0 ? `${formatShare(gpu[sector])}, of ${bound.over}` : "no GPU recorded"],
    ["exposed movement", formatShare(exposed[sector])],
  ];
}

/** Kinds that took time, with their part of all of it. @param kinds seconds */
export function timeFacts(kinds: Float64Array, isMpi: boolean): Fact[] {
  const all = kinds.reduce((sum, one) => sum + one, 0);
  return eventKinds.flatMap((kind, at): Fact[] =>
    kinds[at] > 0 ? [[kindWord(kind, isMpi), formatValue(kinds[at], "s"), formatShare(kinds[at] / all)]] : [],
  );
}

/** What most of the movement is that nothing hides. */
export function exposedKind({ shares }: BoundShown): EventKind {
  return shares?.isCommunication === true ? "communication" : "data movement";
}

/** Kind by kind over all sectors, seconds. */
export function kindSums({ kinds }: ClockShown): Float64Array {
  const sums = new Float64Array(KINDS);
  kinds.forEach((seconds, at) => (sums[at % KINDS] += seconds));
  return sums;
}

/** What the occupancies are, in a tooltip. */
export const OCCUPANCY = "occupancy: computing in CPU lanes; some kernel running on GPUs";
