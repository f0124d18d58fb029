/** Declarations of a Paje trace: types, containers, values, and the tokens by which lines refer to them. Columns, not one object per container. */
import { widened } from "../../../model/columns";
import { FormatError } from "../../../model/errors";
import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import type { StateColors } from "../../../model/stateColors";
import { TokenTable, PAIR_SEED } from "../scan/tokens";
import { PairTable } from "../../../model/pairTable";

export const TYPE_KINDS = ["container", "state", "event", "variable", "link"] as const;
export type TypeKind = (typeof TYPE_KINDS)[number];

/** Limits. A file with more types, containers or bytes of names is damaged. */
const MOST = {
  types: 1 << 16,
  containers: 1 << 20,
  nameBytes: 256 << 20,
  /** Distinct values, and places in the source. Further values are counted, and share one number. */
  values: 1 << 20,
};

export interface EntityType {
  readonly name: string;
  readonly kind: TypeKind;
  /** Type of the containers that it belongs to; NONE for the root. */
  readonly parent: number;
}

/** The root container and its type. Both are named `0`, and no line declares them. */
export const ROOT = 0;

export class Entities {
  readonly tokens: TokenTable;
  readonly types: EntityType[] = [];
  /** The type that each token refers to, or NONE. Types, containers and values have separate name spaces. */
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

  /** Values of types: (type, token) → value. Several tokens (alias and name) may refer to one value. */
  private readonly valueKeys = new PairTable(PAIR_SEED);
  private valueOfKey = new Int32Array(256);
  /** The last value that each token referred to, of any type. */
  private latestValue = new Int32Array(256).fill(NONE);
  values = 0;
  /** Token of each value's name. */
  valueName = new Int32Array(256);
  valueType = new Int32Array(256);
  /** 0xRRGGBB. NONE if no colour was declared. */
  valueColor = new Int32Array(256);
  /** Number of values beyond the limit, which share one number. */
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

  /** @param id token of the alias, or of the name if there is no alias */
  addType(type: EntityType, id: number): number {
    if (this.types.length === this.most.types) this.tooMany(`more than ${this.most.types} types`);
    this.typeOfToken = reaching(this.typeOfToken, id);
    return (this.typeOfToken[id] = this.types.push(type) - 1);
  }

  /** @param id token of the alias, or of the name if there is no alias */
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

  /** Declared colours of states. Among values of one type and name the first one with a colour counts. */
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

  /** Adds a declared value, to which `id` (its alias, or else its name) refers from now on. */
  defineValue(type: number, id: number, name: number, color = NONE): void {
    const value = this.addValue(type, name, color);
    // Replaces the earlier meaning of these tokens.
    for (const token of [id, name]) if (token < this.latestValue.length) this.latestValue[token] = NONE;
    const known = this.valueKeys.find(type, id);
    if (known !== NONE) this.valueOfKey[known] = value;
    else this.refer(type, id, value);
    // The name also refers to it, unless it is another value's alias.
    if (this.valueKeys.find(type, name) === NONE) this.refer(type, name, value);
  }

  /** The value of this token for a type. A token that was not declared becomes a value with the token as its name. */
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

  /** @returns the place's number. NONE if it is unknown, or if there are too many */
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

/** The column, enlarged if needed for this token. */
function reaching(column: Int32Array<ArrayBuffer>, token: number): Int32Array<ArrayBuffer> {
  return token < column.length ? column : widened(column, 2 * token, NONE);
}
