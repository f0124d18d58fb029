import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import { Declarations } from "./declarations";
import type { Entities, TypeKind } from "./entities";
import {
  CONTAINER,
  END_CONTAINER,
  EVENT_KINDS,
  type EventDefinition,
  type EventKind,
  START_CONTAINER,
  TIME,
  TYPE,
  VALUE,
} from "../scan/eventKinds";
import type { PajeFacts } from "./facts";
import type { Fields } from "../scan/fields";
import { LinkMatcher } from "./linkMatcher";
import type { Problems } from "../scan/problems";
import { References } from "./references";
import type { TokenTable } from "../scan/tokens";
import { TraceTime } from "../scan/traceTime";
import { Tracks } from "./tracks";

const code = (kind: EventKind) => EVENT_KINDS.indexOf(kind);
const SET_STATE = code("PajeSetState");
const PUSH_STATE = code("PajePushState");
const POP_STATE = code("PajePopState");
const RESET_STATE = code("PajeResetState");
const NEW_EVENT = code("PajeNewEvent");
const SET_VARIABLE = code("PajeSetVariable");
const SUB_VARIABLE = code("PajeSubVariable");
const START_LINK = code("PajeStartLink");
const END_LINK = code("PajeEndLink");
const CREATE_CONTAINER = code("PajeCreateContainer");
const DESTROY_CONTAINER = code("PajeDestroyContainer");
const TRACE_FILE = code("PajeTraceFile");
/** Kind of type for each event. */
const EXPECTED: readonly (TypeKind | undefined)[] = EVENT_KINDS.map((kind) => {
  if (kind.startsWith("PajeDefine")) return undefined;
  return (["state", "variable", "event", "link"] as const).find((type) => kind.toLowerCase().endsWith(type));
});

/**
 * Carries out the events of a trace, line by line, and reports the facts (formats 4.1). Lenient: lines that a strict tool refuses are noted as
 * problems, and reading continues. All times are on the clock of {@link TraceTime}.
 */
export class Simulation {
  /** The earliest time of all lines, which is the trace's zero (semantics 9); Infinity before the first one. */
  earliestSeconds = Number.POSITIVE_INFINITY;
  /** The latest time of all lines, at which everything ends that has no end. */
  lastSeconds = Number.NEGATIVE_INFINITY;
  /** The latest time of skipped lines. */
  passedSeconds = Number.NEGATIVE_INFINITY;
  /** Number of lines with an effect. */
  records = 0;
  readonly time = new TraceTime();
  readonly tracks: Tracks;
  readonly links: LinkMatcher;
  readonly declarations: Declarations;
  private readonly references: References;

  constructor(
    private readonly entities: Entities,
    private readonly facts: PajeFacts,
    problems: Problems,
  ) {
    this.references = new References(entities, problems);
    this.tracks = new Tracks(facts);
    this.links = new LinkMatcher(facts, problems);
    this.declarations = new Declarations(this.references, this.tracks, facts);
  }

  /** Whether all containers have ended, which is so at the end of a complete trace. */
  get isComplete(): boolean {
    return this.declarations.destroyed >= this.entities.containers - 1;
  }

  /** Names, by which lines refer to types, containers and values. */
  get tokens(): TokenTable {
    return this.entities.tokens;
  }

  /** @returns false if the line could not be read. The reason is noted */
  carryOut(definition: EventDefinition, fields: Fields): boolean {
    const kind = definition.code;
    if (kind === TRACE_FILE) return true;
    if (kind < CREATE_CONTAINER) return this.declarations.define(kind, definition, fields);
    const seconds = fields.number[TIME];
    if (!Number.isFinite(seconds))
      return this.references.problem(fields, "without a time", "a line whose time is no number");
    const done =
      kind > DESTROY_CONTAINER
        ? this.trace(kind, seconds, definition, fields)
        : kind === CREATE_CONTAINER
          ? this.declarations.create(seconds, definition, fields)
          : this.declarations.destroy(seconds, fields);
    if (done) this.happened(seconds);
    return done;
  }

  /** Notes a skipped line of this time. */
  passed(seconds: number): void {
    if (seconds > this.passedSeconds) this.passedSeconds = seconds;
    this.counted(seconds);
  }

  /**
   * Carries out a line of states, if its names are known and it has no problem.
   *
   * @param type, container, value tokens
   * @returns false if the line was not carried out
   */
  stateAt(kind: number, seconds: number, type: number, container: number, value: number): boolean {
    const { entities, tracks } = this;
    const owner = entities.containerNamed(container);
    const own = entities.typeNamed(type);
    if (owner === NONE || own === NONE || entities.types[own].kind !== "state") return false;
    const track = tracks.find(owner, own);
    // Problems of a track are noted at its first line.
    if (track === NONE || track >= tracks.checked || !Number.isNaN(entities.containerEnd[owner])) return false;
    if (!(seconds >= tracks.lastSeconds[track])) return false;
    if (kind === POP_STATE) {
      if (!tracks.pop(track, seconds)) return false;
    } else {
      if (kind !== PUSH_STATE) tracks.reset(track, seconds);
      if (kind !== RESET_STATE) tracks.push(track, seconds, entities.valueOf(own, value), NONE);
    }
    tracks.lastSeconds[track] = seconds;
    this.counted(seconds);
    return true;
  }

