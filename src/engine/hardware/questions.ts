/** What is asked of the machine that was recorded. */
import { defineQuestion } from "../defineQuestion";
import { RequestError } from "../../model/errors";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import { endOfVariables } from "../overview/modelParts";
import { eventStates } from "../traces/eventStates";
import { chosenLocations, movementOf } from "../traces/movement";
import { elementsOf } from "./elements";
import type { Hardware, HardwareElement, HardwareQuery } from "./hardwareApi";
import { joinNeighbours } from "./joined";
import { messageLinks, topologyLinks, transferLinks } from "./links";
import { membersAt } from "../members/membersAt";
import { usesOf } from "./use";

/** Elements beyond which neighbours are joined. */
const MOST = 400;

/** The machine, and how much of a window it was used. @throws RequestError where no hardware was recorded */
export const hardware = defineQuestion(
  async (state, { scope, fromSeconds, toSeconds, categories, most = MOST }: HardwareQuery, task): Promise<Hardware> => {
    const dataSet = await state.withTrace(scope.dataSet, task);
    const { trace } = dataSet;
    const found = elementsOf(dataSet.topology, trace);
    if (found.elements.length === 0) throw new RequestError(`${dataSet.name} has no hardware.`);
    // The run of the treemap: levels hold until their resources end, which may be after the last event.
    const [start, end] = [
      trace?.startSeconds ?? 0,
      trace ? endOfVariables(dataSet.topology?.resources ?? [], trace.endSeconds) : 0,
    ];
    const window = { from: Math.max(start, fromSeconds ?? start), to: Math.min(end, toSeconds ?? end) };
    const isLocationChosen = chosenLocations(dataSet, scope.chosen);
    const isChosen = (lane: number) => isLocationChosen(trace?.lanes[lane].location ?? NONE);
    const asked = trace && { trace, states: eventStates(dataSet, trace, categories), window, isChosen };
    const uses = await usesOf(dataSet, found, asked, task);
    const links = topologyLinks(dataSet, found, uses);
    if (trace && (trace.transfers > 0 || trace.links > 0)) {
      const movement = await movementOf(state.get(scope.dataSet).open, dataSet, trace, task);
      appendAll(links, transferLinks(found, movement, window, isLocationChosen));
      // Where the network was recorded, what goes from host to host goes over that.
      if (links.every(({ of }) => of !== "topology"))
        appendAll(links, await messageLinks(found, trace, movement, window, isLocationChosen, task));
    }
    const elements = found.elements.map(({ name, type, kind, parent, size }, at): HardwareElement => {
      const { share } = uses[at];
      const known = Number.isNaN(share) ? 0 : 1;
      return {
        name,
        type,
        kind,
        parent,
        size,
        together: 1,
        known,
        least: share,
        most: share,
        ...uses[at],
        members: undefined,
      };
    });
    const joined = joinNeighbours(elements, links, most);
    const membersOf = membersAt(dataSet.locations);
    const locationOf = (lane: number) => trace?.lanes[lane].location ?? NONE;
    return {
      startSeconds: start,
      endSeconds: end,
      links: joined.links,
      elements: joined.elements.map((one) => ({ ...one, members: membersOf(one.lanes.map(locationOf)) })),
      recorded: elements.length,
      laneNames: trace?.lanes.map(({ name }) => name) ?? [],
    };
  },
);
