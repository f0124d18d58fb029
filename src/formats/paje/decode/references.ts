import { NONE } from "../../../model/ids";
import type { Entities } from "./entities";
import { ALIAS, type EventDefinition, FILE, LINE, VALUE } from "../scan/eventKinds";
import type { Fields } from "../scan/fields";
import type { Problems } from "../scan/problems";

/** Resolves references in the fields of a line. Notes those that are unknown. */
export class References {
  constructor(
    readonly entities: Entities,
    private readonly problems: Problems,
  ) {}

  type(role: number, fields: Fields): number {
    return this.entities.typeNamed(fields.token[role]);
  }

  /** @returns NONE for an unknown container, which is noted */
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

  /** Place in the source. NONE if the event has no file. */
  place(definition: EventDefinition, fields: Fields): number {
    if (!definition.has[FILE] || fields.start[FILE] === fields.end[FILE]) return NONE;
    const line = definition.has[LINE] ? fields.number[LINE] : 0;
    const known = Number.isInteger(line) && line > 0 && line <= 0x7fffffff;
    return this.entities.placeOf(this.intern(FILE, fields), known ? line : 0);
  }

  /** Token by which later lines refer to a new entity: its alias, or else its name. */
  id(definition: EventDefinition, name: number, fields: Fields): number {
    if (!definition.has[ALIAS] || fields.start[ALIAS] === fields.end[ALIAS]) return name;
    return this.intern(ALIAS, fields);
  }

  /** Token of the name in this field. Adds it if it is new. */
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
