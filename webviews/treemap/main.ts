/** The page of treemap and topology: how much each resource has of something, and how they are connected. */
import { formatValue } from "../../src/model/units";
import { shownIn, TOPOLOGY, type TreemapContent, treemapContent } from "../../src/protocol/treemap";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { rampLegend, signLegend, wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import type { Scene } from "../kit/stage/scene";
import { placeOf } from "../kit/stage/viewport";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Theme } from "../kit/theme/theme";
import { stateFills } from "../overview/colours";
import { visible } from "../shared/text";
import {
  anyFacts,
  anyName,
  closeText,
  details,
  markName,
  nodeName,
  nodeOf,
  shareText,
  summary,
  totalOf,
  usedShare,
} from "./describe";
import { draw, partFills } from "./drawing";
import { nextWindow } from "./playing";
import type { TreemapSeen } from "./seen";
import { treemapSight } from "./sight";
import { TreemapStage } from "./stage";

/** States that the legend names. */
const MOST_STATES = 8;

const definition: PageDefinition<TreemapContent, never, TreemapSeen> = {
  title: "Treemap and Topology",
  content: treemapContent,
  draw,
  stage: (hooks) => new TreemapStage(hooks),
  sight: treemapSight,
  player: { next: nextWindow, step: "window" },
  tables: (content) => [nodeTable(content), markTable(content)],
  legend,
  hint: () => "double click opens a group · drag moves a mark",
  summary,
  name: () => "Treemap and Topology",
  nouns: () => ["resource", "resources"],
  menu,
  details,
  explanation: {
    name: "Treemap and Topology",
    facts: [
      ["rectangle", "a resource or a closed group: its area is its share of the total, divided by state"],
      [
        "square, diamond, circle",
        "hosts, links, routers; a closed group has one of each, with the sum of their values",
      ],
      ["its area", "capacity if recorded, otherwise time"],
      [
        "filled",
        "what was used of the capacity in the shown window, or the states that it was in; of a part of a machine how much of the window it was used",
      ],
      [
        "line",
        "a recorded link, or what is in what; messages, where no links were recorded, and copies between GPUs and their host: as wide as many bytes went",
      ],
      ["double click, Enter", "opens a group; for a single resource, the timeline"],
      ["drag", "moves a mark, which then stays there; on empty space, the whole topology; the wheel zooms"],
    ],
  },
};

function menu(content: TreemapContent, mark: number): MenuEntry[] {
  const node = nodeOf(content, mark);
  const { leaves, isClosed, parent, hasLane, canRestrict } = content.nodes;
  const numbers = anyFacts(content, mark).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  const isGroup = leaves[node] > 1;
  return [
    ...(hasLane[node] === 1
      ? [{ label: "Show in the timeline", icon: "link-external", does: "timeline", group: "go" } as const]
      : []),
    ...(isGroup && isClosed[node] === 1
      ? [{ label: `Open ${nodeName(content, node)}`, icon: "unfold", does: "open-group", group: "show" } as const]
      : []),
    ...(parent[node] >= 0 || isClosed[node] === 0
      ? [{ label: closeText(content, node), icon: "fold", does: "close-group", group: "show" } as const]
      : []),
    ...(canRestrict[node] === 1
      ? [{ label: "Restrict all numbers to this", icon: "filter", does: "restrict", group: "change" } as const]
      : []),
    ...(mark >= TOPOLOGY
      ? [
          {
            label: "Zoom to this",
            key: "Z",
            does: { gesture: { kind: "fill", place: placeOf(mark) } },
            group: "show",
          } as const,
        ]
      : []),
    { label: "Copy numbers", does: { copy: [anyName(content, mark), ...numbers].join("\n") }, group: "copy" },
  ];
}

