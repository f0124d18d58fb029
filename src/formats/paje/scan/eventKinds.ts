/** The events of the Paje format, the fields that mean something in them, and the names that both have had. */

export const EVENT_KINDS = [
  "PajeDefineContainerType",
  "PajeDefineStateType",
  "PajeDefineEventType",
  "PajeDefineVariableType",
  "PajeDefineLinkType",
  "PajeDefineEntityValue",
  "PajeCreateContainer",
  "PajeDestroyContainer",
  "PajeSetState",
  "PajePushState",
  "PajePopState",
  "PajeResetState",
  "PajeNewEvent",
  "PajeSetVariable",
  "PajeAddVariable",
  "PajeSubVariable",
  "PajeStartLink",
  "PajeEndLink",
  "PajeTraceFile",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** What a field says, whatever it is called. As numbers, since they index columns in the inner loop. */
export const TIME = 0;
export const TYPE = 1;
export const CONTAINER = 2;
export const VALUE = 3;
export const KEY = 4;
export const START_CONTAINER = 5;
export const END_CONTAINER = 6;
export const NAME = 7;
export const ALIAS = 8;
export const FILE = 9;
export const LINE = 10;
export const SIZE = 11;
export const TAG = 12;
export const START_TYPE = 13;
export const END_TYPE = 14;
export const FILE_NAME = 15;
export const COLOR = 16;
/** How many roles have a column. */
export const ROLES = 17;
/** A field that nothing is read from. */
export const UNUSED = 17;

/** Today's names first, then the old ones, then those of SimGrid (`Fname`, `Lnumber`, `Size`). */
const ROLE_OF = new Map<string, number>([
  ["Time", TIME],
  ["Type", TYPE],
  ["Container", CONTAINER],
  ["Value", VALUE],
  ["Key", KEY],
  ["StartContainer", START_CONTAINER],
  ["EndContainer", END_CONTAINER],
  ["Name", NAME],
  ["Alias", ALIAS],
  ["File", FILE],
  ["Line", LINE],
  ["StartContainerType", START_TYPE],
  ["EndContainerType", END_TYPE],
  ["Filename", FILE_NAME],
  ["ContainerType", TYPE],
  ["EntityType", TYPE],
  ["SourceContainerType", START_TYPE],
  ["DestContainerType", END_TYPE],
  ["SourceContainer", START_CONTAINER],
  ["DestContainer", END_CONTAINER],
  ["Fname", FILE],
  ["FileName", FILE_NAME],
  ["Lnumber", LINE],
  ["Linenumber", LINE],
  ["LineNumber", LINE],
  ["Size", SIZE],
  ["Bytes", SIZE],
  ["MessageSize", SIZE],
  ["Tag", TAG],
  ["Color", COLOR],
]);

const TRACED = [TIME, TYPE, CONTAINER];
const REQUIRED: Readonly<Record<EventKind, readonly number[]>> = {
  PajeDefineContainerType: [NAME, TYPE],
  PajeDefineStateType: [NAME, TYPE],
  PajeDefineEventType: [NAME, TYPE],
  PajeDefineVariableType: [NAME, TYPE],
  PajeDefineLinkType: [NAME, TYPE],
  PajeDefineEntityValue: [NAME, TYPE],
  PajeCreateContainer: [TIME, NAME, TYPE, CONTAINER],
  PajeDestroyContainer: [TIME, NAME],
  PajeSetState: [...TRACED, VALUE],
  PajePushState: [...TRACED, VALUE],
  PajePopState: TRACED,
  PajeResetState: TRACED,
  PajeNewEvent: TRACED,
  PajeSetVariable: [...TRACED, VALUE],
  PajeAddVariable: [...TRACED, VALUE],
  PajeSubVariable: [...TRACED, VALUE],
  PajeStartLink: [...TRACED, START_CONTAINER, KEY],
  PajeEndLink: [...TRACED, END_CONTAINER, KEY],
  PajeTraceFile: [FILE_NAME],
};

const LINKS = [VALUE, KEY, START_CONTAINER, END_CONTAINER, FILE, LINE, SIZE, TAG];
/** Beyond what an event requires, what is read from it where it is there. */
const OPTIONAL: Readonly<Record<EventKind, readonly number[]>> = {
  PajeDefineContainerType: [ALIAS],
  PajeDefineStateType: [ALIAS],
  PajeDefineEventType: [ALIAS],
  PajeDefineVariableType: [ALIAS],
  PajeDefineLinkType: [ALIAS, START_TYPE, END_TYPE],
  PajeDefineEntityValue: [ALIAS, COLOR],
  PajeCreateContainer: [ALIAS],
  PajeDestroyContainer: [TYPE],
  PajeSetState: [FILE, LINE],
  PajePushState: [FILE, LINE],
  PajePopState: [],
  PajeResetState: [],
  PajeNewEvent: [VALUE, FILE, LINE],
  PajeSetVariable: [],
  PajeAddVariable: [],
  PajeSubVariable: [],
  PajeStartLink: LINKS,
  PajeEndLink: LINKS,
  PajeTraceFile: [CONTAINER, TYPE],
};

/** How a field is read: as a name that comes again and again, as a number, as a text of its own (a key), not at all. */
export const REFERENCE = 0;
export const NUMBER = 1;
export const HEXADECIMAL = 2;
export const TEXT = 3;
export const SKIPPED = 4;
/** Where in a field's plan its role ends. */
export const ROLE_BITS = 5;

/** One `%EventDef`: which event an id stands for, and where its fields are. */
export interface EventDefinition {
  readonly id: number;
  readonly kind: EventKind;
  /** Position in {@link EVENT_KINDS}; -1 where lines of this id cannot be used. */
  readonly code: number;
  /** Role of each field, in the order of the fields; {@link UNUSED} for those without. */
  readonly roles: Uint8Array;
  /** By field: its role, and above that how it is read. One column, since the scanner asks for both at each field. */
  readonly plan: Uint8Array;
  /** By role: 1 where the event has it. */
  readonly has: Uint8Array;
  /** Fields that must be there: one more than the position of the last required one. */
  readonly needed: number;
  /** Names of fields that nothing is read from, without colours, of which only those of values are read. */
  readonly unused: readonly string[];
  /** Names of required fields that were not declared. */
  readonly missing: readonly string[];
}

const NUMBERS = new Set([TIME, LINE, SIZE, TAG]);

/** @param fields names and types as declared */
export function eventDefinition(
  id: number,
  kind: EventKind,
  fields: readonly { readonly name: string; readonly type: string }[],
): EventDefinition {
  const required = REQUIRED[kind];
  const read = new Set([...required, ...OPTIONAL[kind]]);
  const variable = kind === "PajeSetVariable" || kind === "PajeAddVariable" || kind === "PajeSubVariable";
  const roles = new Uint8Array(fields.length).fill(UNUSED);
  const reading = new Uint8Array(fields.length).fill(SKIPPED);
  const has = new Uint8Array(ROLES + 1);
  const unused: string[] = [];
  let needed = 0;
  fields.forEach(({ name, type }, at) => {
    let role = ROLE_OF.get(name);
    // Only PajeTraceFile names a file to read; elsewhere a file name is where the event happened in the source.
    if (role === FILE_NAME && kind !== "PajeTraceFile") role = FILE;
    if (role === FILE && kind === "PajeTraceFile") role = FILE_NAME;
    if (role === undefined || !read.has(role) || has[role]) {
      if (type !== "color" && name !== "Color") unused.push(name);
      return;
    }
    has[role] = 1;
    roles[at] = role;
    const number = NUMBERS.has(role) || (variable && role === VALUE);
    const text = role === KEY || role === FILE_NAME || role === COLOR ? TEXT : REFERENCE;
    reading[at] = number ? (type === "hex" ? HEXADECIMAL : NUMBER) : text;
    if (required.includes(role)) needed = at + 1;
  });
  const missing = required.filter((role) => !has[role]).map(roleName);
  const code = missing.length > 0 ? -1 : EVENT_KINDS.indexOf(kind);
  const plan = roles.map((role, at) => role | (reading[at] << ROLE_BITS));
  return { id, kind, code, roles, plan, has, needed, unused, missing };
}

function roleName(role: number): string {
  for (const [name, known] of ROLE_OF) if (known === role) return name;
  return "";
}
