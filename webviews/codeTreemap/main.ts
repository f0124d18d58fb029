/** The page of the treemap of code: how much of a metric folders, files and functions have by themselves. */
import { formatValue } from "../../src/model/units";
import { type CodeTreemapContent, codeTreemapContent } from "../../src/protocol/codeTreemap";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { signLegend, wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Theme } from "../kit/theme/theme";
import { shortPath, visible } from "../shared/text";
import { nodeName, shareText } from "../treemap/describe";
import { closedBy, details, isFunction, kindText, nodeFacts, summary, treeOf } from "./describe";
import { draw, groupFill } from "./drawing";

/** Files and load modules that the legend names. */
const MOST_GROUPS = 12;

const definition: PageDefinition<CodeTreemapContent, never> = {
  title: "Treemap of Code",
  content: codeTreemapContent,
  draw,
  tables: (content) => [table(content)],
  legend,
  hint: () => "click: its hottest line · double click opens a group",
  summary,
  name: () => "Treemap of Code",
  nouns: () => ["rectangle", "rectangles"],
  menu,
  details,
  explanation: {
    name: "Treemap of Code",
    facts: [
      ["rectangle", "a function, or a closed file or folder: its area is its exclusive cost, without its callees"],
      ["around it", "its file and folder; its load module if no file is known"],
      ["hue", "the file or load module; neighbours differ in lightness"],
      ["click, Enter", "on a function: go to its hottest line; a double click opens a group"],
    ],
  },
};

function menu(content: CodeTreemapContent, node: number): MenuEntry[] {
  const numbers = nodeFacts(content, node).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  const closes = closedBy(content, node);
  return [
    ...(isFunction(content, node)
      ? [
          { label: "Go to line", icon: "go-to-file", key: "Enter", does: "open", group: "go" } as const,
          { label: "Select in all views", key: "Space", does: "select", group: "go" } as const,
        ]
      : content.nodes.isClosed[node] === 1
        ? [{ label: `Open ${nodeName(content, node)}`, icon: "unfold", does: "open-group", group: "show" } as const]
        : []),
    ...(closes < 0
      ? []
      : [{ label: `Close ${nodeName(content, closes)}`, icon: "fold", does: "close-group", group: "show" } as const]),
    { label: "Copy numbers", does: { copy: [nodeName(content, node), ...numbers].join("\n") }, group: "copy" },
  ];
}

/** The largest files and load modules, in the lightness of the first of their functions. */
function legend(content: CodeTreemapContent, theme: Theme): LegendEntry[] {
  const { nodes, groups, values, metric } = content;
  const sums = new Float64Array(groups.length);
  nodes.group.forEach((group, node) => {
    if (group >= 0 && nodes.isClosed[node] === 1) sums[group] += values[node];
  });
  const order = [...groups.keys()].filter((group) => sums[group] > 0).sort((a, b) => sums[b] - sums[a]);
  return [
    ...order
      .slice(0, MOST_GROUPS)
      .map((group) =>
        signLegend(theme, { fill: groupFill(content, group, theme) }, shortPath(visible(groups[group]), groups)),
      ),
    wordLegend("area", `exclusive ${visible(metric)}`),
  ];
}

function table(content: CodeTreemapContent) {
  const { nodes, groups, values, unit, metric } = content;
  const tree = treeOf(content);
  return tableOf<number>({
    caption: "Code",
    columns: [
      textColumn("name", (node) => nodeName(content, node)),
      textColumn("is a", (node) => kindText(content, node)),
      textColumn("file or load module", (node) => (nodes.group[node] < 0 ? "" : visible(groups[nodes.group[node]]))),
      numberColumn(
        `exclusive ${visible(metric)}`,
        (node) => values[node],
        (node) => formatValue(values[node], unit),
      ),
      textColumn("share", (node) => shareText(tree, node)[1]),
      numberColumn("functions", (node) => nodes.functions[node]),
    ],
    rows: [...nodes.id.keys()].filter((node) => nodes.isClosed[node] === 1),
    sortedBy: 3,
    markOf: (node) => (values[node] > 0 ? node : undefined),
  });
}

startPage(definition);
