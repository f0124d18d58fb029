/**
 * Writes `.cali` streams for tests: nodes where they are first needed, ids that are neither dense nor sorted, as
 * Caliper's own are.
 */
export interface WrittenAttribute {
  readonly name: string;
  readonly type: "int" | "uint" | "double" | "string" | "bool" | "addr";
  readonly properties: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

const TYPE_IDS = { int: 1, uint: 2, string: 3, addr: 4, double: 5, bool: 6 };

export const region: WrittenAttribute = { name: "region", type: "string", properties: 276 };
export const loop: WrittenAttribute = { name: "loop", type: "string", properties: 276 };
export const mpiFunction: WrittenAttribute = { name: "mpi.function", type: "string", properties: 276 };
export const rank: WrittenAttribute = { name: "mpi.rank", type: "int", properties: 77 };
export const thread: WrittenAttribute = { name: "omp.thread.id", type: "int", properties: 85 };
export const durationNs: WrittenAttribute = {
  name: "time.duration.ns",
  type: "uint",
  properties: 2133,
  metadata: { "time.unit": "nsec" },
};
export const time: WrittenAttribute = {
  name: "sum#sum#time.duration",
  type: "double",
  properties: 2113,
  metadata: { "attribute.alias": "time", "attribute.unit": "sec" },
};
export const samplerCount: WrittenAttribute = { name: "count", type: "uint", properties: 2113 };
export const channel: WrittenAttribute = { name: "cali.channel", type: "string", properties: 1612 };
export const worldSize: WrittenAttribute = { name: "mpi.world.size", type: "int", properties: 1612 };

/** A name with its attribute, from the root to the leaf. */
export type Branch = readonly (readonly [WrittenAttribute, string])[];

export class CaliWriter {
  readonly lines: string[] = [];
  private readonly ids = new Map<string, string>();
  private next = 12n;

  constructor(
    /** Where ids start. */
    first = 12n,
    private readonly step = 7n,
  ) {
    this.next = first;
  }

  /** Id of the node that defines an attribute. */
  attribute({ name, type, properties, metadata }: WrittenAttribute): string {
    let parent = String(TYPE_IDS[type]);
    for (const [key, value] of Object.entries(metadata ?? {})) {
      const described = this.attribute({ name: key, type: "string", properties: 64 });
      parent = this.node(described, value, parent);
    }
    return this.node("8", name, this.node("10", String(properties), parent));
  }

  /** Id of the leaf of a branch. */
  branch(branch: Branch): string | undefined {
    let parent: string | undefined;
    for (const [attribute, data] of branch) parent = this.node(this.attribute(attribute), data, parent);
    return parent;
  }

  snapshot(branches: readonly Branch[], values: readonly (readonly [WrittenAttribute, string | number])[]): void {
    this.record("ctx", branches, values);
  }

  globals(values: readonly (readonly [WrittenAttribute, string])[]): void {
    this.record("globals", [values], []);
  }

  text(): string {
    return this.lines.map((line) => `${line}\n`).join("");
  }

  private record(
    kind: string,
    branches: readonly Branch[],
    values: readonly (readonly [WrittenAttribute, string | number])[],
  ): void {
    const references = branches.map((one) => this.branch(one)).filter((id) => id !== undefined);
    const attributes = values.map(([attribute]) => this.attribute(attribute));
    const parts = [`__rec=${kind}`];
    if (references.length > 0) parts.push(`ref=${references.join("=")}`);
    if (values.length > 0)
      parts.push(`attr=${attributes.join("=")}`, `data=${values.map(([, value]) => escape(String(value))).join("=")}`);
    this.lines.push(parts.join(","));
  }

  private node(attribute: string, data: string, parent: string | undefined): string {
    const key = JSON.stringify([attribute, data, parent]);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = String(this.next);
    this.next += this.step;
    this.ids.set(key, id);
    this.lines.push(
      `__rec=node,id=${id},attr=${attribute},data=${escape(data)}${parent === undefined ? "" : `,parent=${parent}`}`,
    );
    return id;
  }
}

export function escape(text: string): string {
  return text.replace(/[\\,=]/g, (sign) => `\\${sign}`).replaceAll("\n", "\\n");
}

/** The branch of these regions. */
export function regions(...names: string[]): Branch {
  return names.map((name) => [region, name] as const);
}
