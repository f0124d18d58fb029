/** The flame graph's page: who calls whom, as wide as it takes. */
import { signed } from "../../src/model/differences";
import { largestIn } from "../../src/model/longLists";
import { formatShare, formatValue } from "../../src/model/units";
import { type FlameContent, flameContent } from "../../src/protocol/flameGraph";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { heatLegend, rampLegend, signLegend, wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { metricColumn, numberColumn, savedOnly, textColumn } from "../kit/table/columns";
import type { Scene } from "../kit/stage/scene";
import type { Column } from "../kit/table/table";
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { shortPath, visible } from "../shared/text";
import { details, numbersText, pane, rectangleFacts, summary, title } from "./describe";
import { draw, kernelGrey } from "./drawing";
import { rectangleOf, type Rectangles, rectanglesOf } from "./rectangles";
import { endOfRows, type FlameSeen, flameSight } from "./sight";

/** Narrower rectangles are lines, in which nobody sees a colour that the legend would explain; pixels. */
const SEEN = 3;

const definition: PageDefinition<FlameContent, never, FlameSeen> = {
  title: "Flame graph",
  content: flameContent,
  draw,
  sight: flameSight,
  tables: (content) => [rectangleTable(content)],
  legend,
  hint: () => "wheel moves · Ctrl+wheel zooms · Shift+click fills the width · double click: line",
  summary,
  name: title,
  nouns: () => ["rectangle", "rectangles"],
  menu,
  details,
  pane: { of: pane, top: endOfRows },
  explains: numbersText,
  explanation: {
    name: "Flame graph",
    facts: [
      ["rectangle", "a function, or a calling context"],
      ["width", "inclusive cost, with all callees"],
      ["below", "its callees; in a sandwich, above: its callers"],
      ["Z, Shift+click", "zooms to it; + and - in and out, 0 back"],
      ["Space", "selects in all views"],
      ["Enter", "goes to the line"],
    ],
  },
};

function menu(content: FlameContent, mark: number): MenuEntry[] {
  const known = rectangleOf(content, mark);
  if (!known) return [];
  const { rectangles, at } = known;
  const name = rectangles.name(at);
  const numbers = rectangleFacts(rectangles, at).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  const zoom: MenuEntry = {
    label: "Zoom to this",
    key: "Z",
    does: { gesture: { kind: "fill", place: rectangles.place(at) } },
    group: "show",
  };
  const copy: MenuEntry = { label: "Copy numbers", does: { copy: [name, ...numbers].join("\n") }, group: "copy" };
  if (rectangles.isRun(at)) return [zoom, copy];
  return [
    { label: "Go to line", icon: "go-to-file", key: "Enter", does: "open", group: "go" },
    { label: "Go to hottest line", icon: "flame", does: "hottest-line", group: "go" },
    { label: "Select in all views", key: "Space", does: "select", group: "go" },
    zoom,
    { label: "Zoom out to everything", key: "0", does: { gesture: { kind: "fit" } }, group: "show" },
    { label: "Show in sandwich: callers and callees", does: "sandwich", group: "show" },
    copy,
    { label: "Copy name", does: { copy: name }, group: "copy" },
  ];
}

function legend(content: FlameContent, theme: Theme, { marks }: Scene): LegendEntry[] {
  const { groups, groupCount, unit, panes } = content;
  const hottest = largestIn(panes.map((pane) => pane.hottest));
  const quiet = (picture: string) => signLegend(theme, { fill: theme.flow(0) }, picture);
  const has = (what: "isRun" | "isOutgoing" | "isHidden" | "isNameless") =>
    marks.some(({ id, box }) => {
      const known = box.width < SEEN ? undefined : rectangleOf(content, id);
      return known?.rectangles[what](known.at) === true;
    });
  const kernels = kernelGroups(content);
  const largest = largestIn(panes.map(({ largestDifference = -1 }) => largestDifference));
  const ends = [signed(-largest, unit), "0", signed(largest, unit)] as const;
  const colours =
    largest >= 0
      ? [
          rampLegend(theme, "exclusive", ends, (position) => theme.difference(2 * position - 1)),
          wordLegend("+", "more than in the baseline"),
        ]
      : groupCount === 0
        ? [heatLegend(theme, "exclusive", hottest, unit)]
        : [
            ...groups.map((group, at) =>
              signLegend(
                theme,
                { fill: kernels.has(at) ? kernelGrey(theme) : theme.named(group, at) },
                shortPath(visible(group), groups).slice(0, 40),
              ),
            ),
            ...(content.allColoured
              ? [wordLegend("other hues", "other functions")]
              : [
                  quiet(
                    groupCount > groups.length ? `${groupCount - groups.length} other groups, or none` : "no group",
                  ),
                ]),
          ];
  const lines = [0, 6, 12].map((x) =>
    svg("path", { d: `M${x},10l10,-10`, stroke: theme.outline, "stroke-width": 1.5 }),
  );
  return [
    ...colours,
    wordLegend("width", "inclusive"),
    ...(has("isRun") ? [quiet("narrower than a pixel")] : []),
    ...(has("isOutgoing") ? [signLegend(theme, { "stroke-dasharray": "3 3" }, "called out of the bar")] : []),
    ...(has("isHidden") || has("isNameless")
      ? [signLegend(theme, {}, has("isHidden") ? "hidden, or without a name" : "without a name", lines)]
      : []),
  ];
}

/** Groups of the kernel. */
function kernelGroups(content: FlameContent): ReadonlySet<number> {
  return new Set(
    rectanglesOf(content).flatMap(({ pane: { group }, isKernel }) => [...group].filter((_, at) => isKernel(at))),
  );
}

interface Row {
  readonly rectangles: Rectangles;
  readonly at: number;
}

function rectangleTable(content: FlameContent) {
  const { unit, total, over, panes } = content;
  const own = (text: Column<Row>["text"]) => (row: Row) => (row.rectangles.isRun(row.at) ? "" : text(row));
  const inclusive = ({ rectangles, at }: Row) => rectangles.pane.inclusive[at];
  const exclusive = ({ rectangles, at }: Row) => (rectangles.isRun(at) ? NaN : rectangles.pane.exclusive[at]);
  const nameAbove = ({ rectangles, at }: Row) => {
    const above = rectangles.above(at);
    return above === undefined ? "" : rectangles.name(above);
  };
  return tableOf<Row>({
    caption: "Rectangles in sight",
    columns: [
      textColumn(
        "name",
        ({ rectangles, at }) => rectangles.name(at),
        ({ rectangles, at }) => rectangles.label(at),
      ),
      numberColumn("inclusive", inclusive, (row) => formatValue(inclusive(row), unit)),
      numberColumn(
        "share",
        (row) => inclusive(row) / total,
        (row) => formatShare(inclusive(row) / total),
        "share",
      ),
      numberColumn(
        "exclusive",
        exclusive,
        own((row) => formatValue(exclusive(row), unit)),
      ),
      numberColumn(
        "share, exclusive",
        (row) => exclusive(row) / total,
        own((row) => formatShare(exclusive(row) / total)),
        "share",
      ),
      numberColumn("level", ({ rectangles, at }) => rectangles.pane.depth[at] + 1),
      textColumn("below", nameAbove),
      ...(panes.length > 1 ? [textColumn<Row>("drawing", ({ rectangles }) => rectangles.pane.kind)] : []),
      ...(content.groupCount > 0 ? [textColumn<Row>("group", ({ rectangles, at }) => rectangles.group(at) ?? "")] : []),
      ...savedOnly(
        numberColumn<Row>("drawn together", ({ rectangles, at }) => rectangles.pane.together[at]),
        metricColumn(content, () => over),
      ),
    ],
    rows: rectanglesOf(content).flatMap((rectangles) =>
      Array.from({ length: rectangles.count }, (_, at): Row => ({ rectangles, at })),
    ),
    sortedBy: 1,
    markOf: ({ rectangles, at }) => rectangles.mark(at),
  });
}

startPage(definition);
