/** The hardware among the resources of a recording: what is in what, and which lanes run on it. Pure. */
import { hardwareKindOf, type HardwareKind } from "../../model/hardware";
import { NONE } from "../../model/ids";
import type { Resource, Topology } from "../../model/resources";
import type { Trace } from "../../model/trace";
import { formatValue } from "../../model/units";

/** A part of the machine as it was recorded. */
export interface Element {
  readonly name: string;
  readonly type: string;
  readonly kind: HardwareKind;
  readonly parent: number;
  readonly size: string;
  /** The operating system's number of a hardware thread; NONE: not known. */
  readonly number: number;
}

export interface Elements {
  readonly elements: readonly Element[];
  /** By resource: the element that it is, or the nearest one around it; NONE: none. */
  readonly ofResource: Int32Array;
  /** By lane: the element that it runs on; NONE: not known. */
  readonly ofLane: Int32Array;
  /** By the tool's number of a device: its element. */
  readonly ofDevice: ReadonlyMap<number, number>;
  /** The one machine that runs everything; NONE: there are several. */
  readonly host: number;
}

/** What is shown where a recording has devices, and nothing of what they are in. */
const HOST: Element = { name: "host", type: "host", kind: "machine", parent: NONE, size: "", number: NONE };

export function elementsOf(
  topology: Topology | undefined,
  trace: Pick<Trace, "lanes" | "transfers"> | undefined,
): Elements {
  const resources = topology?.resources ?? [];
  const kinds = kindsOf(resources);
  const elements: Element[] = [];
  const ofResource = new Int32Array(resources.length).fill(NONE);
  const hasMachine = kinds.includes("machine");
  const hasGpu = kinds.includes("GPU");
  if (!hasMachine && hasGpu && (trace?.lanes.length ?? 0) > 0) elements.push(HOST);
  resources.forEach((resource, at) => {
    const kind = kinds[at];
    const parent = resource.parent === NONE ? NONE : ofResource[resource.parent];
    if (kind === undefined) {
      ofResource[at] = parent;
      return;
    }
    const { type } = resource;
    // A drawing of lstopo calls bridges by how fast they are.
    const name = /^[\d.]+$/.test(resource.name) && kind === "device" ? `${type} ${resource.name}` : resource.name;
    ofResource[at] =
      elements.push({ name, type, kind, parent, size: sizeOf(resource), number: numberOf(resource) }) - 1;
  });
  const machines = elements.flatMap(({ kind }, at) => (kind === "machine" ? [at] : []));
  const host = machines.length === 1 ? machines[0] : NONE;
  const byHost = new Map(machines.map((at) => [elements[at].name, at]));
  resources.forEach(({ parent, properties }, at) => {
    if (ofResource[at] !== NONE) return;
    // Of what is in no part of a machine: a process says where it ran, or there is one machine.
    const around = parent === NONE ? host : ofResource[parent];
    ofResource[at] = byHost.get(properties?.get("host") ?? "") ?? around;
  });
  const ofLane = Int32Array.from(trace?.lanes ?? [], ({ resource }) =>
    resource === NONE ? host : ofResource[resource],
  );
  return { elements, ofResource, ofLane, ofDevice: devicesOf(elements), host };
}

/** What resources are; what holds hardware is a zone. A cache is one in a machine: zones of a grid are called `L1`, too. */
export function kindsOf(resources: readonly Resource[]): (HardwareKind | undefined)[] {
  const isInMachine = new Uint8Array(resources.length);
  const kinds = resources.map(({ type, parent }, at) => {
    const kind = hardwareKindOf(type);
    const isInside = parent !== NONE && isInMachine[parent] === 1;
    isInMachine[at] = Number(isInside || kind === "machine" || kind === "package");
    return kind === "cache" && !isInside ? undefined : kind;
  });
  for (let at = resources.length - 1; at >= 0; at--) {
    const { parent } = resources[at];
    if (kinds[at] !== undefined && parent !== NONE) kinds[parent] ??= "zone";
  }
  return kinds;
}

/** hwloc's attributes have bytes (a memory's also in kilobytes), a drawing has the size in its name. */
function sizeOf({ properties }: Resource): string {
  const bytes = Number(
    properties?.get("cache_size") ?? properties?.get("local_memory") ?? properties?.get("totalGlobalMem"),
  );
  return bytes > 0 ? formatValue(bytes, "B") : "";
}

function numberOf({ properties }: Resource): number {
  const text = properties?.get("os_index") ?? /^P#(\d+)$/.exec(properties?.get("text") ?? "")?.[1];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : NONE;
}

/** By the names that readers give devices. */
function devicesOf(elements: readonly Element[]): Map<number, number> {
  const devices = new Map<number, number>();
  elements.forEach(({ kind, name }, at) => {
    const number = kind === "GPU" ? /^GPU (\d{1,9})$/.exec(name)?.[1] : undefined;
    if (number !== undefined && !devices.has(Number(number))) devices.set(Number(number), at);
  });
  return devices;
}

/** Whether an element is in another one, or is it. */
export function isWithin(elements: readonly Pick<Element, "parent">[], inner: number, outer: number): boolean {
  for (let at = inner; at !== NONE; at = elements[at].parent) if (at === outer) return true;
  return false;
}
