import { NONE } from "../../model/ids";
import type { Resource } from "../../model/resources";
import type { Task } from "../../model/task";
import type { ByteSource } from "../byteSource";
import { headText, isXml } from "../cursor";
import { readXml, type XmlElements } from "../xml";
import type { Machine } from "./lstopo";

const DOCUMENT = { end: "</topology>", remedy: "run lstopo again" };

/** Whether these are the first bytes of a topology as hwloc exports it. */
export function isHwloc(head: Uint8Array): boolean {
  const text = headText(head);
  return isXml(text) && /<topology[\s>]/.test(text) && text.includes("<object");
}

/** Reads hwloc's own file of a machine (`lstopo --of xml`): objects in one another, with their attributes and infos. */
export async function readHwloc(source: ByteSource, task: Task): Promise<Machine> {
  const objects = new Objects();
  await readXml(source, DOCUMENT, () => objects, task);
  return { resources: objects.resources, warnings: [] };
}

class Objects implements XmlElements {
  readonly resources: (Resource & { readonly properties: Map<string, string> })[] = [];
  private readonly open_: number[] = [];

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "object") this.object(attributes);
    else if (name === "info" && attributes.name !== undefined && this.open_.length > 0)
      this.resources[this.open_[this.open_.length - 1]].properties.set(attributes.name, attributes.value ?? "");
  }

  close(name: string): void {
    if (name === "object") this.open_.pop();
  }

  private object(attributes: Readonly<Record<string, string>>): void {
    const { type = "object", os_index: index, name } = attributes;
    const properties = new Map(Object.entries(attributes).filter(([key]) => key !== "type" && key !== "name"));
    const shown = name ?? (index === undefined ? type : `${type} ${index}`);
    const parent = this.open_.at(-1) ?? NONE;
    this.open_.push(this.resources.length);
    this.resources.push({ name: shown, type, parent, location: NONE, properties });
  }
}
