/** The page half of the panel. */
import { formatValue } from "../../../../src/model/units";
import { type PageDefinition, tableOf } from "../../../../webviews/kit/definition";
import { heatLegend, wordLegend } from "../../../../webviews/kit/legend";
import { startPage } from "../../../../webviews/kit/page";
import { plural } from "../../../../webviews/shared/text";
import { type BarsContent, barsContent } from "./definition";
import { draw, valueFact } from "./drawing";

const name = ({ by, metric }: BarsContent) => `${by} ${metric}`;

const definition: PageDefinition<BarsContent, never> = {
  title: "Bars",
  content: barsContent,
  draw,
  name,
  tables: ({ names, values, unit, by }) => [
    tableOf<number>({
      caption: "Functions",
      columns: [
        { title: "function", kind: "text", text: (at) => names[at], key: (at) => names[at] },
        { title: by, kind: "bar", text: (at) => formatValue(values[at], unit), key: (at) => values[at] },
      ],
      rows: [...names.keys()],
      sortedBy: 1,
      markOf: (at) => at,
    }),
  ],
  legend: ({ by, values, unit }, theme) => [
    heatLegend(
      theme,
      by,
      values.reduce((most, value) => Math.max(most, value), 0),
      unit,
    ),
    wordLegend("length", by),
  ],
  summary: (content) => [`${name(content)} of ${plural(content.names.length, "function")}`, name(content)],
  nouns: () => ["function", "functions"],
  menu: () => [{ label: "Go to hottest line", key: "Enter", does: "open" }],
  details: (content, mark) => {
    return { name: content.names[mark], numbers: [valueFact(content, mark)], actions: [] };
  },
  explanation: { name: "Bars", facts: [["bar", "the value of a function"]] },
};

startPage(definition);
