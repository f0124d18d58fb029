/** The histogram's page: how a value is spread over ranks. */
import {
  FIRST_MEMBER,
  type HistogramChosen,
  histogramChosen,
  type HistogramContent,
  histogramContent,
} from "../../src/protocol/histogram";
import { summary, title } from "../kit/bins/describe";
import { draw } from "../kit/bins/drawing";
import { shadows } from "../kit/bins/shadows";
import { binLegend, binTable, memberTable } from "../kit/bins/tables";
import type { PageDefinition } from "../kit/definition";
import { findOnLine, several } from "../kit/memberLine";
import { choiceEntries, RESTRICTING, unrestrict } from "../kit/members";
import { startPage } from "../kit/page";
import { metricColumn, numberColumn, savedOnly } from "../kit/table/columns";

const definition: PageDefinition<HistogramContent, HistogramChosen> = {
  title: "Histogram",
  content: histogramContent,
  draw,
  layer: shadows,
  tables: (content, chosen) => [
    binTable(content, [
      numberColumn<number>(
        "chosen",
        (bin) => chosen?.bins[bin] ?? content.counts[bin],
        (bin) => (chosen ? String(chosen.bins[bin]) : ""),
      ),
    ]),
    memberTable(content, savedOnly(metricColumn<number>(content, () => ""))),
  ],
  legend: binLegend,
  hint: () => "drag restricts · Shift adds · double click: hottest line",
  summary,
  name: title,
  nouns: ({ line }) => line.nouns,
  find: ({ line }, text) => findOnLine(line, text, FIRST_MEMBER),
  members: {
    schema: histogramChosen,
    marks: ({ counts }, { bins, line }) =>
      new Map([
        ...[...bins.keys()]
          .filter((bin) => bins[bin] > 0)
          .map((bin) => [bin, bins[bin] === counts[bin] ? "all" : "some"] as const),
        ...Array.from(line, (position) => [FIRST_MEMBER + position, "all"] as const),
      ]),
    part: ({ counts, binOf }, marks) => {
      const bins = counts.map((count, bin) => (marks.has(bin) ? count : 0));
      const line = Int32Array.from(binOf.keys()).filter((position) => marks.has(binOf[position]));
      return bins.some((count) => count > 0) ? { bins, line } : undefined;
    },
    can: (_, mark) => mark < FIRST_MEMBER,
    byClick: true,
  },
  menu(content, mark, chosen) {
    const { binOf, counts, line, members } = content;
    const bin = mark < FIRST_MEMBER ? mark : binOf[mark - FIRST_MEMBER];
    const count = counts[bin] ?? 0;
    const now = [...(chosen?.keys() ?? [])].filter((other) => other < FIRST_MEMBER);
    const name = `${several(line, count)} of this bin`;
    const all = [...counts.keys()];
    return [
      ...(count > 0 ? choiceEntries({ mark: bin, name, short: "this bin", all, others: members - count, now }) : []),
      ...(count > 0 ? [{ label: `Copy ${line.nouns[1]} of this bin`, does: "copy-members" }] : []),
      ...(chosen ? [unrestrict] : []),
      { label: "Go to hottest line", icon: "go-to-file", key: "Enter", does: "open" },
    ];
  },
  explanation: {
    name: "Histogram",
    facts: [
      ["bar", "how many have a value between two limits"],
      ["line", "each of them, in the order chosen above"],
      ["shadow", "from a bar to those that it counts"],
      ...RESTRICTING,
      ["Enter", "goes to the hottest line"],
    ],
  },
};

startPage(definition);
