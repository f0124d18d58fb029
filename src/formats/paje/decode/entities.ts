/** What a Paje trace declares: types, containers, values, and where lines refer to them. Columns; no object a container. */
import { widened } from "../../../model/columns";
import { FormatError } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import type { StateColors } from "../../../model/stateColors";
import { TokenTable, PAIR_SEED } from "../scan/tokens";
import { PairTable } from "../../../model/pairTable";

export const TYPE_KINDS = ["container", "state", "event", "variable", "link"] as const;
export type TypeKind = (typeof TYPE_KINDS)[number];

/** Bounds of what is kept. A file with more types, containers or bytes of names than that is not what it says. */
const MOST = {
  types: 1 << 16,
  containers: 1 << 20,
  nameBytes: 256 << 20,
  /** Distinct values, and places in the source. Further values share one, and are counted. */
  values: 1 << 20,
};

export interface EntityType {
  readonly name: string;
  readonly kind: TypeKind;
  /** Type of the containers that it belongs to; NONE for the root. */
  readonly parent: number;
}

/** The container and the type that everything is in: both are called `0`, and no line declares them. */
export const ROOT = 0;

export class Entities {
  readonly tokens: TokenTable;
  readonly types: EntityType[] = [];
  /** By token: the type it refers to, NONE for none. Types, containers and values have name spaces of their own. */
  private typeOfToken = new Int32Array(256).fill(NONE);
  private containerOfToken = new Int32Array(256).fill(NONE);

  containers = 0;
  /** Columns by container. */
  containerName = new Int32Array(64);
  containerType = new Int32Array(64);
  containerParent = new Int32Array(64);
  containerStart = new Float64Array(64);
  /** NaN while the container exists. */
  containerEnd = new Float64Array(64);

  /** A value of a type: (type, token) → value. Several tokens (alias and name) may mean one value. */
  private readonly valueKeys = new PairTable(PAIR_SEED);
  private valueOfKey = new Int32Array(256);
  /** By token: the value that it meant last, of whichever type. */
  private latestValue = new Int32Array(256).fill(NONE);
  values = 0;
  /** Token of each value's name. */
  valueName = new Int32Array(256);
  valueType = new Int32Array(256);
  /** 0xRRGGBB; NONE where none was declared. */
  valueColor = new Int32Array(256);
  /** Values that no longer got a number of their own. */
  valuesLeftOut = 0;

  /** A file and a line in the source. */
  readonly places = new PairTable(PAIR_SEED);

  constructor(
    private readonly file: string,
    private readonly most = MOST,
  ) {
    this.tokens = new TokenTable(most.nameBytes, () => this.tooMany(`names of more than ${most.nameBytes} bytes`));
    const root = this.tokens.internText("0");
    this.addType({ name: "0", kind: "container", parent: NONE }, root);
    this.addContainer(root, ROOT, NONE, 0, root);
  }

  typeNamed(token: number): number {
    return token === NONE || token >= this.typeOfToken.length ? NONE : this.typeOfToken[token];
  }

  containerNamed(token: number): number {
    return token === NONE || token >= this.containerOfToken.length ? NONE : this.containerOfToken[token];
  }

  /** @param id token of the alias where it has one, else of the name */
  addType(type: EntityType, id: number): number {
    if (this.types.length === this.most.types) this.tooMany(`more than ${this.most.types} types`);
    this.typeOfToken = reaching(this.typeOfToken, id);
    return (this.typeOfToken[id] = this.types.push(type) - 1);
  }

