import { NONE } from "../../../model/ids";
import { location } from "../../../model/locations";
import { entryOf } from "../../../model/maps";
import { isMpiCall } from "../../../model/mpiNames";
import type { Resource } from "../../../model/resources";
import type { CategoryKind } from "../../../model/trace";
import type { ProfileBuilder } from "../../profileBuilder";
import type { LaneStart, TraceSink } from "../../trace/traceSink";
import { type Entities, ROOT } from "../decode/entities";
import type { LinkFact, PajeFacts } from "../decode/facts";
import { TopologyLinks } from "./topologyLinks";
import type { Tracks } from "../decode/tracks";

/** Categories are numbered in a byte. */
const MOST_CATEGORIES = 250;
/** `rank-3` (SimGrid), `MPI Rank 3`, `rank 3`, `rank3`: nothing else is taken for a rank. */
const RANK = /^(?:MPI[ _-]?)?rank[ _#-]?(\d{1,9})$/i;
/** How much of each there is. */
export interface FactCounts {
  states: number;
  events: number;
  points: number;
  links: number;
  sizes: number;
  places: number;
}

/**
 * Makes lanes, counters, messages and resources of what a trace says. A container is a resource; a state or event type in a
 * container is a lane; a variable in a container is a counter; a link is a message, or a line of the topology.
 */
export class TraceFacts implements PajeFacts {
  readonly counts: FactCounts = { states: 0, events: 0, points: 0, links: 0, sizes: 0, places: 0 };
  /** Set together with the simulation, before its first line. */
  tracks!: Tracks;
  /** Earliest time of the lines so far; set with the simulation. */
  zeroSeconds!: () => number;
  readonly topology: TopologyLinks;
  private readonly resources: { -readonly [Key in keyof Resource]: Resource[Key] }[] = [];
  private resourceOf: number[] = [NONE];
  private laneOf: number[] = [];
  private counterOf: number[] = [];
  private frameOfValue: number[] = [];
  private readonly frameOfPlace = new Map<number, number>();
  private readonly frameOfType = new Map<number, number>();
  private readonly categories = new Map<string, number>();
  private categoryOfValue: number[] = [];

  constructor(
    private readonly entities: Entities,
    private readonly profile: ProfileBuilder,
    private readonly sink: TraceSink,
  ) {
    this.topology = new TopologyLinks(
      entities,
      sink,
      (container) => this.resourceOf[container],
      () => this.zeroSeconds(),
    );
  }

  container(container: number): void {
    const { entities } = this;
    const name = entities.containerNameOf(container);
    const rank = RANK.exec(name);
    const resource = {
      name,
      type: entities.types[entities.containerType[container]].name,
      parent: this.resourceOf[entities.containerParent[container]],
      location: rank ? this.profile.location(location({ rank: Number(rank[1]) })) : NONE,
      startSeconds: entities.containerStart[container],
    };
    this.resources[container] = resource;
    this.resourceOf[container] = this.sink.resource(resource);
  }

  containerEnded(container: number): void {
    if (container !== ROOT) this.resources[container].endSeconds = this.entities.containerEnd[container];
  }

  opened(track: number, seconds: number, value: number, place: number): number {
    const lane = this.laneOf[track] ?? this.addLane(track, "intervals");
    return this.sink.begin(lane, seconds, this.frame(track, value, place), NONE, this.category(track, value));
  }

  closed(handle: number, track: number, _startSeconds: number, endSeconds: number): void {
    this.counts.states++;
    this.sink.end(handle, endSeconds, this.laneOf[track]);
  }

  event(track: number, seconds: number, value: number, place: number): void {
    const lane = this.laneOf[track] ?? this.addLane(track, "instants");
    this.counts.events++;
    this.sink.event(lane, seconds, seconds, this.frame(track, value, place), NONE, this.category(track, value));
  }

  variable(track: number, startSeconds: number, _endSeconds: number, value: number): void {
    this.counts.points++;
    this.sink.point(this.counterOf[track] ?? this.addCounter(track), startSeconds, value);
  }

  link(link: Readonly<LinkFact>): void {
    this.counts.links++;
    if (!Number.isNaN(link.bytes)) this.counts.sizes++;
    if (this.topology.keep(link)) return;
    const from = link.from === NONE ? NONE : this.resourceOf[link.from];
    const to = link.to === NONE ? NONE : this.resourceOf[link.to];
    this.sink.message("message", from, to, link.startSeconds, link.endSeconds, link.bytes, link.tag);
  }

  private addLane(track: number, kind: LaneStart["kind"]): number {
    const container = this.tracks.containerOf(track);
    return (this.laneOf[track] = this.sink.lane({
      name: this.nameOf(track),
      resource: this.resourceOf[container],
      location: container === ROOT ? NONE : this.resources[container].location,
      kind,
    }));
  }

  private addCounter(track: number): number {
    const resource = this.resourceOf[this.tracks.containerOf(track)];
    return (this.counterOf[track] = this.sink.counter(this.typeName(track), "", resource));
  }

  /** `rank-3: MPI_STATE`; a container's name alone is often not enough, the one around it helps (`CPU 3 / worker: State`). */
  private nameOf(track: number): string {
    const { entities, tracks } = this;
    const container = tracks.containerOf(track);
    if (container === ROOT) return this.typeName(track);
    const parent = entities.containerParent[container];
    const own = entities.containerNameOf(container);
    const name = parent === ROOT ? own : `${entities.containerNameOf(parent)} / ${own}`;
    return `${name}: ${this.typeName(track)}`;
  }

  private typeName(track: number): string {
    return this.entities.types[this.tracks.typeOf(track)].name;
  }

  /** A value without a name of its own is shown by its type. */
  private frame(track: number, value: number, place: number): number {
    if (place !== NONE) return this.frameAt(track, value, place);
    if (value === NONE) return this.frameOfTypeOf(track);
    return (this.frameOfValue[value] ??= this.intern(this.entities.valueNameOf(value), track));
  }

  private frameAt(track: number, value: number, place: number): number {
    this.counts.places++;
    const key = value === NONE ? -1 - place - this.tracks.typeOf(track) * 2 ** 21 : value * 2 ** 21 + place;
    return entryOf(this.frameOfPlace, key, () => {
      const { places, tokens } = this.entities;
      const name = value === NONE ? "" : this.entities.valueNameOf(value);
      return this.intern(name, track, tokens.textOf(places.first[place]), places.second[place]);
    });
  }

  private frameOfTypeOf(track: number): number {
    return entryOf(this.frameOfType, this.tracks.typeOf(track), () => this.intern("", track));
  }

  private intern(name: string, track: number, file?: string, line?: number): number {
    const shown = name === "" ? this.typeName(track) : name;
    return this.profile.frames.intern({
      name: shown,
      kind: "region",
      ...(isMpiCall(shown) ? { origin: "mpi" as const } : {}),
      file,
      line,
    });
  }

  /** The state or event type; functions of MPI are communication, and nothing else is guessed from a name. */
  private category(track: number, value: number): number {
    if (value === NONE) return this.categoryNamed(this.typeName(track), "other");
    return (this.categoryOfValue[value] ??= this.categoryNamed(
      this.typeName(track),
      isMpiCall(this.entities.valueNameOf(value)) ? "communication" : "other",
    ));
  }

  private categoryNamed(name: string, kind: CategoryKind): number {
    const key = `${kind} ${name}`;
    return entryOf(this.categories, key, () => {
      const full = this.categories.size >= MOST_CATEGORIES;
      return full ? this.sink.category("further types", "other") : this.sink.category(name, kind);
    });
  }
}
