/** The page of the grid of clocks: all open recordings with events side by side. */
import { formatShare, formatValue } from "../../src/model/units";
import { computingWord } from "../../src/protocol/clock";
import { type ClocksContent, clocksContent, type RunClock } from "../../src/protocol/clocks";
import { kindSums, lanesSummed } from "../kit/clock";
import { type PageDefinition, tableOf } from "../kit/definition";
import { kindLegend } from "../kit/kinds";
import { wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { numberColumn, textColumn } from "../kit/table/columns";
import { plural, visible } from "../shared/text";
import { draw, runFacts, runWords } from "./drawing";

const definition: PageDefinition<ClocksContent, never> = {
  title: "Grid of Clocks",
  content: clocksContent,
  lasting: true,
  draw,
  tables: (content) => [runTable(content)],
  legend: ({ runs, compares }, theme) => {
    const sums = runs.map(({ clock }) => kindSums(clock));
    const isMpi = runs.every(({ clock }) => clock.isMpi);
    return [
      ...kindLegend(theme, (kind) => sums.some((own) => own[kind] > 0), isMpi),
      wordLegend("height", `time of all lanes, on ${compares ? "one scale" : "each clock's own scale"}`),
    ];
  },
  highlightNote({ runs }, { places }) {
    const run = runs.find((_, at) => places.has(at));
    return run && lanesSummed(run.clock);
  },
  hint: () => "click: its summary",
  summary: ({ runs, compares }) => {
    const longest = formatValue(runs.at(0)?.seconds ?? 0, "s");
    const count = plural(runs.length, "run");
    return [
      compares ? `${count} · each clock goes ${longest}` : `${count} · the longest takes ${longest}`,
      `${count} · ${longest}`,
      count,
    ];
  },
  name: () => "Runs as clocks",
  nouns: () => ["run", "runs"],
  menu: ({ runs }, mark) => {
    const run = runs.at(mark);
    if (!run) return [];
    const numbers = runFacts(run).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
    return [
      { label: "Show its summary", icon: "link-external", key: "Enter", does: "open", group: "go" },
      { label: "Copy numbers", does: { copy: [visible(run.name), ...numbers].join("\n") }, group: "copy" },
    ];
  },
  details: ({ runs }, mark) => {
    const run = runs.at(mark);
    return run && { name: visible(run.name), numbers: runFacts(run), actions: [] };
  },
  explanation: {
    name: "Grid of clocks",
    facts: [
      ["clock", "a run in twelve sectors from the top, in each the time of all lanes by kind"],
      ["order", "the longest run first"],
      ["compare", "all clocks are as long as the longest run; sectors after the end of a run are empty"],
      ["click, Enter", "makes a run the current one, and opens its summary"],
    ],
  },
};

function runTable({ runs }: ClocksContent) {
  const share = (name: string, of: (shares: NonNullable<RunClock["clock"]["bound"]["shares"]>) => number) => {
    const key = (at: number) => {
      const { shares } = runs[at].clock.bound;
      return shares ? of(shares) : Number.NaN;
    };
    return numberColumn<number>(name, key, (at) => (Number.isNaN(key(at)) ? "none" : formatShare(key(at))), "share");
  };
  // Some runs may have GPUs, and others not.
  const words = new Set(runs.map(({ clock }) => computingWord(clock.bound.isOfGpus)));
  const computing = [...words].sort().join(" or ");
  const moved = (at: number) =>
    runs[at].clock.bytes.length > 0 ? runs[at].clock.bytes.reduce((sum, one) => sum + one, 0) : Number.NaN;
  return tableOf<number>({
    caption: "Runs",
    columns: [
      textColumn("run", (at) => visible(runs[at].name)),
      numberColumn(
        "runtime",
        (at) => runs[at].seconds,
        (at) => formatValue(runs[at].seconds, "s"),
        "bar",
      ),
      textColumn("bound by", (at) => runWords(runs[at]).split(" · ").slice(1).join(" · ")),
      share(computing, (shares) => shares.computing),
      share("exposed movement", ({ exposed }) => exposed),
      share("neither", ({ neither }) => neither),
      numberColumn<number>("data moved", moved, (at) =>
        Number.isNaN(moved(at)) ? "no sizes" : formatValue(moved(at), "B"),
      ),
      textColumn("restricted to", (at) => visible(runs[at].restriction)),
    ],
    rows: [...runs.keys()],
    sortedBy: 1,
    markOf: (at) => at,
  });
}

startPage(definition);