  /** @param id token of the alias where it has one, else of the name */
  addContainer(name: number, type: number, parent: number, seconds: number, id: number): number {
    const container = this.containers++;
    if (container === this.most.containers) this.tooMany(`more than ${this.most.containers} containers`);
    if (container === this.containerName.length) {
      this.containerName = widened(this.containerName);
      this.containerType = widened(this.containerType);
      this.containerParent = widened(this.containerParent);
      this.containerStart = widened(this.containerStart);
      this.containerEnd = widened(this.containerEnd);
    }
    this.containerName[container] = name;
    this.containerType[container] = type;
    this.containerParent[container] = parent;
    this.containerStart[container] = seconds;
    this.containerEnd[container] = Number.NaN;
    this.containerOfToken = reaching(this.containerOfToken, id);
    return (this.containerOfToken[id] = container);
  }

  containerNameOf(container: number): string {
    return this.tokens.textOf(this.containerName[container]);
  }

  valueNameOf(value: number): string {
    return this.tokens.textOf(this.valueName[value]);
  }

  /** What the file says that states look like; of values of one type and name the first that has a colour. */
  stateColors(): StateColors {
    const colors = new Map<string, Map<string, number>>();
    for (let value = 0; value < this.values; value++) {
      const { name: type, kind } = this.types[this.valueType[value]];
      const color = this.valueColor[value];
      if (kind !== "state" || color === NONE) continue;
      const own = entryOf(colors, type, () => new Map<string, number>());
      const name = this.valueNameOf(value);
      if (!own.has(name)) own.set(name, color);
    }
    return colors;
  }

  /** A declared value: `id` (its alias, else its name) refers to it from now on. */
  defineValue(type: number, id: number, name: number, color = NONE): void {
    const value = this.addValue(type, name, color);
    // What these meant before is no longer true.
    for (const token of [id, name]) if (token < this.latestValue.length) this.latestValue[token] = NONE;
    const known = this.valueKeys.find(type, id);
    if (known !== NONE) this.valueOfKey[known] = value;
    else this.refer(type, id, value);
    // The name refers to it as well, unless that is some other value's alias.
    if (this.valueKeys.find(type, name) === NONE) this.refer(type, name, value);
  }

  /** The value that this token means for a type; one that was not declared is its own name. */
  valueOf(type: number, token: number): number {
    const latest = token < this.latestValue.length ? this.latestValue[token] : NONE;
    if (latest !== NONE && this.valueType[latest] === type) return latest;
    const value = this.findValue(type, token);
    this.latestValue = reaching(this.latestValue, token);
    this.latestValue[token] = value;
    return value;
  }

  private findValue(type: number, token: number): number {
    const key = this.valueKeys.find(type, token);
    if (key !== NONE) return this.valueOfKey[key];
    if (this.values >= this.most.values) {
      this.valuesLeftOut++;
      return NONE;
    }
    const value = this.addValue(type, token);
    this.refer(type, token, value);
    return value;
  }

  /** @returns the place's number, NONE for an unknown one and where there are too many */
  placeOf(file: number, line: number): number {
    const known = this.places.find(file, line);
    return known !== NONE || this.places.size >= this.most.values ? known : this.places.numberOf(file, line);
  }

  private addValue(type: number, name: number, color = NONE): number {
    if (this.values === this.valueName.length) {
      this.valueName = widened(this.valueName);
      this.valueType = widened(this.valueType);
      this.valueColor = widened(this.valueColor);
    }
    const value = this.values++;
    this.valueName[value] = name;
    this.valueType[value] = type;
    this.valueColor[value] = color;
    return value;
  }

  private refer(type: number, token: number, value: number): void {
    const key = this.valueKeys.numberOf(type, token);
    if (key >= this.valueOfKey.length) this.valueOfKey = widened(this.valueOfKey);
    this.valueOfKey[key] = value;
  }

  private tooMany(found: string): never {
    throw new FormatError({
      file: this.file,
      found,
      expected: "a trace whose names fit in memory",
      advice: "The tool that wrote it may have put values into names: look at the first lines of the file.",
    });
  }
}

/** The column, wide enough for this token. */
function reaching(column: Int32Array<ArrayBuffer>, token: number): Int32Array<ArrayBuffer> {
  return token < column.length ? column : widened(column, 2 * token, NONE);
}
