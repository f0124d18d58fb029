/** The summary's page: what the run is bound by, its clock, and two of its quantities over time. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { computingWord, longestKind, SECTORS } from "../../src/protocol/clock";
import {
  FINE,
  type SummaryContent,
  summaryContent,
  type SummaryPart,
  summaryPart,
  type SummarySide,
} from "../../src/protocol/summary";
import { eventKinds } from "../../src/protocol/timeline";
import { fullestSector, isRun, kindSums, lanesSummed, sectorStretch } from "../kit/clock";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import { kindLegend, kindWord } from "../kit/kinds";
import { wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { numberColumn, textColumn } from "../kit/table/columns";
import { visible } from "../shared/text";
import { details, markFacts, markName, ROWS, sideText, summary } from "./describe";
import { draw } from "./drawing";

const KINDS = eventKinds.length;

const definition: PageDefinition<SummaryContent, never, undefined, SummaryPart> = {
  title: "Summary over Time",
  content: summaryContent,
  later: { schema: summaryPart, add: (content, { window }) => ({ ...content, window }), isWhole: () => true },
  lasting: true,
  draw,
  player: { next: nextWindow, step: "sector" },
  tables: (content) => [sectorTable(content), boundTable(content), sideTable(content)],
  legend: (content, theme) => {
    const sums = kindSums(content.clock);
    return [
      ...kindLegend(theme, (kind) => sums[kind] > 0, content.clock.isMpi),
      wordLegend("height", `time of all lanes, up to ${formatValue(fullestSector(content.clock), "s")} in a sector`),
      ...(content.hasGpus ? [] : [wordLegend("no GPU", "was recorded")]),
      ...([content.left, content.right].some(({ spread }) => spread)
        ? [wordLegend("counter", "mean of each stretch; over it least to most")]
        : []),
    ];
  },
  highlightNote: ({ clock }) => lanesSummed(clock),
  hint: () => "click: window · double click: timeline",
  summary,
  name: () => "Summary over time",
  nouns: () => ["sector", "sectors"],
  menu,
  details,
  explanation: {
    name: "Summary over time",
    facts: [
      [
        "bound by",
        "the first that holds: without work for a third, computing for half, exposed movement for half of the time",
      ],
      ["over", "all GPUs, or the first lane of each rank if there is no GPU"],
      ["without work", "the longest state of the CPU lanes in that time"],
      ["clock", "the run in twelve sectors from the top, in each the time of all lanes by kind"],
      ["arc, bracket", "the window that all views over time show"],
      [
        "left, right",
        "two quantities from the run's beginning down to its end: kinds of work, or any two recorded counters",
      ],
      ["click, Space", "makes a sector the window; the middle of the clock is the whole run"],
      ["double click, Enter", "shows the sector in the timeline"],
    ],
  },
};

/** The sector behind the window, of the whole run the first; undefined: there is none. */
function nextWindow({ clock, window }: SummaryContent, begins: boolean) {
  const stretches = Array.from({ length: SECTORS }, (_, sector) => sector)
    .filter((sector) => isRun(clock, sector))
    .map((sector) => sectorStretch(clock, sector));
  const length = (clock.to - clock.from) / SECTORS;
  const next = window && stretches.find(({ from }) => from > window.from + length / 2);
  if (next) return next;
  return !window || begins ? stretches.at(0) : undefined;
}

function menu(content: SummaryContent, mark: number): MenuEntry[] {
  const numbers = markFacts(content, mark).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  const kind = longestKind(content.clock, mark);
  return [
    { label: "Show in the timeline", icon: "link-external", key: "Enter", does: "open", group: "go" },
    { label: "Make this the window", icon: "screen-full", key: "Space", does: "select", group: "show" },
    ...(kind
      ? [
          {
            label: `Highlight ${kindWord(kind, content.clock.isMpi)} in all views`,
            does: "highlight-kind",
            group: "show",
          } as const,
        ]
      : []),
    { label: "Restrict all numbers to this time", icon: "filter", does: "restrict", group: "change" },
    { label: "Copy numbers", does: { copy: [markName(content, mark), ...numbers].join("\n") }, group: "copy" },
  ];
}