  /** Ends all containers that still exist. */
  finish(task: Pick<Task, "check">): void {
    this.declarations.finish(this.lastSeconds, task);
    this.links.finish(task);
  }

  private counted(seconds: number): void {
    this.happened(seconds);
    this.records++;
  }

  private happened(seconds: number): void {
    if (seconds > this.lastSeconds) this.lastSeconds = seconds;
    if (seconds < this.earliestSeconds) this.earliestSeconds = seconds;
  }

  private trace(kind: number, seconds: number, definition: EventDefinition, fields: Fields): boolean {
    const { entities, references, tracks } = this;
    const container = references.container(CONTAINER, fields);
    if (container === NONE) return false;
    const type = references.type(TYPE, fields);
    if (type === NONE) {
      const found = `the type ${fields.shown(TYPE)}, which is not defined`;
      return references.problem(fields, "of an unknown type", found);
    }
    if (entities.types[type].kind !== EXPECTED[kind]) {
      const found = `${EVENT_KINDS[kind]} of ${fields.shown(TYPE)}, which is a type of kind ${entities.types[type].kind}`;
      return references.problem(fields, "of a type of another kind", found);
    }
    if (kind === START_LINK || kind === END_LINK) {
      const end = references.container(kind === START_LINK ? START_CONTAINER : END_CONTAINER, fields);
      if (end === NONE) return false;
      const value = references.value(type, definition, fields);
      this.links.side(kind === START_LINK, container, type, end, seconds, value, definition, fields);
      return true;
    }
    const track = tracks.of(container, type);
    if (track === tracks.checked) this.checkNew(container, type, fields);
    if (!Number.isNaN(entities.containerEnd[container])) {
      const found = `an event of ${fields.shown(CONTAINER)} after its end`;
      references.note(fields, "after the end of their container", found);
    }
    if (seconds >= tracks.lastSeconds[track]) {
      tracks.lastSeconds[track] = seconds;
      return this.onTrack(track, kind, seconds, type, definition, fields);
    }
    return this.late(track, kind, seconds, type, definition, fields);
  }

  private onTrack(
    track: number,
    kind: number,
    seconds: number,
    type: number,
    definition: EventDefinition,
    fields: Fields,
  ): boolean {
    const { tracks, references } = this;
    if (kind === PUSH_STATE || kind === SET_STATE) {
      if (kind === SET_STATE) tracks.reset(track, seconds);
      const value = references.value(type, definition, fields);
      tracks.push(track, seconds, value, references.place(definition, fields));
    } else if (kind === POP_STATE) {
      if (!tracks.pop(track, seconds))
        return references.problem(fields, "that end a state where none is", "the end of a state where none has begun");
    } else if (kind === RESET_STATE) tracks.reset(track, seconds);
    else if (kind === NEW_EVENT) {
      const value = references.value(type, definition, fields);
      this.facts.event(track, seconds, value, references.place(definition, fields));
    } else return this.change(track, kind, seconds, fields);
    return true;
  }

  private change(track: number, kind: number, seconds: number, fields: Fields): boolean {
    const { tracks, references } = this;
    const value = fields.number[VALUE];
    if (!Number.isFinite(value))
      return references.problem(fields, "whose value is no number", "a value that is no number");
    if (kind === SET_VARIABLE) {
      tracks.set(track, seconds, value);
      return true;
    }
    if (!tracks.hasValue(track)) {
      const found = "an addition to a variable that has no value yet: it counts from 0";
      references.note(fields, "that add to a variable without a value", found);
    }
    tracks.add(track, seconds, kind === SUB_VARIABLE ? -value : value);
    return true;
  }

  /**
   * Handles a time before that of an earlier line. An event, or a value that is set, keeps its time. A stack of states, and a sum of additions,
   * depend on earlier lines, so their lines get a time after these.
   */
  private late(
    track: number,
    kind: number,
    seconds: number,
    type: number,
    definition: EventDefinition,
    fields: Fields,
  ): boolean {
    const { tracks } = this;
    const last = tracks.lastSeconds[track];
    const found = () =>
      `the time ${this.time.textOf(seconds)}, after ${this.time.textOf(last)} of the same type in the same container`;
    this.references.note(fields, "with a time before the one of an earlier line", found);
    if (kind === SET_VARIABLE && Number.isFinite(fields.number[VALUE])) {
      tracks.setLate(track, seconds, fields.number[VALUE]);
      return true;
    }
    return this.onTrack(track, kind, kind === NEW_EVENT ? seconds : last, type, definition, fields);
  }

  /** Notes, once per track, a type that belongs to other containers. */
  private checkNew(container: number, type: number, fields: Fields): void {
    this.tracks.checked++;
    if (this.entities.types[type].parent === this.entities.containerType[container]) return;
    const found = `the type ${fields.shown(TYPE)} in ${fields.shown(CONTAINER)}, which is of another type than defined`;
    this.references.note(fields, "of a type that does not belong there", found);
  }
}
