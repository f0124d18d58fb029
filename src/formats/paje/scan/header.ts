import { EVENT_KINDS, type EventDefinition, type EventKind, eventDefinition } from "./eventKinds";
import type { Problems } from "./problems";

/** More fields than any event has: a longer list is no definition. */
const MOST_FIELDS = 256;
const MOST_DEFINITIONS = 1 << 16;

/** The definitions at the head of a trace: `%EventDef NAME ID`, one `% FIELD TYPE` per field, `%EndEventDef`. */
export class Header {
  /** By event id, where that is small; -1 for none. */
  readonly bySmallId: (EventDefinition | undefined)[] = [];
  private readonly byLargeId = new Map<number, EventDefinition>();
  private open?: { readonly id: number; readonly name: string; readonly fields: { name: string; type: string }[] };
  /** Fields that are in the file and that nothing is read from, by event. */
  readonly unused = new Map<string, Set<string>>();

  constructor(
    private readonly file: string,
    private readonly problems: Problems,
  ) {}

  /** A definition has begun and not ended. */
  get isOpen(): boolean {
    return this.open !== undefined;
  }

  definition(id: number): EventDefinition | undefined {
    return this.bySmallId[id] ?? this.byLargeId.get(id);
  }

  /** @param text the line, from its `%` on */
  readLine(text: string, line: number): void {
    const words = text.slice(1).trim().split(/\s+/, 4);
    const first = words[0].replace(/^%+/, "");
    if (first === "EventDef") this.begin(words, line);
    else if (first === "EndEventDef") {
      if (this.open === undefined)
        this.note(line, "that end no definition", "the end of a definition where none has begun");
      this.end(line);
    } else if (this.open === undefined)
      this.note(line, "outside of definitions", "left out: a field that belongs to no definition");
    else if (words[0] !== "" && this.open.fields.length < MOST_FIELDS)
      this.open.fields.push({ name: words[0], type: words[1] ?? "string" });
  }

  /** An event has come: a definition that did not say that it ends has ended. */
  interrupt(line: number): void {
    if (this.open === undefined) return;
    this.note(
      line,
      "before the end of a definition",
      `an event inside the definition of ${this.open.name}, which has no end`,
    );
    this.end(line);
  }

  private begin([, name, id]: readonly string[], line: number): void {
    if (this.open !== undefined) {
      this.note(
        line,
        "before the end of a definition",
        `a definition inside that of ${this.open.name}, which has no end`,
      );
      this.end(line);
    }
    const number = /^\d{1,9}$/.test(id ?? "") ? Number(id) : -1;
    if (number < 0) this.note(line, "without an id", `left out: the definition of ${shown(name)} without a number`);
    this.open = { id: number, name: name ?? "", fields: [] };
  }

  private end(line: number): void {
    const { open } = this;
    this.open = undefined;
    if (open === undefined || open.id < 0) return;
    const kind = EVENT_KINDS.find((one) => one === open.name);
    if (kind === undefined)
      this.note(
        line,
        "of an unknown event",
        `the event ${shown(open.name)}, which the format does not have: its lines are left out`,
      );
    const definition = kind === undefined ? unknown(open.id) : eventDefinition(open.id, kind, open.fields);
    if (definition.missing.length > 0)
      this.note(
        line,
        "of an event without a field",
        `${open.name} without ${definition.missing.join(" and ")}: its lines are left out`,
      );
    if (this.byLargeId.size < MOST_DEFINITIONS) this.add(definition);
    for (const field of definition.unused) {
      const fields = this.unused.get(definition.kind);
      if (fields === undefined) this.unused.set(definition.kind, new Set([field]));
      else if (fields.size < MOST_FIELDS) fields.add(field);
    }
  }

  private add(definition: EventDefinition): void {
    if (definition.id >= 1024) this.byLargeId.set(definition.id, definition);
    else this.bySmallId[definition.id] = definition;
  }

  private note(line: number, kind: string, message: string): void {
    this.problems.note(`definitions ${kind}`, this.file, { line }, () => message);
  }
}

/** Stands for an event that is defined and not known: its lines are counted, not read. */
function unknown(id: number): EventDefinition {
  return { ...eventDefinition(id, "PajeTraceFile" satisfies EventKind, []), missing: [] };
}

function shown(name = ""): string {
  return name.length <= 60 ? name : `with a name of ${name.length} characters`;
}

const NEWLINE = 10;
const BLANK = 32;
const HASH = 35;
const PERCENT = 37;

/** A trace starts with the definition of an event; only comments and white space stand before it. */
export function isPaje(head: Uint8Array): boolean {
  let at = 0;
  for (; at < head.length; at++) {
    if (head[at] <= BLANK) continue;
    if (head[at] !== HASH) break;
    at = head.indexOf(NEWLINE, at);
    if (at < 0) return false;
  }
  if (head[at] !== PERCENT) return false;
  return /^%[ \t]*EventDef[ \t]+\S/.test(Buffer.from(head.subarray(at, at + 200)).toString("latin1"));
}
