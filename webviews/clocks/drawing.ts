/** Clocks in rows, the longest run first, each with its name, how long it took and what it is bound by. Pure. */
import { largestIn } from "../../src/model/longLists";
import { formatShare, formatValue } from "../../src/model/units";
import { computingWord } from "../../src/protocol/clock";
import type { ClocksContent, RunClock } from "../../src/protocol/clocks";
import { clockShapes, fullestSector, kindSums, timeFacts } from "../kit/clock";
import { TEXT_SIZE as SIZE, wordsAt } from "../kit/axis";
import { highlightFrame } from "../kit/highlight";
import type { Box, DrawView, Fact, Mark, Scene, Shape } from "../kit/stage/scene";
import { distinctNames } from "../shared/distinct";
import { type Measure, visible } from "../shared/text";

const LEFT = 12;
const TOP = 10;
/** Below a clock: two lines of words. */
const WORDS = 42;
/** Between clocks. */
const GAP = 16;
/** Between words of neighbours. */
const APART = 8;
const NAME = 12;
const SMALLEST = 84;
const LARGEST = 440;
/** A line that counts those without room. */
const MORE = 20;

export function draw(content: ClocksContent, view: DrawView): Scene {
  const { runs } = content;
  const cells = cellsOf(runs.length, view);
  const shown = runs.slice(0, cells.length);
  // Sectors of one length are as high as all others for as much time.
  const common = Math.max(0, largestIn(runs.map(({ clock }) => fullestSector(clock))));
  const words = wordsAt(view.theme);
  const more = runs.length - shown.length;
  const room = roomIn(cells);
  const names = distinctNames(
    shown.map(({ name }) => visible(name)),
    room,
    view.measure(NAME, 600),
  );
  return {
    below: shown.flatMap((run, at) =>
      runShapes(run, at, { cell: cells[at], name: names[at], room }, content.compares ? common : undefined, view),
    ),
    marks: shown.map((run, at): Mark => {
      const { x, y, width, height } = cells[at];
      return {
        id: at,
        key: `run ${at}`,
        box: { x, y, width, height },
        name: visible(run.name),
        // Words may be wider than the clock above them.
        framed: { x, y, width, height: width },
        paint: { fill: "transparent" },
        facts: () => runFacts(run),
      };
    }),
    above: [
      ...cells.flatMap(({ x, y, width }, at) =>
        view.highlighted?.places.has(at) ? [highlightFrame({ x, y, width, height: width }, view)] : [],
      ),
      ...(more > 0
        ? [
            words(LEFT, view.height - 6, `${more.toLocaleString("en")} shorter runs: in the table`, {
              fill: view.theme.muted,
            }),
          ]
        : []),
    ],
    move: (from, key) => moved(from, key, shown.length, cells),
  };
}

/** As large as lets all have room, else as many as have. */
function cellsOf(count: number, { width, height }: DrawView): Box[] {
  const [free, high] = [width - 2 * LEFT, height - 2 * TOP];
  let size = LARGEST;
  const columnsOf = (one: number) => Math.max(1, Math.floor((free + GAP) / (one + GAP)));
  const rowsOf = (one: number) => Math.ceil(count / columnsOf(one));
  while (size > SMALLEST && (rowsOf(size) * (size + WORDS + GAP) - GAP > high || size > free)) size--;
  const columns = columnsOf(size);
  const room = rowsOf(size) * (size + WORDS + GAP) - GAP <= high ? high : high - MORE;
  const rows = Math.max(1, Math.floor((room + GAP) / (size + WORDS + GAP)));
  // What clocks leave of the width is between them.
  const pitch = pitchOf(columns, size, free, rowsOf(size) > 1);
  return Array.from({ length: Math.min(count, rows * columns) }, (_, at) => ({
    x: LEFT + (at % columns) * pitch,
    y: TOP + Math.floor(at / columns) * (size + WORDS + GAP),
    width: size,
    height: size + WORDS,
  }));
}

/** From a clock to the next. @param isFull there are as many beside each other as have room */
function pitchOf(columns: number, size: number, free: number, isFull: boolean): number {
  return isFull && columns > 1 ? (free - size) / (columns - 1) : size + GAP;
}

/** Of the words below a clock: up to those of the next one, and as much beyond the panel's edge as there is. */
function roomIn([first, second]: readonly Box[]): number {
  if (!first) return 0;
  const pitch = second && second.y === first.y ? second.x - first.x : first.width + GAP;
  return Math.min(pitch - APART, first.width + 2 * (LEFT - 2));
}

function runShapes(
  run: RunClock,
  at: number,
  { cell, name, room }: { readonly cell: Box; readonly name: string; readonly room: number },
  common: number | undefined,
  view: DrawView,
): Shape[] {
  const { theme, measure } = view;
  const words = wordsAt(theme);
  const middle = cell.x + cell.width / 2;
  const dial = { centre: { x: middle, y: cell.y + cell.width / 2 }, radius: cell.width / 2 - 6 };
  const most = common ?? fullestSector(run.clock);
  const says = saysIn(run, room, measure(SIZE));
  const seconds = formatValue(run.seconds, "s");
  const fits = measure(SIZE, 600)(seconds) <= 0.56 * dial.radius;
  return [
    ...clockShapes(run.clock, dial, view, { most, of: at }),
    ...(fits ? [words(dial.centre.x, dial.centre.y + 4, seconds, { anchor: "middle", weight: 600, of: at })] : []),
    words(middle, cell.y + cell.width + 14, name, {
      anchor: "middle",
      size: NAME,
      weight: 600,
      of: at,
      title: visible(run.name),
      fill: run.isCurrent ? theme.link : theme.text,
    }),
    words(middle, cell.y + cell.width + 30, says, { anchor: "middle", fill: theme.soft, of: at, title: runWords(run) }),
  ];
}

/** How long it took, whatever the room, and what it is bound by. */
function saysIn(run: RunClock, room: number, measure: Measure): string {
  const whole = runWords(run);
  const seconds = formatValue(run.seconds, "s");
  const shorter = [whole, whole.replace(" bound by ", " "), whole.replace(/, .*$/s, "")];
  return shorter.find((words) => measure(words) <= room) ?? seconds;
}

/** `172 ms · bound by communication`. */
export function runWords({ seconds, clock: { bound } }: RunClock): string {
  const title = visible(bound.title);
  return `${formatValue(seconds, "s")} · ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}

export function runFacts({ seconds, clock, restriction }: RunClock): Fact[] {
  const { bound, bytes, isMpi } = clock;
  const moved = bytes.reduce((sum, one) => sum + one, 0);
  return [
    ["runtime", formatValue(seconds, "s")],
    ["bound by", `${visible(bound.sentence)}, over ${bound.over}`],
    ...(bound.shares
      ? ([
          [computingWord(bound.isOfGpus), formatShare(bound.shares.computing)],
          ["exposed movement", formatShare(bound.shares.exposed)],
        ] as const)
      : []),
    ...timeFacts(kindSums(clock), isMpi),
    ["data moved", bytes.length > 0 ? formatValue(moved, "B") : "no sizes recorded"],
    ...(clock.gpu.length > 0 ? [] : ([["GPU", "no GPU recorded"]] as const)),
    ...(restriction === "" ? [] : ([["restricted to", visible(restriction)]] as const)),
  ];
}

function moved(from: number, key: string, count: number, cells: readonly Box[]): number {
  const columns = Math.max(1, cells.filter(({ y }) => y === cells[0].y).length);
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key] ?? 0;
  const to = from + by;
  return to >= 0 && to < count ? to : from;
}
