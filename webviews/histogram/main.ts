/** The histogram's page: how a value is spread over ranks. */
import {
  FIRST_MEMBER,
  hasMemberBars,
  type HistogramChosen,
  histogramChosen,
  type HistogramContent,
  histogramContent,
  MAX_MEMBER_BARS,
} from "../../src/protocol/histogram";
import { summary, title } from "../kit/bins/describe";
import { shadows } from "../kit/bins/shadows";
import { binLegend, binTable, memberLegend, memberTable } from "../kit/bins/tables";
import type { MenuEntry, PageDefinition, TableSpec } from "../kit/definition";
import { findOnLine, memberName, several } from "../kit/memberLine";
import { choiceEntries, RESTRICTING, unrestrict } from "../kit/members";
import { startPage } from "../kit/page";
import type { ChosenMarks } from "../kit/stage/scene";
import { metricColumn, numberColumn, savedOnly } from "../kit/table/columns";
import { draw } from "./drawing";

const definition: PageDefinition<HistogramContent, HistogramChosen> = {
  title: "Histogram",
  content: histogramContent,
  draw,
  layer: (content) => shadows(() => binned(content())),
  tables: (content, chosen) => [
    ...(hasMemberBars(content) ? [] : [bins(content, chosen)]),
    memberTable(content, savedOnly(metricColumn<number>(content, () => "")), !hasMemberBars(content)),
  ],
  legend: (content, theme) => (hasMemberBars(content) ? memberLegend(content, theme) : binLegend(content, theme)),

  hint: () => "drag restricts · Shift adds · double click: hottest line",
  summary,
  name: title,
  nouns: ({ line }) => line.nouns,
  find: ({ line }, text) => findOnLine(line, text, FIRST_MEMBER),
  members: {
    schema: histogramChosen,
    marks: (content, { bins, line }) =>
      new Map([
        ...[...(hasMemberBars(content) ? [] : bins.keys())]
          .filter((bin) => bins[bin] > 0)
          .map((bin) => [bin, bins[bin] === content.counts[bin] ? "all" : "some"] as const),
        ...Array.from(line, (position) => [FIRST_MEMBER + position, "all"] as const),
      ]),
    part: (content, marks) => (hasMemberBars(content) ? partOfMembers(content, marks) : partOfBins(content, marks)),
    can: (content, mark) => hasMemberBars(content) || mark < FIRST_MEMBER,
    byClick: true,
  },
  menu: (content, mark, chosen) => [
    ...(hasMemberBars(content) ? memberEntries(content, mark, chosen) : binEntries(content, mark, chosen)),
    ...(chosen ? [unrestrict] : []),
    { label: "Go to hottest line", icon: "go-to-file", key: "Enter", does: "open" },
  ],
  explanation: {
    name: "Histogram",
    facts: [
      [
        "bar",
        `up to ${MAX_MEMBER_BARS} members: one member and its value; more: the number of members with a value in this range`,
      ],
      ["dashed line", `the mean, for up to ${MAX_MEMBER_BARS} members`],
      ["line", `all members in the order chosen above, for more than ${MAX_MEMBER_BARS}`],
      ["shadow", "from a bar to the members that it counts"],
      ...RESTRICTING,
      ["Enter", "goes to the hottest line"],
    ],
  },
};

function binned(content: HistogramContent | undefined): HistogramContent | undefined {
  return content && !hasMemberBars(content) ? content : undefined;
}

function bins(content: HistogramContent, chosen: HistogramChosen | undefined): TableSpec<unknown> {
  return binTable(content, [
    numberColumn<number>(
      "chosen",
      (bin) => chosen?.bins[bin] ?? content.counts[bin],
      (bin) => (chosen ? String(chosen.bins[bin]) : ""),
    ),
  ]);
}

function partOfBins({ counts, binOf }: HistogramContent, marks: ReadonlySet<number>): HistogramChosen | undefined {
  const held = counts.map((count, bin) => (marks.has(bin) ? count : 0));
  const line = Int32Array.from(binOf.keys()).filter((position) => marks.has(binOf[position]));
  return held.some((count) => count > 0) ? { bins: held, line } : undefined;
}

function partOfMembers({ counts, binOf }: HistogramContent, marks: ReadonlySet<number>): HistogramChosen | undefined {
  const line = Int32Array.from(binOf.keys()).filter((position) => marks.has(FIRST_MEMBER + position));
  const held = new Int32Array(counts.length);
  for (const position of line) if (binOf[position] >= 0) held[binOf[position]]++;
  return line.length > 0 ? { bins: held, line } : undefined;
}

function binEntries(content: HistogramContent, mark: number, chosen: ChosenMarks | undefined): MenuEntry[] {
  const { binOf, counts, line, members } = content;
  const bin = mark < FIRST_MEMBER ? mark : binOf[mark - FIRST_MEMBER];
  const count = counts[bin] ?? 0;
  if (count === 0) return [];
  const now = [...(chosen?.keys() ?? [])].filter((other) => other < FIRST_MEMBER);
  const name = `${several(line, count)} of this bin`;
  return [
    ...choiceEntries({ mark: bin, name, short: "this bin", all: [...counts.keys()], others: members - count, now }),
    { label: `Copy ${line.nouns[1]} of this bin`, does: "copy-members" },
  ];
}

function memberEntries({ line }: HistogramContent, mark: number, chosen: ChosenMarks | undefined): MenuEntry[] {
  const all = [...line.keys.keys()].map((position) => FIRST_MEMBER + position);
  const now = [...(chosen?.keys() ?? [])];
  return choiceEntries({ mark, name: memberName(line, mark - FIRST_MEMBER), all, others: all.length - 1, now });
}

startPage(definition);
