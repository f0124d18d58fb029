/** What is asked of the resources of a recording. */
import type { DataSet } from "../../model/dataSet";
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { groupBy } from "../../model/maps";
import type { Task } from "../../model/task";
import type { Trace } from "../../model/trace";
import { defineQuestion } from "../defineQuestion";
import { membersAt } from "../members/membersAt";
import { endOfVariables } from "../overview/modelParts";
import type { TimeWindow } from "../scope";
import { eventStates } from "../traces/eventStates";
import { chosenLocations, type Movement, messageSides, messageSums, movementOf } from "../traces/movement";
import { laneOfResource } from "../traces/timeline";
import { type ShownCut, shownCut } from "./cut";
import { machineOf, transfersBetween, usedShares } from "./machineUse";
import { type Connection, edgesOf, insideMarks, insides, marksOf, usualShape } from "./marks";
import { markValues } from "./markValues";
import {
  chosenQuantity,
  integralsOf,
  nameIn,
  quantitiesOf,
  type StatesOfLanes,
  statesOfLanes,
  stateSums,
  variablesOf,
} from "./quantities";
import type { NodeShape, ResourceNode, Resources, ResourcesQuery, TopologyLayoutQuery } from "./resourceApi";
import { type ResourceTree, resourceTree } from "./resourceTree";
import { layTopologyOut } from "./topologyLayout";

/** The latest hierarchy of each recording. */
const trees = new WeakMap<DataSet, { readonly every: number; readonly tree: ResourceTree }>();

function treeOf(dataSet: DataSet, every: number): ResourceTree {
  const known = trees.get(dataSet);
  if (known?.every === every) return known.tree;
  const tree = resourceTree(dataSet.topology?.resources ?? [], dataSet.trace, every);
  trees.set(dataSet, { every, tree });
  return tree;
}

/** What each resource has of a quantity in a window, at a cut of their hierarchy. @throws RequestError where there are none */
export const resourceAreas = defineQuestion(
  async (state, query: ResourcesQuery, task): Promise<Resources> => {
    const { scope, fromSeconds, toSeconds, every = 0, shapes = {} } = query;
    const dataSet = await state.withTrace(scope.dataSet, task);
    const { trace } = dataSet;
    if (!trace) throw new RequestError(`${dataSet.name} has neither events nor variables.`);
    const tree = treeOf(dataSet, every);
    if (tree.parent.length < 2) throw new RequestError(`${dataSet.name} names no resources.`);
    const cut = shownCut(tree, query.cut);
    const [start, end] = [trace.startSeconds, endOfVariables(dataSet.topology?.resources ?? [], trace.endSeconds)];
    const window = { from: Math.max(start, fromSeconds ?? start), to: Math.min(end, toSeconds ?? end) };
    const isChosen = chosenLocations(dataSet, scope.chosen);
    const isLaneChosen = (lane: number) => isChosen(trace.lanes[lane].location);
    const asked = { trace, states: eventStates(dataSet, trace, query.categories), window, isChosen: isLaneChosen };
    const states = statesOfLanes(dataSet, trace, asked.states, query, isLaneChosen);
    const machine = machineOf(dataSet, tree);
    const variables = variablesOf(trace, dataSet.topology?.resources ?? []);
    const ends = (dataSet.topology?.resources ?? []).map(({ endSeconds }) => endSeconds ?? Infinity);
    const quantities = quantitiesOf(states, variables);
    const quantity = chosenQuantity(quantities, query.quantity);
    const sums = await stateSums(trace, tree, states, { ...window, isLast: window.to >= end }, asked.states, task);
    const shapeOf = (node: number) => {
      const type = tree.types[node];
      return Object.hasOwn(shapes, type) ? shapes[type] : usualShape(tree.kinds[node]);
    };
    const cutMarks = marksOf(tree, cut, shapeOf);
    const { marks, ...drawnBy } = await markValues(
      {
        trace,
        ends,
        tree,
        variables,
        states,
        seconds: sums.seconds,
        window,
        shares: async () =>
          machine &&
          usedShares(dataSet, machine, tree, cutMarks.marks, cut.nodes, { ...asked, computing: sums.computing }, task),
      },
      cutMarks.marks,
      query,
      task,
    );
    const { parts, values } = await partsOf(quantities.at(quantity)?.id);
    return {
      startSeconds: start,
      endSeconds: end,
      fromSeconds: window.from,
      toSeconds: window.to,
      quantities,
      quantity,
      stateTypes: states.stateTypes,
      stateType: states.stateType,
      parts,
      nodes: nodesOf(dataSet, trace, tree, cut, states),
      values: Float64Array.from({ length: cut.nodes.length * parts.length }, (_, at) => {
        const part = at % parts.length;
        return values[cut.nodes[(at - part) / parts.length] * parts.length + part];
      }),
      ...drawnBy,
      ...(await connections()),
      variables: variables.map(({ name, unit }) => ({ name, unit })),
      types: shapesOfTypes(tree, shapeOf),
      depth: cut.depth,
      deepest: tree.deepest,
    };

    /** Links of the recording; where it has none, messages of the window; copies between devices; and parts of machines in each other. */
    async function connections(): Promise<Pick<Resources, "marks" | "edges">> {
      const markOf = (node: number) => cutMarks.markOf[node];
      const inside = edgesOf("inside", insides(cutMarks, tree, cut), markOf);
      const links = (dataSet.topology?.links ?? []).map(({ from, to }) => ({
        from: tree.ofResource[from],
        to: tree.ofResource[to],
        together: 1,
        bytes: NaN,
      }));
      const recorded = edgesOf("links", links, markOf);
      if (!trace || (trace.links <= trace.arrows && trace.transfers === 0))
        return { marks: marks.map((mark) => ({ ...mark, within: 0 })), edges: [...recorded, ...inside] };
      const movement = await movementOf(state.get(scope.dataSet).open, dataSet, trace, task);
      const hasMessages = links.length === 0 && trace.links > trace.arrows;
      const moved = [
        ...(hasMessages ? await messagesBetween(dataSet, trace, tree, movement, window, task) : []),
        ...(machine ? transfersBetween(machine, movement, asked, isChosen) : []),
      ];
      const within = insideMarks(moved, markOf, marks.length);
      return {
        marks: marks.map((mark, at) => ({ ...mark, within: within[at] })),
        edges: [...recorded, ...edgesOf("messages", moved, markOf), ...inside],
      };
    }

    async function partsOf(id: Resources["quantities"][number]["id"] | undefined) {
      if (id === "time") return { parts: states.drawn, values: sums.seconds };
      if (id === "count") return { parts: states.drawn, values: sums.events };
      if (id === undefined || !trace) return { parts: [], values: new Float64Array(0) };
      const name = nameIn(id);
      const own = states.names.indexOf(name);
      if (id.startsWith("state")) {
        const width = states.names.length;
        const column = sums.seconds.filter((_, at) => at % width === own);
        return { parts: [states.drawn[own]], values: column };
      }
      const variable = variables.find((one) => one.name === name);
      if (!variable) throw new RequestError(`There is no variable '${name}'.`);
      const { sums: integrals } = await integralsOf({ trace, ends, tree }, variable, window, task);
      return { parts: [{ name, readable: name, kind: NONE, color: NONE }], values: integrals };
    }
  },
  ({ values, stateSeconds }) => [values, stateSeconds].map(({ buffer }) => buffer as ArrayBuffer),
);

