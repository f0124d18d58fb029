import { NONE } from "../../../model/ids";
import type { Entities } from "./entities";
import { ALIAS, type EventDefinition, FILE, LINE, VALUE } from "../scan/eventKinds";
import type { Fields } from "../scan/fields";
import type { Problems } from "../scan/problems";

/** What the fields of a line refer to; what refers to nothing is noted. */
export class References {
  constructor(
    readonly entities: Entities,
    private readonly problems: Problems,
  ) {}

  type(role: number, fields: Fields): number {
    return this.entities.typeNamed(fields.token[role]);
  }

  /** @returns NONE where there is no such container, which is noted */
  container(role: number, fields: Fields): number {
    const container = this.entities.containerNamed(fields.token[role]);
    if (container === NONE)
      this.note(
        fields,
        "of an unknown container",
        `left out: the container ${fields.shown(role)}, which does not exist`,
      );
    return container;
  }

  value(type: number, definition: EventDefinition, fields: Fields): number {
    return definition.has[VALUE] ? this.entities.valueOf(type, this.intern(VALUE, fields)) : NONE;
  }

  /** Where in the source it happened, where the event has a file. */
  place(definition: EventDefinition, fields: Fields): number {
    if (!definition.has[FILE] || fields.start[FILE] === fields.end[FILE]) return NONE;
    const line = definition.has[LINE] ? fields.number[LINE] : 0;
    const known = Number.isInteger(line) && line > 0 && line <= 0x7fffffff;
    return this.entities.placeOf(this.intern(FILE, fields), known ? line : 0);
  }

  /** What later lines refer to a new entity by: its alias, else its name. */
  id(definition: EventDefinition, name: number, fields: Fields): number {
    if (!definition.has[ALIAS] || fields.start[ALIAS] === fields.end[ALIAS]) return name;
    return this.intern(ALIAS, fields);
  }

  /** The name in this field; it is added where it is new. */
  intern(role: number, { bytes, start, end, hash, token }: Fields): number {
    const known = token[role];
    return known !== NONE ? known : this.entities.tokens.intern(bytes, start[role], end[role], hash[role]);
  }

  /** Notes that a line is left out. */
  problem(fields: Fields, kind: string, message: string): false {
    this.note(fields, kind, `left out: ${message}`);
    return false;
  }

  note({ file, line }: Fields, kind: string, message: string | (() => string)): void {
    this.problems.note(`lines ${kind}`, file, { line }, typeof message === "string" ? () => message : message);
  }
}
