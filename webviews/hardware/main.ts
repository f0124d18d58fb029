/** The hardware's page: what the machine is made of, and how much of the window each part was used. */
import { formatValue } from "../../src/model/units";
import { type HardwareContent, hardwareContent } from "../../src/protocol/hardware";
import { type MenuEntry, type PageDefinition, tableOf } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import { rampLegend, wordLegend } from "../kit/legend";
import { startPage } from "../kit/page";
import { placeOf, type SeenViewport } from "../kit/stage/viewport";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Theme } from "../kit/theme/theme";
import { visible } from "../shared/text";
import {
  boxFacts,
  details,
  isElement,
  isMark,
  lineName,
  markFacts,
  markName,
  shareText,
  summary,
  systemShares,
  usesIn,
} from "./describe";
import { draw, fillOf } from "./drawing";
import { hardwareSight } from "./sight";

const definition: PageDefinition<HardwareContent, never, SeenViewport> = {
  title: "Hardware",
  content: hardwareContent,
  draw,
  sight: hardwareSight,
  tables: (content) => [partTable(content), linkTable(content)],
  legend: (content, theme) => [
    ...ramps(content, theme),
    ...usesIn(content).map(([what, is]) => wordLegend(what, is)),
    wordLegend("no colour", "not recorded"),
    ...(content.links.length > 0 ? [wordLegend("line", "as wide as data goes fast")] : []),
  ],
  hint: () => "wheel moves · Ctrl+wheel zooms · Shift+click fills the panel",
  summary,
  name: () => "Hardware",
  nouns: () => ["part", "parts"],
  menu,
  details,
  explanation: {
    name: "Hardware",
    facts: [
      ["box", "a component of the machine, with its components inside"],
      ["colour", "share of the shown window in which the program used it; grey: in which the system recorded load"],
      [
        "processor",
        "mean over its threads of the time in which they compute; otherwise the load that the system recorded",
      ],
      ["GPU", "time in which a kernel runs on any of its streams"],
      [
        "network link",
        "share of its bandwidth that was used; without a bandwidth, the time in which a transfer was under way",
      ],
      ["line", "data moved between the two"],
      ["no colour", "use was not recorded (not the same as 0)"],
      ["Z, Shift+click", "zooms to it; + and - in and out, 0 back"],
    ],
  },
};

/** A ramp for each kind of share that is there. */
function ramps(content: HardwareContent, theme: Theme): LegendEntry[] {
  const isSystem = systemShares(content);
  const known = content.elements.map(({ share }, at) => (share === null ? undefined : isSystem[at]));
  const hasUse = known.includes(false) || content.links.some(({ share }) => share !== null);
  const ticks = ["0 %", "50 %", "100 %"] as const;
  return [
    ...(hasUse || !known.includes(true) ? [rampLegend(theme, "used", ticks)] : []),
    ...(known.includes(true) ? [rampLegend(theme, "busy", ticks, (share) => fillOf(share, true, theme))] : []),
  ];
}

function menu(content: HardwareContent, mark: number): MenuEntry[] {
  const members = isElement(content, mark) ? content.elements[mark].members : "";
  const numbers = markFacts(content, mark).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  return [
    { label: "Highlight in all views", key: "Space", does: "select", group: "go" },
    ...(members === ""
      ? []
      : [{ label: `Restrict to ${visible(members)}`, icon: "filter", does: "restrict", group: "change" } as const]),
    { label: "Zoom to this", key: "Z", does: { gesture: { kind: "fill", place: placeOf(mark) } }, group: "show" },
    { label: "Zoom out to everything", key: "0", does: { gesture: { kind: "fit" } }, group: "show" },
    { label: "Copy numbers", does: { copy: [markName(content, mark), ...numbers].join("\n") }, group: "copy" },
  ];
}

function partTable(content: HardwareContent) {
  const { elements } = content;
  const share = (at: number) => elements[at].share ?? NaN;
  return tableOf<number>({
    caption: "Parts",
    columns: [
      textColumn("part", (at) => visible(elements[at].name)),
      textColumn("recorded as", (at) => visible(elements[at].type)),
      textColumn("in", (at) => (elements[at].parent < 0 ? "" : visible(elements[elements[at].parent].name))),
      numberColumn("used", share, (at) => shareText(elements[at].share), "share"),
      textColumn("of what", (at) => boxFacts(content, at)[0][0]),
      textColumn("least – most", (at) =>
        elements[at].together > 1 && elements[at].known > 0
          ? `${shareText(elements[at].least)} – ${shareText(elements[at].most)}`
          : "",
      ),
      numberColumn(
        "bytes",
        (at) => elements[at].bytes ?? NaN,
        (at) => bytesText(elements[at].bytes),
      ),
      textColumn("size", (at) => visible(elements[at].size)),
      numberColumn("lanes", (at) => elements[at].lanes),
    ],
    rows: [...elements.keys()],
    sortedBy: 3,
    markOf: (at) => at,
  });
}

function linkTable(content: HardwareContent) {
  const { links, elements } = content;
  return tableOf<number>({
    caption: "Links",
    columns: [
      textColumn("link", (at) => lineName(content, links[at])),
      numberColumn(
        "used",
        (at) => links[at].share ?? NaN,
        (at) => shareText(links[at].share),
        "share",
      ),
      numberColumn(
        "there",
        (at) => links[at].bytes ?? NaN,
        (at) => bytesText(links[at].bytes),
      ),
      numberColumn(
        "back",
        (at) => links[at].bytesBack ?? NaN,
        (at) => bytesText(links[at].bytesBack),
      ),
      numberColumn("count", (at) => links[at].count),
      numberColumn(
        "capacity",
        (at) => links[at].capacity ?? NaN,
        (at) => rateText(links[at].capacity),
      ),
      numberColumn(
        "rate",
        (at) => links[at].rate ?? NaN,
        (at) => rateText(links[at].rate),
      ),
    ],
    rows: [...links.keys()],
    sortedBy: 1,
    markOf: (at) => (isMark(content, elements.length + at) ? elements.length + at : undefined),
  });
}

function bytesText(bytes: number | null): string {
  return bytes === null ? "not recorded" : formatValue(bytes, "B");
}

function rateText(rate: number | null): string {
  return rate === null ? "not recorded" : formatValue(rate, "B/s");
}

startPage(definition);
