/** The hardware: what the machine is made of, and how much of the shown window each part of it was used. */
import type { Hardware, HardwareElement, HardwareLink, HardwareQuery, HardwareUse } from "../../engine/api";
import type { EventKind } from "../../model/eventKinds";
import { largestIn, smallestIn } from "../../model/longLists";
import { chosenText } from "../../model/members";
import { shorten } from "../../model/texts";
import type { ToolControl } from "../../protocol/frame";
import {
  ELEMENT_LIMIT,
  type HardwareBox,
  type HardwareContent,
  type HardwareLine,
  type HardwareState,
  hardwareState,
  LINK_LIMIT,
} from "../../protocol/hardware";
import { hardwareMessage } from "../../session/notRecorded";
import { currentSettings } from "../../session/sourceFeed";
import type { PanelDefinition, Subject, View } from "../kit/definition";
import { restrictToMembers } from "../kit/restricting";

type HardwareView = View<HardwareState>;

/** Characters of a name; lanes that are named. */
const MAX_NAME = 200;
const MOST_LANES = 4;

const MAXIMIZE: ToolControl = {
  kind: "tool",
  id: "maximize",
  name: "Maximize Editor Group",
  icon: "chrome-maximize",
  leaves: 3,
};

export const hardware: PanelDefinition<HardwareState, Hardware, HardwareContent, never> = {
  id: "hardware",
  title: "Hardware",
  saved: "hardware",
  state: hardwareState,
  start: {},
  needsMetric: false,
  showsMetric: false,
  overTime: true,
  controls: () => [MAXIMIZE],
  async choose(_, id, __, panel) {
    if (id === MAXIMIZE.id) await panel.maximize();
    return undefined;
  },
  unmeasured: hardwareMessage,
  asked: queryOf,
  ask: (view, task) => view.session.engine.hardware(queryOf(view), task),
  content,
  notes,
  subject: subjectOf,
  highlighted: (shown, { lanes, kinds }) => [
    ...new Set([...innermost(shown.elements, new Set(lanes)), ...usedBy(shown, kinds)]),
  ],
  actions: {
    restrict: ({ elements }, mark, panel) =>
      restrictToMembers(mark === undefined ? undefined : elements.at(mark)?.members, panel),
  },
};

/** A part of the machine is no part of the program: it is what runs on it; of a line that is what runs on the smaller of its ends. */
function subjectOf({ elements, links }: Hardware, mark: number | undefined): Subject | undefined {
  if (mark === undefined) return undefined;
  const link = links.at(mark - elements.length);
  const ends = mark < elements.length ? [elements[mark]] : link ? [elements[link.from], elements[link.to]] : [];
  const [own] = ends.filter(({ lanes }) => lanes.length > 0).sort((a, b) => a.lanes.length - b.lanes.length);
  const name = (own ?? ends.at(0))?.name ?? "";
  return { target: undefined, name, at: { lanes: own?.lanes ?? [] } };
}

/** Parts that lanes run on, without those that hold them. */
function innermost(elements: readonly HardwareElement[], wanted: ReadonlySet<number>): number[] {
  const has = elements.map(({ lanes }) => lanes.some((lane) => wanted.has(lane)));
  const holds = elements.map(() => false);
  elements.forEach(({ parent }, at) => {
    if (has[at] && parent >= 0) holds[parent] = true;
  });
  return [...elements.keys()].filter((at) => has[at] && !holds[at]);
}

/** Parts whose use is work of some kinds, then lines on which such was moved. */
function usedBy({ elements, links }: Hardware, kinds: readonly EventKind[]): number[] {
  const isOwn = (kind: EventKind | undefined) => kind !== undefined && kinds.includes(kind);
  const kindOfUse = ({ by }: HardwareUse) =>
    by === "threads" ? "computing" : by === "kernels" ? "GPU" : by === "transfers" ? "data movement" : undefined;
  const kindOfLink = (link: HardwareLink) =>
    link.of === "messages" ? "communication" : link.of === "transfers" ? "data movement" : undefined;
  return [
    ...elements.flatMap((element, at) => (isOwn(kindOfUse(element)) ? [at] : [])),
    ...links.flatMap((link, at) => (isOwn(kindOfLink(link)) ? [elements.length + at] : [])),
  ];
}

function queryOf({ scope, window }: HardwareView): HardwareQuery {
  const { dataSet, chosen, window: restricted } = scope;
  const parts = [window, restricted].filter((one) => one !== undefined);
  return {
    scope: { dataSet, ...(chosen ? { chosen } : {}) },
    categories: currentSettings().categories,
    ...(parts.length === 0
      ? {}
      : {
          fromSeconds: largestIn(parts.map(({ from }) => from)),
          toSeconds: smallestIn(parts.map(({ to }) => to)),
        }),
  };
}

function content(shown: Hardware, view: HardwareView): HardwareContent {
  const { startSeconds, endSeconds, elements, links, recorded } = shown;
  const { fromSeconds = startSeconds, toSeconds = endSeconds } = queryOf(view);
  const from = Math.min(endSeconds, Math.max(startSeconds, fromSeconds));
  const isShown = (element: number) => element < ELEMENT_LIMIT;
  return {
    run: { from: startSeconds, to: endSeconds },
    window: { from, to: Math.max(from, Math.min(endSeconds, toSeconds)) },
    // Parents come first: of what is left out nothing is shown.
    elements: elements.slice(0, ELEMENT_LIMIT).map((one) => boxOf(one, shown)),
    links: links
      .filter((link) => isShown(link.from) && isShown(link.to))
      .slice(0, LINK_LIMIT)
      .map(lineOf),
    recorded,
  };
}

function boxOf({ lanes, members, ...element }: HardwareElement, { laneNames }: Hardware): HardwareBox {
  const named = lanes.slice(0, MOST_LANES).map((lane) => shorten(laneNames[lane], MAX_NAME));
  const more = lanes.length - named.length;
  return {
    ...element,
    ...useOf(element),
    name: shorten(element.name, MAX_NAME),
    type: shorten(element.type, MAX_NAME),
    size: shorten(element.size, MAX_NAME),
    least: orNull(element.least),
    most: orNull(element.most),
    lanes: lanes.length,
    laneNames: `${named.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""}`,
    members: members ? shorten(chosenText(members), MAX_NAME) : "",
    bytes: orNull(element.bytes),
    capacity: orNull(element.capacity),
  };
}

function lineOf(link: HardwareLink): HardwareLine {
  const { name, bytes, bytesBack, capacity, rate } = link;
  return {
    ...link,
    ...useOf(link),
    name: shorten(name, MAX_NAME),
    bytes: orNull(bytes),
    bytesBack: orNull(bytesBack),
    capacity: orNull(capacity),
    rate: orNull(rate),
  };
}

function useOf({ share, by }: HardwareUse) {
  return { share: orNull(share), by: by ?? null };
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function notes({ elements, recorded }: Hardware): string[] {
  const said = [
    elements.length < recorded
      ? `${recorded.toLocaleString("en")} parts were recorded: neighbours of one type share a box, with the mean of what is known of them.`
      : "",
    elements.length > ELEMENT_LIMIT ? `Only the first ${ELEMENT_LIMIT.toLocaleString("en")} boxes are drawn.` : "",
    elements.some(({ name }) => /^\d+x total$/.test(name))
      ? "lstopo's drawing omits some equal parts, and marks the others with “6x total”."
      : "",
  ];
  return said.filter((text) => text !== "");
}