function sectorTable(content: SummaryContent) {
  const { clock } = content;
  const sums = kindSums(clock);
  const { bytes, cpu, gpu, exposed, isMpi } = clock;
  const share = (name: string, values: Float64Array) =>
    values.length > 0
      ? [
          numberColumn<number>(
            name,
            (sector) => values[sector],
            (sector) => formatShare(values[sector]),
            "share",
          ),
        ]
      : [];
  return tableOf<number>({
    caption: "Sectors",
    columns: [
      textColumn("sector", (sector) => sector + 1),
      textColumn(
        "time",
        (sector) => sectorStretch(clock, sector).from,
        (sector) => formatStretch(sectorStretch(clock, sector).from, sectorStretch(clock, sector).to),
      ),
      ...eventKinds.flatMap((kind, at) =>
        sums[at] > 0
          ? [
              numberColumn<number>(
                kindWord(kind, isMpi),
                (sector) => clock.kinds[sector * KINDS + at],
                (sector) => formatValue(clock.kinds[sector * KINDS + at], "s"),
              ),
            ]
          : [],
      ),
      ...(bytes.length > 0
        ? [
            numberColumn<number>(
              "data moved",
              (sector) => bytes[sector],
              (sector) => formatValue(bytes[sector], "B"),
            ),
          ]
        : []),
      ...share("CPU occupancy", cpu),
      ...share("GPU occupancy", gpu),
      ...share("exposed movement", exposed),
    ],
    rows: Array.from({ length: SECTORS }, (_, sector) => sector).filter((sector) => isRun(clock, sector)),
    sortedBy: 0,
    ascending: true,
    markOf: (sector) => sector,
  });
}

function boundTable({ clock, window }: SummaryContent) {
  const rows = [
    { of: "the run", from: clock.from, to: clock.end, bound: clock.bound },
    ...(window ? [{ of: "the window", ...window }] : []),
  ];
  type Row = (typeof rows)[number];
  const share = (name: string, of: (shares: NonNullable<Row["bound"]["shares"]>) => number | undefined) => {
    const key = ({ bound: { shares } }: Row) => (shares ? of(shares) : undefined) ?? Number.NaN;
    return numberColumn<Row>(name, key, (row) => (Number.isNaN(key(row)) ? "none" : formatShare(key(row))), "share");
  };
  return tableOf<Row>({
    caption: "Bound by",
    columns: [
      textColumn("of", ({ of }) => of),
      textColumn(
        "time",
        ({ from }) => from,
        ({ from, to }) => formatStretch(from, to),
      ),
      textColumn("bound by", ({ bound }) => visible(bound.sentence)),
      share(computingWord(clock.bound.isOfGpus), ({ computing }) => computing),
      share("exposed movement", ({ exposed }) => exposed),
      share("of the movement hidden", ({ hidden }) => hidden),
      share("neither", ({ neither }) => neither),
      textColumn("over", ({ bound }) => bound.over),
    ],
    rows,
    sortedBy: 0,
    ascending: true,
    markOf: () => undefined,
  });
}

function sideTable(content: SummaryContent) {
  const { clock, left, right } = content;
  const moment = (at: number) => clock.from + ((clock.to - clock.from) * at) / FINE;
  const column = (side: SummarySide, name: string, values: Float64Array) =>
    numberColumn<number>(
      name,
      (at) => values[at],
      (at) => sideText(side, values[at]),
      side.unit === undefined ? "share" : "number",
    );
  const columns = (side: SummarySide) => {
    const what = visible(side.what);
    if (!side.spread) return [column(side, what, side.values)];
    const { least, most } = side.spread;
    return [column(side, what, side.values), column(side, "least", least), column(side, "most", most)];
  };
  return tableOf<number>({
    caption: [left, right].map(({ what, of }) => `${visible(what)} (${of})`).join(" and "),
    columns: [
      textColumn("time", moment, (at) => formatStretch(moment(at), moment(at + 1))),
      ...columns(left),
      ...columns(right),
    ],
    rows: Array.from({ length: FINE }, (_, at) => at),
    sortedBy: 0,
    ascending: true,
    markOf: (at) => ROWS + Math.floor((at * SECTORS) / FINE),
  });
}

startPage(definition);
