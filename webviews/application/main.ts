/** The application tree's page: who calls whom, how heavy, and when. */
import { formatShare, formatValue } from "../../src/model/units";
import { type ApplicationContent, applicationContent, eventKinds } from "../../src/protocol/application";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import { kindLegend } from "../kit/kinds";
import { wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { placeOf, type SeenViewport } from "../kit/stage/viewport";
import { numberColumn, savedOnly, textColumn } from "../kit/table/columns";
import { visible } from "../shared/text";
import { details, foldedText, isActive, nodeFacts, summary } from "./describe";
import { draw } from "./drawing";
import { applicationSight } from "./sight";

const definition: PageDefinition<ApplicationContent, never, SeenViewport> = {
  title: "Application Tree",
  content: applicationContent,
  lasting: true,
  draw,
  sight: applicationSight,
  tables: (content) => [contextTable(content)],
  legend: (content, theme) => [
    ...kindLegend(theme, (kind) => content.nodes.some((node) => node.kind === kind), false),
    wordLegend("size, width", "inclusive"),
    ...(content.run
      ? [
          wordLegend("ring", "active in the window"),
          wordLegend("bars", "when in the run; share of its time in the window"),
        ]
      : []),
  ],
  hint: () => "wheel moves · Ctrl+wheel zooms · C folds and unfolds",
  summary,
  name: ({ metric }) => `Calling contexts by ${visible(metric)}`,
  nouns: () => ["context", "contexts"],
  menu,
  details,
  hasPlaces: true,
  explanation: {
    name: "Application tree",
    facts: [
      ["circle", "a calling context; its area is its inclusive cost, its colour the category of its time"],
      ["curve", "a call, as wide as its cost"],
      ["ring", "active in the window that the views over time show"],
      ["bars", "times in which it was active, with a frame around the window; the share of its time in the window"],
      ["12 more", "callees below 0.1 % or folded, with their share; a click or C shows or folds them"],
      ["arrow keys", "to the caller, the heaviest callee, and its neighbours"],
      ["Space, Enter", "selects in all views, goes to the line"],
    ],
  },
};

function menu(content: ApplicationContent, mark: number): MenuEntry[] {
  const { nodes } = content;
  const { name, folded, closed } = nodes[mark];
  const isFolded = folded.contexts > 0 || closed;
  const calls = isFolded || nodes.some(({ parent }) => parent === mark);
  const numbers = nodeFacts(content, mark).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  return [
    { label: "Go to line", icon: "go-to-file", key: "Enter", does: "open", group: "go" },
    { label: "Select in all views", key: "Space", does: "select", group: "go" },
    ...(calls
      ? [
          {
            label: isFolded ? "Show what it calls" : "Fold what it calls",
            key: "C",
            does: "toggle",
            group: "show",
          } as const,
        ]
      : []),
    { label: `Highlight ${eventKinds[nodes[mark].kind]} in all views`, does: "highlight-kind", group: "show" },
    {
      label: `Restrict to ${eventKinds[nodes[mark].kind]}`,
      icon: "filter",
      does: "restrict-kind",
      group: "change",
    },
    { label: "Zoom to this", key: "Z", does: { gesture: { kind: "fill", place: placeOf(mark) } }, group: "show" },
    { label: "Zoom out to everything", key: "0", does: { gesture: { kind: "fit" } }, group: "show" },
    { label: "Copy numbers", does: { copy: [visible(name), ...numbers].join("\n") }, group: "copy" },
    { label: "Copy name", does: { copy: name }, group: "copy" },
  ];
}

function contextTable(content: ApplicationContent) {
  const { nodes, unit, total, run } = content;
  const value = (what: "inclusive" | "exclusive") =>
    numberColumn<number>(
      what,
      (at) => nodes[at][what],
      (at) => formatValue(nodes[at][what], unit),
    );
  const seconds = (what: "windowSeconds" | "runSeconds", title: string) =>
    numberColumn<number>(
      title,
      (at) => nodes[at].time?.[what] ?? NaN,
      (at) => formatValue(nodes[at].time?.[what] ?? NaN, "s"),
    );
  return tableOf<number>({
    caption: "Contexts",
    columns: [
      textColumn("context", (at) => visible(nodes[at].name)),
      textColumn("called by", (at) => (nodes[at].parent < 0 ? "" : visible(nodes[nodes[at].parent].name))),
      value("inclusive"),
      numberColumn(
        "share",
        (at) => nodes[at].inclusive / total,
        (at) => formatShare(nodes[at].inclusive / total),
        "share",
      ),
      value("exclusive"),
      textColumn("kind", (at) => eventKinds[nodes[at].kind]),
      textColumn("folded", (at) => foldedText(content, nodes[at])),
      ...(run
        ? [
            textColumn<number>("active", (at) => (isActive(nodes[at]) ? "yes" : "no")),
            seconds("windowSeconds", "in the window"),
            seconds("runSeconds", "in the run"),
            numberColumn<number>("events", (at) => nodes[at].time?.events ?? NaN),
          ]
        : []),
      ...savedOnly(textColumn<number>("metric", () => visible([content.metric, content.over].join(", ")))),
    ],
    rows: [...nodes.keys()],
    sortedBy: 2,
    markOf: (at) => at,
  });
}

startPage(definition);
