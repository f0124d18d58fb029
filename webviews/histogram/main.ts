/** The histogram's page: how a value is spread over ranks. */
import { formatValue } from "../../src/model/units";
import {
  FIRST_MEMBER,
  type HistogramChosen,
  histogramChosen,
  type HistogramContent,
  histogramContent,
} from "../../src/protocol/histogram";
import { type PageDefinition, tableOf } from "../kit/definition";
import { rampLegend, wordLegend } from "../kit/legend";
import { findMembers } from "../kit/members";
import { startPage } from "../kit/page";
import { draw } from "./drawing";
import { limits, memberName, several, summary, title, valueText } from "./describe";
import { Shadows } from "./shadows";

const definition: PageDefinition<HistogramContent, HistogramChosen> = {
  title: "Histogram",
  content: histogramContent,
  draw,
  layer: (content) => new Shadows(content),
  tables: (content, chosen) => [binTable(content, chosen), memberTable(content)],
  legend: (content, theme) => {
    const { edges, value, nouns } = content;
    const text = valueText(content);
    const ends = edges.length === 0 ? [] : [rampLegend(theme, value, text(edges[0]), text(edges[edges.length - 1]))];
    return [...ends, wordLegend("height", nouns[1])];
  },
  hint: () => "drag restricts · Shift adds · double click: hottest line",
  summary,
  name: title,
  nouns: ({ nouns }) => nouns,
  find: (content, text) => {
    const found = findMembers(content.keys, text);
    return found && new Set([...found].map((position) => FIRST_MEMBER + position));
  },
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
    const bin = mark < FIRST_MEMBER ? mark : content.binOf[mark - FIRST_MEMBER];
    const count = content.counts[bin] ?? 0;
    const now = [...(chosen?.keys() ?? [])].filter((other) => other < FIRST_MEMBER);
    const others = [...content.counts.keys()].filter((other) => other !== bin);
    const ofBin = [
      { label: `Restrict to ${several(content, count)} of this bin`, does: { choose: [bin] } },
      now.includes(bin)
        ? { label: "Take this bin away", key: "Space", does: { choose: now.filter((other) => other !== bin) } }
        : { label: "Add this bin", key: "Space", does: { choose: [...now, bin] } },
      { label: `Restrict to the other ${(content.members - count).toLocaleString("en")}`, does: { choose: others } },
      { label: `Copy ${content.nouns[1]} of this bin`, does: "copy-members" },
    ];
    return [
      ...(count > 0 ? ofBin : []),
      ...(chosen ? [{ label: "Remove the restriction", key: "Esc", does: { choose: [] } }] : []),
      { label: "Go to hottest line", icon: "go-to-file", key: "Enter", does: "open" },
    ];
  },
  explanation: {
    name: "Histogram",
    facts: [
      ["bar", "how many have a value between two limits"],
      ["line", "each of them, in the order chosen above"],
      ["shadow", "from a bar to those that it counts"],
      ["drag, Space", "restricts all views to what is marked"],
      ["Esc", "takes the restriction away"],
      ["Enter", "goes to the hottest line"],
    ],
  },
};

function binTable(content: HistogramContent, chosen: HistogramChosen | undefined) {
  return tableOf<number>({
    caption: "Bins",
    columns: [
      { title: "bin", kind: "number", text: (bin) => String(bin + 1), key: (bin) => bin + 1 },
      { title: "from", kind: "number", text: (bin) => limits(content, bin), key: (bin) => content.edges[bin] },
      {
        title: content.nouns[1],
        kind: "bar",
        text: (bin) => content.counts[bin].toLocaleString("en"),
        key: (bin) => content.counts[bin],
      },
      {
        title: "chosen",
        kind: "number",
        text: (bin) => (chosen ? String(chosen.bins[bin]) : ""),
        key: (bin) => chosen?.bins[bin] ?? content.counts[bin],
      },
      { title: "which", kind: "text", text: (bin) => content.ranges[bin], key: (bin) => content.ranges[bin] },
    ],
    rows: [...content.counts.keys()],
    sortedBy: 0,
    ascending: true,
    markOf: (bin) => bin,
  });
}

function memberTable(content: HistogramContent) {
  const { values, binOf, hosts, attribute, unit, keys } = content;
  return tableOf<number>({
    caption: "Members",
    columns: [
      { title: content.nouns[0], kind: "text", text: (at) => memberName(content, at), key: (at) => keys[at] },
      {
        title: content.value,
        kind: "bar",
        text: (at) => (binOf[at] < 0 ? "not a finite number" : formatValue(values[at], unit)),
        key: (at) => (binOf[at] < 0 ? NaN : values[at]),
      },
      {
        title: "bin",
        kind: "number",
        text: (at) => (binOf[at] < 0 ? "none" : String(binOf[at] + 1)),
        key: (at) => binOf[at] + 1,
      },
      ...(hosts
        ? [
            {
              title: "host",
              kind: "number",
              text: (at: number) => (hosts[at] < 0 ? "not known" : String(hosts[at])),
              key: (at: number) => hosts[at],
            } as const,
          ]
        : []),
      ...(attribute
        ? [
            {
              title: `${attribute.name} in all`,
              kind: "number",
              text: (at: number) => formatValue(attribute.values[at], attribute.unit),
              key: (at: number) => attribute.values[at],
            } as const,
          ]
        : []),
    ],
    rows: [...keys.keys()],
    sortedBy: 1,
    markOf: (at) => FIRST_MEMBER + at,
  });
}

startPage(definition);