function legend(content: TreemapContent, theme: Theme, scene: Scene): LegendEntry[] {
  const { parts, quantity, states, fills, sizes, marks } = content;
  const isThere = {
    treemap: scene.marks.some(({ id }) => id < TOPOLOGY),
    topology: scene.marks.some(({ id }) => id >= TOPOLOGY),
  };
  const shapes = [0, 1, 2].filter((shape) => marks.shape.includes(shape));
  const hasUse =
    shapes.some((shape) => fills[shape] !== "" && fills[shape] !== "states") || marks.share.some((share) => share >= 0);
  const isDivided = content.partKinds.some((kind) => kind >= 0) || parts.length > 1;
  const names = isThere.treemap && isDivided ? parts : isThere.topology && fills.includes("states") ? states : [];
  const colours = names === parts ? partFills(content, { theme }) : stateFills(content, theme);
  const weight = (at: number) => (names === parts ? content.values[at] : sumOfState(content, at));
  const order = [...names.keys()].filter((at) => weight(at) > 0).sort((a, b) => weight(b) - weight(a));
  return [
    ...order.slice(0, MOST_STATES).map((at) => signLegend(theme, { fill: colours[at] }, visible(names[at]))),
    ...(isThere.topology && hasUse ? [rampLegend(theme, "used", ["0 %", "50 %", "100 %"])] : []),
    ...(isThere.topology && marks.within.some((one) => one > 0)
      ? [signLegend(theme, { fill: theme.background, stroke: theme.heat(1) }, "messages within")]
      : []),
    ...(isThere.treemap && quantity !== "" ? [wordLegend("area", visible(quantity))] : []),
    ...(isThere.topology
      ? shapes
          .filter((shape) => sizes[shape] !== "")
          .map((shape) => wordLegend(["square", "diamond", "circle"][shape], visible(sizes[shape])))
      : []),
  ];
}

function sumOfState({ stateSeconds, states }: TreemapContent, state: number): number {
  let sum = 0;
  for (let at = state; at < stateSeconds.length; at += states.length) sum += stateSeconds[at];
  return sum;
}

function nodeTable(content: TreemapContent) {
  const { nodes, unit } = content;
  const shown = [...nodes.id.keys()].filter((node) => nodes.isClosed[node] === 1);
  return tableOf<number>({
    caption: "Resources",
    columns: [
      textColumn("resource", (node) => nodeName(content, node)),
      textColumn("in", (node) => (nodes.parent[node] < 0 ? "" : nodeName(content, nodes.parent[node]))),
      textColumn("recorded as", (node) => visible(nodes.types[node])),
      numberColumn(
        content.quantity === "" ? "value" : visible(content.quantity),
        (node) => totalOf(content, node),
        (node) => formatValue(totalOf(content, node), unit),
      ),
      textColumn("share", (node) => shareText(content, node)[1]),
      numberColumn("holds", (node) => nodes.leaves[node]),
    ],
    rows: shown,
    sortedBy: 3,
    markOf: (node) => (shownIn(content, innerWidth).treemap && totalOf(content, node) > 0 ? node : undefined),
  });
}

function markTable(content: TreemapContent) {
  const { marks, sizeUnits } = content;
  const number = (value: number, shape: number) =>
    Number.isNaN(value) ? "not recorded" : formatValue(value, sizeUnits[shape]);
  return tableOf<number>({
    caption: "Topology",
    columns: [
      textColumn("mark", (at) => markName(content, at)),
      textColumn("drawn as", (at) => ["square", "diamond", "circle"][marks.shape[at]]),
      numberColumn(
        "area",
        (at) => marks.size[at],
        (at) => number(marks.size[at], marks.shape[at]),
      ),
      numberColumn(
        "filled",
        (at) => marks.used[at],
        (at) => number(marks.used[at], marks.shape[at]),
      ),
      numberColumn(
        "share",
        (at) => usedShare(content, at),
        (at) => (Number.isNaN(usedShare(content, at)) ? "" : `${(100 * usedShare(content, at)).toPrecision(3)} %`),
      ),
    ],
    rows: [...marks.node.keys()],
    sortedBy: 2,
    markOf: (at) => (shownIn(content, innerWidth).topology ? TOPOLOGY + at : undefined),
  });
}

startPage(definition);
