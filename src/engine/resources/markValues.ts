/** What marks of a topology are as large as, and what they are filled by. */
import type { Task } from "../../model/task";
import type { TimeWindow } from "../scope";
import { isCapacity } from "../hardware/counterUse";
import { type MarkMembers, memberSum } from "./marks";
import type { ResourceTree } from "./resourceTree";
import { integralsOf, type StatesOfLanes, type Variable, type VariableGround } from "./quantities";
import { type NodeShape, nodeShapes, type Resources, type ResourcesQuery, type TopologyMark } from "./resourceApi";

const USED = "_used";
const TIME = "time";
const STATES = "states";

interface Ground extends VariableGround {
  readonly variables: readonly Variable[];
  readonly states: StatesOfLanes;
  /** By node of the tree and state. */
  readonly seconds: Float64Array;
  readonly window: TimeWindow;
  /** By mark: {@link TopologyMark.share}; asked for where something has no capacity. */
  readonly shares: () => Promise<Float64Array | undefined>;
}

export interface MarkValues extends Pick<Resources, "states" | "stateSeconds" | "sizes" | "fills"> {
  readonly marks: readonly Omit<TopologyMark, "within">[];
}

/** Sizes and fillings of marks: each shape has its own, as hosts compute and links take data. */
export async function markValues(
  ground: Ground,
  marks: readonly MarkMembers[],
  { size, fill }: Pick<ResourcesQuery, "size" | "fill">,
  task: Task,
): Promise<MarkValues> {
  const { states, seconds, window } = ground;
  const width = states.names.length;
  const stateSeconds = new Float64Array(marks.length * width);
  marks.forEach(({ members }, mark) => {
    for (const member of members)
      for (let state = 0; state < width; state++) stateSeconds[mark * width + state] += seconds[member * width + state];
  });
  const sizes = byShape((shape) => sizeOf(ground, marks, shape, size));
  const fills = byShape((shape) => fillOf(ground, marks, shape, fill, sizes[shape]));
  const columns = new Map<string, Awaited<ReturnType<typeof integralsOf>>>();
  for (const name of new Set([...Object.values(sizes), ...Object.values(fills)])) {
    const variable = ground.variables.find((one) => one.name === name);
    if (variable) columns.set(name, await integralsOf(ground, variable, window, task));
  }
  const length = window.to - window.from;
  const mean = (mark: MarkMembers, name: string) => {
    const column = columns.get(name);
    return column && length > 0 ? memberSum(mark, column.sums, column.known) / length : NaN;
  };
  const isTimed = ({ shape }: MarkMembers) => sizes[shape] === TIME || sizes[shape] === "";
  const shares = marks.some(isTimed) ? await ground.shares() : undefined;
  return {
    marks: marks.map((mark, at) => {
      const time = timeOf(stateSeconds, at, width);
      // Nothing runs on most parts of a machine of which anybody knows: they are there all the same.
      const isIdlePart = isTimed(mark) && time === 0 && isPart(ground.tree, mark);
      return {
        node: mark.node,
        shape: mark.shape,
        together: mark.members.length,
        size: isIdlePart ? NaN : sizes[mark.shape] === TIME ? time : mean(mark, sizes[mark.shape]),
        used: mean(mark, fills[mark.shape]),
        share: isIdlePart && shares ? shares[at] : NaN,
      };
    }),
    states: states.drawn,
    stateSeconds,
    sizes,
    fills,
  };
}

function byShape(of: (shape: NodeShape) => string): Record<NodeShape, string> {
  const [square, diamond, circle] = nodeShapes.map(of);
  return { square, diamond, circle };
}

function isPart({ kinds }: ResourceTree, { members }: MarkMembers): boolean {
  return members.every((member) => kinds[member] !== undefined && kinds[member] !== "zone");
}

function timeOf(stateSeconds: Float64Array, mark: number, width: number): number {
  let sum = 0;
  for (let state = 0; state < width; state++) sum += stateSeconds[mark * width + state];
  return width > 0 ? sum : NaN;
}

/** The capacity that most of its resources have, else their time; "" where nothing is known. */
function sizeOf(ground: Ground, marks: readonly MarkMembers[], shape: NodeShape, wanted: string | undefined): string {
  const known = variablesAt(ground, marks, shape);
  if (wanted === TIME || (wanted !== undefined && known.has(wanted))) return wanted;
  const used = [...known.keys()].filter((name) => known.has(`${name}${USED}`));
  const capacities = [...used, ...[...known.keys()].filter(isCapacity)];
  capacities.sort((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0));
  return capacities.at(0) ?? (ground.states.lanes.length > 0 ? TIME : "");
}

function fillOf(
  ground: Ground,
  marks: readonly MarkMembers[],
  shape: NodeShape,
  wanted: string | undefined,
  size: string,
): string {
  const known = variablesAt(ground, marks, shape);
  if (wanted === STATES || (wanted !== undefined && known.has(wanted))) return wanted;
  if (known.has(`${size}${USED}`)) return `${size}${USED}`;
  return ground.states.lanes.length > 0 ? STATES : "";
}

/** Names of variables of what is drawn in a shape, with how many have them. */
function variablesAt({ trace, tree, variables }: Ground, marks: readonly MarkMembers[], shape: NodeShape) {
  const isIn = new Uint8Array(tree.parent.length);
  for (const mark of marks) if (mark.shape === shape) for (const member of mark.members) isIn[member] = 1;
  const counts = new Map<string, number>();
  for (const { name, counters } of variables) {
    const count = counters.filter((counter) => isIn[tree.ofResource[trace.counters[counter].resource]]).length;
    if (count > 0) counts.set(name, count);
  }
  return counts;
}
