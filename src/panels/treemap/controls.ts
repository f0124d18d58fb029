/** What can be chosen of treemap and topology. */
import type { Resources } from "../../engine/api";
import { shorten } from "../../model/texts";
import type { Control, SelectControl, ToolControl } from "../../protocol/frame";
import { shapes, shownIn, type TreemapState } from "../../protocol/treemap";
import { cutChoice, depthControl, stepControls } from "../kit/cut";
import type { View } from "../kit/definition";
import { ownColorsControl } from "../kit/ownColors";

const SIZES = ["2", "4", "8", "16", "32", "64"];
const MAX_NAME = 200;
const MOST_TYPES = 30;
export const USUAL = "";

export function treemapControls({ state, size }: View<TreemapState>, shown?: Resources): Control[] {
  const quantities = shown?.quantities ?? [];
  const quantity: SelectControl = {
    kind: "select",
    id: "quantity",
    name: "Area",
    value: quantities.at(shown?.quantity ?? 0)?.id ?? "",
    choices: quantities.slice(0, 1000).map(({ id, name }) => ({
      value: id,
      label: shorten(id === "time" || id === "count" || id.startsWith("variable") ? name : `time in ${name}`, MAX_NAME),
      // The integral of a variable is named with its unit.
      ...(id === "time"
        ? { short: "time" }
        : / × s$/.test(name)
          ? { short: shorten(name.slice(0, -4), MAX_NAME) }
          : {}),
      group: id === "time" || id === "count" ? "all" : id.slice(0, 5),
    })),
  };
  const every: SelectControl = {
    kind: "select",
    id: "every",
    name: "Resources",
    value: String(state.every),
    standard: "0",
    choices: [
      { value: "0", label: "as recorded", short: "recorded", title: "Groups of resources as recorded" },
      ...SIZES.map((size) => ({ value: size, label: `${size} each`, title: `Each ${size} neighbours are a group` })),
    ],
  };
  const { stateTypes = [], stateType = "" } = shown ?? {};
  const types: SelectControl = {
    kind: "select",
    id: "stateType",
    name: "States",
    value: stateType,
    choices: stateTypes.map((type) => ({ value: type, label: shorten(type, MAX_NAME) })),
  };
  const there = shownIn(state, size.width);
  const toggle = (id: "treemap" | "topology", name: string, icon: string): ToolControl => ({
    kind: "tool",
    id,
    name,
    icon,
    on: there[id],
    group: "shown",
    leaves: 0,
  });
  return [
    ...(quantities.length > 0 ? [quantity] : []),
    every,
    ...(shown ? [depthControl(shown)] : []),
    ...(stateTypes.length > 1 ? [types] : []),
    ...stepControls(shown, state),
    toggle("treemap", "Treemap", "layout"),
    toggle("topology", "Topology", "type-hierarchy-sub"),
    ...(shown
      ? [...drawnBy(state, shown), ...ownColorsControl(state.ownColors, [...shown.parts, ...shown.states])]
      : []),
  ];
}

/** What marks of the topology are as large as, what fills them, and what they look like. */
function drawnBy(state: TreemapState, { variables, types }: Resources): ToolControl[] {
  const menu = (
    chosen: string | undefined,
    usual: string,
    other: { readonly value: string; readonly label: string },
  ) => [
    { value: USUAL, label: usual, checked: chosen === undefined },
    { ...other, checked: chosen === other.value },
    ...variables.slice(0, 90).map(({ name }) => ({
      value: name,
      label: shorten(name, MAX_NAME),
      checked: chosen === name,
      group: "variables",
    })),
  ];
  const tool = (id: string, name: string, icon: string, choices: ToolControl["menu"]): ToolControl => ({
    kind: "tool",
    id,
    name,
    icon,
    leaves: 9,
    tucked: true,
    menu: choices,
  });
  return [
    tool(
      "size",
      "Area of marks",
      "screen-full",
      menu(state.size, "Capacity, else time", { value: "time", label: "Time" }),
    ),
    tool(
      "fill",
      "Filling of marks",
      "dashboard",
      menu(state.fill, "Use, else states", { value: "states", label: "States" }),
    ),
    tool(
      "shapes",
      "Shapes of marks",
      "symbol-method",
      types.slice(0, MOST_TYPES).flatMap(({ type, shape }) =>
        shapes.map((one) => ({
          value: `${one} ${type}`,
          label: `${shorten(type, 60)}: ${one}`,
          checked: one === shape,
          group: type,
        })),
      ),
    ),
  ];
}

/** What a choice in a control makes of what the panel remembers; undefined: it is none of these. */
export function treemapChoice(
  { state, size }: View<TreemapState>,
  id: string,
  value: string,
  shown: Resources | undefined,
): Partial<TreemapState> | undefined {
  switch (id) {
    case "quantity":
      return { quantity: value };
    case "stateType":
      return { stateType: value, quantity: undefined };
    case "every":
      return { every: Number(value), depth: undefined, closed: [], opened: [] };
    case "ownColors":
      return { ownColors: !state.ownColors };
    case "size":
    case "fill":
      return { [id]: value === USUAL ? undefined : value };
    case "shapes": {
      const at = value.indexOf(" ");
      const shape = shapes.find((one) => one === value.slice(0, at));
      return shape && { shapes: { ...state.shapes, [value.slice(at + 1)]: shape } };
    }
    case "treemap":
    case "topology": {
      const there = shownIn(state, size.width);
      const other = id === "treemap" ? "topology" : "treemap";
      // One of them is always there; where there is room for one alone, it takes the place of the other.
      if (state.shows === "both")
        return there[id] && there[other] ? { shows: other } : { narrow: there[id] ? other : id };
      return state.shows === id ? { shows: other, narrow: other } : { shows: "both", narrow: id };
    }
    default:
      return cutChoice(id, value, shown);
  }
}
