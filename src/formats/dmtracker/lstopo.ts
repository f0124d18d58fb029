import type { Warning } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import type { Resource } from "../../model/resources";
import type { Task } from "../../model/task";
import type { ByteSource } from "../byteSource";
import { headText, isXml } from "../cursor";
import { countedWarnings } from "../warnings";
import { readXml, type XmlElements } from "../xml";

const DOCUMENT = { end: "</svg>", remedy: "run lstopo again" };
/** More boxes than a drawing of the largest node has; each is compared with all others. */
const MOST_BOXES = 1 << 13;
const MOST_TEXT = 1000;

/** Whether these are the first bytes of a drawing of `lstopo`. */
export function isLstopo(head: Uint8Array): boolean {
  const text = headText(head);
  return isXml(text) && text.includes("<svg") && /<rect[^<>]*class=["']Machine["']/.test(text);
}

/** A box of the drawing. */
interface Box {
  readonly type: string;
  readonly id: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What the drawing is of, each resource after the one that holds it. */
export interface Machine {
  readonly resources: readonly Resource[];
  readonly warnings: readonly Warning[];
}

/**
 * Reads a drawing: which box lies in which is all that it says. Caches are drawn above their cores, not around them, and so are
 * parts of the package.
 */
export async function readLstopo(source: ByteSource, task: Task): Promise<Machine> {
  const drawing = new Drawing();
  const warnings: Warning[] = [];
  // Each run of the older tracker added a drawing to the file.
  const more = () =>
    warnings.push({ message: "further drawings follow the first one: they are not read", file: source.name });
  await readXml(source, { ...DOCUMENT, more }, () => drawing, task);
  appendAll(warnings, countedWarnings(source.name, [[drawing.left, `boxes beyond ${MOST_BOXES} are left out`]]));
  return { resources: nested(drawing.boxes, drawing.texts, task), warnings };
}

class Drawing implements XmlElements {
  readonly boxes: Box[] = [];
  /** By the box's name: its lines of text. */
  readonly texts = new Map<string, string[]>();
  left = 0;
  private writing: string | undefined;
  private written = "";

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const { id = "", class: type } = attributes;
    if (type === undefined) return;
    if (name === "text") {
      this.writing = id.replace(/_text(?:_\d+)?$/, "");
      this.written = "";
    } else if (name === "rect") this.box(id.replace(/_rect$/, ""), type, attributes);
  }

  text(text: string): void {
    if (this.writing !== undefined && this.written.length < MOST_TEXT) this.written += text.slice(0, MOST_TEXT);
  }

  close(name: string): void {
    if (name !== "text" || this.writing === undefined) return;
    const lines = this.texts.get(this.writing) ?? [];
    this.texts.set(this.writing, lines);
    const line = this.written.replace(/\s+/g, " ").trim();
    if (line !== "") lines.push(line);
    this.writing = undefined;
  }

  private box(id: string, type: string, { x, y, width, height }: Readonly<Record<string, string>>): void {
    const [left, top, wide, high] = [x, y, width, height].map((text) => Number.parseFloat(text ?? ""));
    if (![left, top, wide, high].every(Number.isFinite)) return;
    if (this.boxes.length === MOST_BOXES) this.left++;
    else this.boxes.push({ type, id, left, top, right: left + wide, bottom: top + high });
  }
}

/** Each box in the smallest one around it; of equal ones the first. */
function nested(boxes: readonly Box[], texts: ReadonlyMap<string, readonly string[]>, task: Task): Resource[] {
  const area = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top);
  const order = [...boxes.keys()].sort((a, b) => area(boxes[b]) - area(boxes[a]) || a - b);
  return order.map((own, at) => {
    task.check();
    const box = boxes[own];
    let parent = at - 1;
    while (parent >= 0 && !contains(boxes[order[parent]], box)) parent--;
    const [name = `${box.type} ${box.id.replace(`${box.type}_`, "")}`, ...more] = texts.get(box.id) ?? [];
    return {
      name,
      type: box.type,
      parent: parent < 0 ? NONE : parent,
      location: NONE,
      properties: more.length === 0 ? undefined : new Map([["text", more.join(", ")]]),
    };
  });
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}
