/** The correlation's page: two values of each rank, function or calling context, and the line that fits them best. */
import {
  correlationChosen,
  type CorrelationChosen,
  correlationContent,
  type CorrelationContent,
  isOfCode,
} from "../../src/protocol/correlation";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { rampLegend } from "../kit/legend";
import { choiceEntries, RESTRICTING, unrestrict } from "../kit/members";
import { startPage } from "../kit/page";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { ChosenMarks } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { amount, axisName, canChoose, findMarks, fitFacts, markName, overNote, summary, title } from "./describe";
import { densityHeat, draw } from "./drawing";

const definition: PageDefinition<CorrelationContent, CorrelationChosen> = {
  title: "Correlation",
  content: correlationContent,
  draw,
  tables: (content, chosen) => [pointTable(content, chosen), lineTable(content)],
  legend,
  hint: (content) => {
    if (canChoose(content)) return "drag or Ctrl+click restricts";
    return isOfCode(content.points) ? "click selects · double click: hottest line" : "";
  },
  summary,
  name: title,
  nouns: ({ density, nouns }) => (density ? ["cell", "cells"] : nouns),
  find: findMarks,
  members: {
    schema: correlationChosen,
    marks: (_, { marks }) => new Map(Array.from(marks, (mark) => [mark, "all"])),
    part: (_, marks) => (marks.size > 0 ? { marks: Int32Array.from(marks) } : undefined),
    can: canChoose,
    byClick: false,
  },
  menu,
  explains: (content) => (isOfCode(content.points) && !content.density ? overNote(content) : undefined),
  explanation: {
    name: "Correlation",
    facts: [
      ["point", "two values of one rank, function or calling context"],
      ["line", "the linear fit of y over x, by least squares"],
      ["r", "correlation: 1 or −1 if all points are on the line, 0 without a linear relation"],
      ...RESTRICTING,
      ["Enter", "goes to the hottest line of a function"],
    ],
  },
};

function menu(content: CorrelationContent, mark: number, chosen: ChosenMarks | undefined): MenuEntry[] {
  const copy = { label: "Copy numbers", does: "copy-numbers" };
  if (isOfCode(content.points))
    return [
      { label: "Go to hottest line", icon: "go-to-file", key: "Enter", does: "open" },
      { label: "Select in all views", key: "Space", does: "select" },
      copy,
    ];
  if (!canChoose(content)) return [copy];
  const name = markName(content, mark).slice(0, 80);
  const now = [...(chosen?.keys() ?? [])];
  const all = [...content.called.keys()];
  return [...choiceEntries({ mark, name, all, others: all.length - 1, now }), copy, ...(chosen ? [unrestrict] : [])];
}

function legend(content: CorrelationContent, theme: Theme): LegendEntry[] {
  const { density, fit, nouns } = content;
  const entries: LegendEntry[] = [];
  if (fit.kind === "line") {
    const stroke = { stroke: theme.text, "stroke-width": 2 };
    const line = svg("line", { x1: 1, y1: 9, x2: 21, y2: 1, ...stroke });
    const picture = svg("svg", { width: 22, height: 10, "aria-hidden": "true" }, line);
    entries.push({ parts: [picture, { strong: "best fit" }] });
  }
  if (!density) return entries;
  const fullest = density.counts.reduce((most, count) => Math.max(most, count), 1);
  const middle = Math.round(Math.sqrt(fullest));
  const ends = ["1", middle.toLocaleString("en"), fullest.toLocaleString("en")] as const;
  // By the logarithm: in the middle stands the root.
  return [
    rampLegend(theme, `${nouns[1]} in a cell`, ends, (position) => theme.heat(densityHeat(position))),
    ...entries,
  ];
}

function pointTable(content: CorrelationContent, chosen: CorrelationChosen | undefined) {
  const { names, called, xs, ys, x, y, nouns, density } = content;
  const marks = new Set(chosen?.marks);
  const saysChosen = (mark: number) => (chosen ? (marks.has(mark) ? "yes" : "no") : "");
  return tableOf<number>({
    caption: "Points",
    columns: [
      textColumn(
        nouns[0],
        (mark) => keyOf(content, mark),
        (mark) => names[called[mark]],
      ),
      numberColumn(
        `x: ${axisName(x, content)}`,
        (mark) => xs[mark],
        (mark) => amount(content, "x", xs[mark]),
      ),
      numberColumn(
        `y: ${axisName(y, content)}`,
        (mark) => ys[mark],
        (mark) => amount(content, "y", ys[mark]),
      ),
      density ? numberColumn(nouns[1], (mark) => density.counts[mark]) : textColumn("chosen", saysChosen),
    ],
    rows: [...called.keys()],
    sortedBy: 2,
    markOf: (mark) => mark,
  });
}

/** Members by their numbers. */
function keyOf({ names, called, points }: CorrelationContent, mark: number): string | number {
  const name = names[called[mark]];
  return isOfCode(points) || name === "" || !Number.isFinite(Number(name)) ? name : Number(name);
}

function lineTable(content: CorrelationContent) {
  const { fit } = content;
  const exact: Record<string, number> = { n: fit.points };
  if (fit.kind === "line")
    Object.assign(exact, { r: fit.r, "r²": fit.r ** 2, slope: fit.slope, intercept: fit.intercept });
  return tableOf<[string, string]>({
    caption: "Best-fit line",
    columns: [
      textColumn("line", ([what]) => what),
      numberColumn(
        "value",
        ([what]) => exact[what],
        ([, text]) => text,
      ),
    ],
    rows: fitFacts(content),
    sortedBy: 0,
    ascending: true,
    markOf: () => undefined,
  });
}

startPage(definition);
