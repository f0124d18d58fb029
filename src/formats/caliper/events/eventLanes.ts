import { NONE } from "../../../model/ids";
import { entryOf, groupBy } from "../../../model/maps";
import { placeName, processName } from "../../trace/placeNames";
import type { TraceBuilder } from "../../trace/traceBuilder";
import type { LaneStart } from "../../trace/traceSink";
import type { EventOwner } from "./eventOwner";
import { UnrankedPlaces } from "./unrankedPlaces";

interface OwnLane {
  readonly place: number;
  /** Attribute whose values the lane shows; empty for regions. */
  readonly of: string;
  readonly kind: LaneStart["kind"];
  readonly lane: number;
}

interface OwnCounter {
  readonly place: number;
  readonly attribute: string;
  readonly counter: number;
}

/** New numbers of what was joined, by the old ones. */
export interface JoinedLanes {
  readonly laneOf: Int32Array;
  readonly counterOf: Int32Array;
}

/** Processes, threads, lanes and counters of one file, by place: a location, or a place without a rank. */
export class EventLanes {
  private readonly resources = new Map<string, number>();
  private readonly lanes = new Map<string, OwnLane>();
  private readonly counters = new Map<string, OwnCounter>();

  constructor(
    private readonly recording: EventOwner,
    private readonly builder: TraceBuilder,
  ) {}

  /** Process or thread of a location. */
  resource(location: number): number {
    const { rank, thread } = this.recording.locations[location];
    const process = this.process(rank, thread === NONE ? location : NONE);
    if (thread === NONE) return process;
    const key = `${rank} ${thread}`;
    const start = { name: `thread ${thread}`, type: "thread", parent: process, location };
    return entryOf(this.resources, key, () => this.builder.resource(start));
  }

  /** @param of attribute whose values the lane shows; empty for regions */
  lane(place: number, of: string, kind: LaneStart["kind"]): number {
    const make = () => ({ place, of, kind, lane: this.builder.lane(this.laneStart(place, of, kind)) });
    return entryOf(this.lanes, laneKey(place, of, kind), make).lane;
  }

  counter(place: number, attribute: string): number {
    return entryOf(this.counters, counterKey(place, attribute), () => {
      // A lane as well, so that the counter moves with the clock of its process.
      this.lane(place, "", "intervals");
      const resource = UnrankedPlaces.has(place) ? place : this.resource(place);
      return { place, attribute, counter: this.builder.counter(attribute, "", resource) };
    }).counter;
  }

  /**
   * Joins lanes and counters of places without a rank with those of their locations.
   *
   * @param locations location of each place
   * @returns undefined if all numbers stay
   */
  join(locations: ReadonlyMap<number, number>): JoinedLanes | undefined {
    const { builder } = this;
    const lanes = groupBy(this.lanes.values(), ({ place, of, kind }) =>
      laneKey(locations.get(place) ?? place, of, kind),
    );
    for (const [{ place, of, kind, lane }] of lanes.values()) {
      const location = locations.get(place);
      if (location !== undefined) builder.lanes[lane] = this.laneStart(location, of, kind);
    }
    const { values } = builder.counters;
    const counters = groupBy(this.counters.values(), ({ place, attribute }) =>
      counterKey(locations.get(place) ?? place, attribute),
    );
    for (const [{ place, counter }] of counters.values()) {
      const location = locations.get(place);
      if (location !== undefined) values[counter] = { ...values[counter], resource: this.resource(location) };
    }
    if (lanes.size === this.lanes.size && counters.size === this.counters.size) return undefined;
    const joinedLanes = [...lanes.values()].map((group) => group.map(({ lane }) => lane));
    const joinedCounters = [...counters.values()].map((group) => group.map(({ counter }) => counter));
    return {
      laneOf: joinedNumbers(builder.lanes.length, joinedLanes),
      counterOf: joinedNumbers(values.length, joinedCounters),
    };
  }

  private laneStart(place: number, of: string, kind: LaneStart["kind"]): LaneStart {
    // Name and process are not known before all records are there.
    if (UnrankedPlaces.has(place)) return { name: of, resource: NONE, location: NONE, kind };
    const name = [placeName(this.recording.locations[place]), ...(of === "" ? [] : [of])].join(": ");
    return { name, resource: this.resource(place), location: place, kind };
  }

  private process(rank: number, location: number): number {
    const start = { name: processName(rank), type: "process", parent: NONE, location };
    const { resources } = this.builder;
    const process = entryOf(this.resources, `${rank}`, () => this.builder.resource(start));
    // Records of a numbered thread may come before those without one.
    if (location !== NONE && resources[process].location === NONE) resources[process] = start;
    return process;
  }
}

function laneKey(place: number, of: string, kind: LaneStart["kind"]): string {
  return JSON.stringify([place, of, kind]);
}

function counterKey(place: number, attribute: string): string {
  return JSON.stringify([place, attribute]);
}

/** New numbers from 0 on, in the order of the old ones. @param groups ascending old numbers that get one new number */
function joinedNumbers(count: number, groups: readonly (readonly number[])[]): Int32Array {
  const firstOf = Int32Array.from({ length: count }, (_, at) => at);
  for (const group of groups) for (const number of group) firstOf[number] = group[0];
  const numbers = new Int32Array(count);
  let next = 0;
  for (let at = 0; at < count; at++) numbers[at] = firstOf[at] === at ? next++ : numbers[firstOf[at]];
  return numbers;
}