/** Of what may be a mark. */
function shapesOfTypes({ types }: ResourceTree, shapeOf: (node: number) => NodeShape): Resources["types"] {
  const shapes = new Map<string, NodeShape>();
  types.forEach((type, node) => type !== "" && !shapes.has(type) && shapes.set(type, shapeOf(node)));
  return [...shapes].map(([type, shape]) => ({ type, shape }));
}

function nodesOf(
  { locations }: DataSet,
  trace: Trace,
  tree: ResourceTree,
  { nodes, isClosed, shownAs }: ShownCut,
  states: StatesOfLanes,
): ResourceNode[] {
  const indexOf = new Map(Array.from(nodes, (node, at) => [node, at]));
  const lanes = groupBy(states.lanes, (lane) => shownAs[tree.ofLane[lane]]);
  const membersOf = membersAt(locations);
  return Array.from(nodes, (node, at): ResourceNode => {
    const own = lanes.get(at) ?? [];
    const parent = tree.parent[node];
    return {
      id: node,
      key: tree.keys[node],
      name: tree.names[node],
      type: tree.types[node],
      depth: tree.depth[node],
      parent: parent === NONE ? NONE : (indexOf.get(parent) ?? NONE),
      isClosed: isClosed[at] === 1,
      leaves: tree.leaves[node],
      lanes: own,
      members: membersOf(own.map((lane) => trace.lanes[lane].location)),
    };
  });
}

/** Messages of the window from side to side, as connections of nodes. */
async function messagesBetween(
  dataSet: DataSet,
  trace: Trace,
  { ofLane, ofResource }: ResourceTree,
  { contexts }: Movement,
  window: TimeWindow,
  task: Task,
): Promise<Connection[]> {
  const rows = await messageSums(trace, contexts.ofMessage, { fromSeconds: window.from, toSeconds: window.to }, task);
  const hasBytes = rows.bytes.some((bytes) => bytes > 0);
  // What a rank sends comes from its main thread, wherever that stands in the tree; of counters alone it has a leaf, too.
  const laneOf = laneOfResource(dataSet, trace);
  const leafOf = (resource: number) => (laneOf[resource] === NONE ? NONE : ofLane[laneOf[resource]]);
  const sideOf = (resource: number) => (leafOf(resource) === NONE ? ofResource[resource] : leafOf(resource));
  const messages: Connection[] = [];
  for (let row = 0; row < rows.rows; row++) {
    const [from, to] = [rows.from[row], rows.to[row]];
    if (messageSides[rows.side[row]] === "collective" || from === NONE || to === NONE) continue;
    const bytes = hasBytes ? rows.bytes[row] : NaN;
    messages.push({ from: sideOf(from), to: sideOf(to), together: rows.count[row], bytes });
  }
  return messages;
}

/** Where marks of a topology are drawn: forces that have come to rest, the same for the same question. */
export const topologyLayout = defineQuestion(
  (_, query: TopologyLayoutQuery, task) => layTopologyOut(query, task),
  ({ x, y }) => [x, y].map(({ buffer }) => buffer as ArrayBuffer),
);
