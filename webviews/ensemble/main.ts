/** The ensemble's page: many runs of a program as one super graph. */
import * as v from "valibot";
import {
  type EnsembleContent,
  ensembleContent,
  ensembleMark,
  type EnsemblePart,
  ensemblePart,
  runMark,
} from "../../src/protocol/ensemble";
import { formatValue } from "../../src/model/units";
import { type MenuEntry, type PageDefinition } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { heatLegend, rampLegend, signLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import type { Fact } from "../kit/stage/scene";
import { ShapeLayer } from "../kit/stage/shapeLayer";
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { visible } from "../shared/text";
import { aside, barFacts, details, runFacts, runName, stayingRuns, summary } from "./describe";
import { draw } from "./drawing";
import { gradientColor, hottestOf, painted } from "./painted";
import { ensembleSize } from "./placed";
import { tables } from "./tables";

/** Values, where there is little room. */
const SHORT = { inclusive: "incl.", exclusive: "excl." } as const;

const definition: PageDefinition<EnsembleContent, never, undefined, EnsemblePart> = {
  title: "Ensemble",
  content: ensembleContent,
  later: { schema: ensemblePart, add: withPart, keeps: withSites, isWhole: () => true },
  draw,
  layer: () => new ShapeLayer(painted),
  tables,
  legend,
  hint: ({ beside }) =>
    beside.difference ? "click selects · double-click opens the line" : "click a guide: keep only its runs",
  aside,
  summary: (content) => summary(content),
  name: (content) => `ensemble of ${stayingRuns(content)} runs`,
  nouns: () => ["bar or run", "bars and runs"],
  members: {
    schema: v.never(),
    marks: () => new Map(),
    part: () => undefined,
    can: (content, mark) => {
      const of = ensembleMark(ensembleSize(content), mark);
      return of?.kind === "guide" || of?.kind === "run";
    },
    byClick: true,
  },
  does: (content, mark) => (ensembleMark(ensembleSize(content), mark)?.kind === "run" ? "target" : undefined),
  menu,
  details: (content, mark, more) => {
    const known = details(content, mark);
    return known && more?.place !== undefined ? { ...known, place: more.place } : known;
  },
  hasPlaces: true,
  explains: ({ metric, over, value }) => `${value} ${visible(metric)}, ${over}`,
  explanation: {
    name: "Ensemble",
    facts: [
      ["column", "a run, as high as its total; a click makes it the target"],
      ["bar", "a group of functions: an axis from 0 at its top to its largest value of any run"],
      ["grey", "a histogram: the number of runs with such a value"],
      ["edge", "the largest exclusive cost of any run"],
      ["bracket", "runs with similar values, and what they have in common; a click keeps only these"],
      ["flow", "calls; the width at each end is the largest flow of any run, as a share of the bar"],
      ["target", "a line at its value; its flows inside those of all runs"],
      ["drag on the columns", "only these runs"],
      ["Enter, double click", "go to the hottest line of the target, or of the run with the largest value"],
    ],
  },
};

function withPart(content: EnsembleContent, part: EnsemblePart): EnsembleContent | undefined {
  if (part.kind === "sites") {
    // Those of other runs stay until these have come.
    if (part.isPending && content.sites) return content;
    const sites = part.isPending || part.names.length > 0 ? part : undefined;
    return isEqual(sites, content.sites) ? content : { ...content, sites };
  }
  if (part.kind === "beside") return isEqual(part, content.beside) ? content : { ...content, beside: part };
  if (part.boxes.length !== content.layout.boxes.length) return undefined;
  return isEqual(part, content.layout) ? content : { ...content, layout: part };
}

/** Call sites stay beside the drawing of other runs until theirs come. */
function withSites(content: EnsembleContent, { sites, metric, unit }: EnsembleContent): EnsembleContent {
  return sites && metric === content.metric && unit === content.unit ? { ...content, sites } : content;
}

/** Whether it says what is there already, numbers and names alike. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every((key) => isEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  );
}

function legend(content: EnsembleContent, theme: Theme): LegendEntry[] {
  const { beside, unit, fullest, borderOf } = content;
  const { target, difference } = beside;
  if (difference) {
    const largest = difference.difference.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const most = formatValue(largest, unit);
    return [
      rampLegend(theme, "difference", [`−${most}`, "0", `+${most}`], (at) => theme.difference(2 * at - 1)),
      ...(largest > 0 ? [] : [signLegend(theme, {}, "no bar differs")]),
    ];
  }
  const runs = rampLegend(theme, "runs", ["0", String(Math.max(1, Math.round(fullest / 4))), String(fullest)], (at) =>
    gradientColor(theme, at * at * fullest, fullest),
  );
  const line = svg(
    "svg",
    { width: 16, height: 10, "aria-hidden": "true" },
    svg("path", { d: "M0,5h16", stroke: theme.link, "stroke-width": 2 }),
  );
  return [
    runs,
    heatLegend(
      theme,
      { strong: `edge: largest ${borderOf}`, short: `edge ${SHORT[borderOf]}` },
      hottestOf(content),
      unit,
    ),
    ...(target ? [{ parts: [line, `target ${runName(content, target.run)}`] }] : []),
    ...(content.sites?.isPending === false
      ? [signLegend(theme, { fill: theme.heat(0.6) }, "quartiles, median; whiskers to 1.5 IQR")]
      : []),
  ];
}

function menu(content: EnsembleContent, mark: number): MenuEntry[] {
  const of = ensembleMark(ensembleSize(content), mark);
  const copy = (name: string, facts: readonly Fact[]): MenuEntry => ({
    label: "Copy numbers",
    does: { copy: [name, ...facts.map(([what, ...values]) => `  ${what}: ${values.join(" ")}`)].join("\n") },
    group: "copy",
  });
  if (of?.kind === "run") {
    const isTarget = content.beside.target?.run === of.run;
    return [
      { label: isTarget ? "No target" : "Choose as target", key: "Enter", does: "target", group: "change" },
      { label: "Only this run", icon: "filter", does: { choose: [mark] }, group: "change" },
      ...hideEntry(content, of.run),
      copy(runName(content, of.run), runFacts(content, of.run)),
    ];
  }
  if (of?.kind === "guide")
    return [{ label: "Only these runs", icon: "filter", key: "Space", does: { choose: [mark] }, group: "change" }];
  if (of?.kind !== "bar") return [];
  const change = (label: string, does: string): MenuEntry => ({ label, does, group: "change" });
  return [
    { label: "Go to hottest line", icon: "go-to-file", key: "Enter", does: "open", group: "go" },
    { label: "Select in all views", key: "Space", does: "select", group: "go" },
    change("Split by caller group", "split-by-caller-group"),
    change("Split by caller function", "split-by-caller-function"),
    change("Split by entry function…", "split-by-entry"),
    change("Reveal a function…", "reveal"),
    change("Expand", "expand"),
    ...(content.bars.collapses[of.bar] === 1 ? [change("Collapse", "collapse")] : []),
    change("Hide", "hide"),
    copy(visible(content.bars.name[of.bar]), barFacts(content, of.bar)),
  ];
}

/** Leaves a run out of what stays, or takes it back. */
function hideEntry(content: EnsembleContent, run: number): MenuEntry[] {
  const { stays } = content.runs;
  const others = [...stays.keys()].filter((other) => other !== run && stays[other] === 1);
  if (others.length === 0) return [];
  const isHidden = stays[run] === 0;
  const marks = (isHidden ? [...others, run] : others).map((other) => runMark(ensembleSize(content), other));
  const [label, icon] = isHidden ? ["Show this run again", "eye"] : ["Hide this run", "eye-closed"];
  return [{ label, icon, does: { choose: marks }, group: "change" }];
}

startPage(definition);
