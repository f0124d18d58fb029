import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import type { Task } from "../../../model/task";
import { type Entities, ROOT, type TypeKind } from "./entities";
import { COLOR, CONTAINER, EVENT_KINDS, type EventDefinition, NAME, TYPE } from "../scan/eventKinds";
import { colorNumber } from "./colors";
import type { PajeFacts } from "./facts";
import type { Fields } from "../scan/fields";
import type { References } from "./references";
import type { Tracks } from "./tracks";

/** Kinds of types in the order of the events that define them. */
const DEFINED: readonly TypeKind[] = ["container", "state", "event", "variable", "link"];
const DEFINE_VALUE = EVENT_KINDS.indexOf("PajeDefineEntityValue");

/** Definition of types and values, and creation and destruction of containers. */
export class Declarations {
  /** Number of containers that were destroyed by a line, also by that of a container around them. */
  destroyed = 0;
  private readonly entities: Entities;
  private readonly children = new Map<number, number[]>();

  constructor(
    private readonly references: References,
    private readonly tracks: Tracks,
    private readonly facts: PajeFacts,
  ) {
    this.entities = references.entities;
  }

  /** Defines a type, or a value of one. */
  define(kind: number, definition: EventDefinition, fields: Fields): boolean {
    const { entities, references } = this;
    const parent = references.type(TYPE, fields);
    if (parent === NONE && kind === DEFINE_VALUE) {
      const found = `a value of the type ${fields.shown(TYPE)}, which is not defined`;
      return references.problem(fields, "of an unknown type", found);
    }
    const name = references.intern(NAME, fields);
    const id = references.id(definition, name, fields);
    if (kind === DEFINE_VALUE) {
      const color = definition.has[COLOR] === 1 ? colorNumber(fields.textOf(COLOR)) : NONE;
      entities.defineValue(parent, id, name, color);
      return true;
    }
    const inContainers = parent !== NONE && entities.types[parent].kind === "container";
    if (!inContainers) {
      const found = `a type in ${fields.shown(TYPE)}, which is not a type of containers: it is put at the top`;
      references.note(fields, "of an unknown type", found);
    }
    if (entities.typeNamed(id) !== NONE) {
      const found = `a second type ${fields.shown(NAME)}: later lines refer to the new one`;
      references.note(fields, "that define a type twice", found);
    }
    const type = { name: entities.tokens.textOf(name), kind: DEFINED[kind], parent: inContainers ? parent : ROOT };
    entities.addType(type, id);
    return true;
  }

  create(seconds: number, definition: EventDefinition, fields: Fields): boolean {
    const { entities, references } = this;
    const type = references.type(TYPE, fields);
    if (type === NONE || entities.types[type].kind !== "container") {
      const found = `a container of the type ${fields.shown(TYPE)}, which is not defined as one`;
      return references.problem(fields, "of an unknown type", found);
    }
    const parent = this.parentOf(type, fields);
    const name = references.intern(NAME, fields);
    const id = references.id(definition, name, fields);
    const before = entities.containerNamed(id);
    if (before !== NONE && Number.isNaN(entities.containerEnd[before])) {
      const found = `a second container ${fields.shown(NAME)}: later lines refer to the new one`;
      references.note(fields, "that create a container twice", found);
    }
    const container = entities.addContainer(name, type, parent, seconds, id);
    entryOf(this.children, parent, () => []).push(container);
    this.facts.container(container);
    return true;
  }

  destroy(seconds: number, fields: Fields): boolean {
    const { entities, references } = this;
    const container = references.container(NAME, fields);
    if (container === NONE) return false;
    if (container === ROOT || !Number.isNaN(entities.containerEnd[container])) {
      const found = `the end of ${fields.shown(NAME)}, which has ended before`;
      return references.problem(fields, "that destroy a container twice", found);
    }
    // A container ends with all that it contains. No recursion, since containers nest to any depth.
    const ending = [container];
    for (let next = ending.pop(); next !== undefined; next = ending.pop()) {
      for (const child of this.children.get(next) ?? []) ending.push(child);
      this.children.delete(next);
      if (!Number.isNaN(entities.containerEnd[next])) continue;
      this.destroyed++;
      this.end(next, seconds);
    }
    return true;
  }

  /** Ends all containers that still exist. */
  finish(seconds: number, task: Pick<Task, "check">): void {
    const { entities } = this;
    for (let container = 0; container < entities.containers; container++) {
      if (container % 1024 === 0) task.check();
      if (Number.isNaN(entities.containerEnd[container])) this.end(container, seconds);
      // Events of a container from after its end.
      else this.tracks.endAll(container, seconds);
    }
  }

  private end(container: number, seconds: number): void {
    this.entities.containerEnd[container] = Math.max(seconds, this.entities.containerStart[container]);
    this.tracks.endAll(container, seconds);
    this.facts.containerEnded(container);
  }

  private parentOf(type: number, fields: Fields): number {
    const { entities, references } = this;
    const parent = entities.containerNamed(fields.token[CONTAINER]);
    if (parent === NONE) {
      const found = `a container in ${fields.shown(CONTAINER)}, which does not exist: it is put at the top`;
      references.note(fields, "of an unknown container", found);
      return ROOT;
    }
    if (entities.types[type].parent !== entities.containerType[parent]) {
      const found = `a container of the type ${fields.shown(TYPE)} in ${fields.shown(CONTAINER)}, which is of another type than defined`;
      references.note(fields, "of a type that does not belong there", found);
    }
    return parent;
  }
}
