import { NONE } from "../../../model/ids";
import { numberOf } from "../scan/fields";
import { detailOf } from "../names/details";
import { attributeOf } from "../scan/jsonTables";
import type { DetailNodes } from "./nodes";
import { locationPart, regionOrder } from "../names/quantities";
import { type LocationNumbers, locationNumber, type Recording } from "./recording";
import { RecordKeys } from "./recordKeys";
import { sampleAttribute, SampleFrames, type SampleNodes } from "./samples";
import { Shapes } from "./shapes";
import { contextOf, DEVICE_TIME, type Layout, layoutOf } from "./snapshots";
import { shapeEventsOf } from "./shapeEvents";

/** One record: its numbers and texts, by key. */
export class JsonRecord {
  readonly numberKeys: string[] = [];
  readonly numbers: number[] = [];
  /** Digits of numbers that a double may not represent exactly; empty for all others. */
  readonly digits: string[] = [];
  readonly textKeys: string[] = [];
  readonly texts: string[] = [];

  clear(): void {
    this.numberKeys.length = 0;
    this.numbers.length = 0;
    this.digits.length = 0;
    this.textKeys.length = 0;
    this.texts.length = 0;
  }

  number(key: string, value: number): void {
    this.wide(key, value, "");
  }

  wide(key: string, value: number, digits: string): void {
    this.numberKeys.push(key);
    this.numbers.push(value);
    this.digits.push(digits);
  }

  text(key: string, text: string): void {
    this.textKeys.push(key);
    this.texts.push(text);
  }
}

/** Kinds of records of one file: those with the same keys and texts. */
export class RecordKinds {
  private readonly keys = new RecordKeys();
  private readonly samples: SampleFrames;
  private readonly shapes: Shapes;
  private readonly shapeOf = new Map<string, number>();
  private readonly layouts = new Map<string, Layout>();
  private values = new Float64Array(16);

  constructor(private readonly recording: Recording) {
    this.samples = new SampleFrames(recording);
    this.shapes = new Shapes(recording);
  }

  take(record: JsonRecord): void {
    const { numberKeys, numbers, digits } = record;
    const kind = this.kindOf(record);
    let shape = this.shapeOf.get(kind);
    if (shape === undefined) this.shapeOf.set(kind, (shape = this.newShape(record)));
    const { use } = this.shapes.layoutOf(shape);
    for (let at = 0; at < numberKeys.length; at++)
      this.values[at] = use[at] === DEVICE_TIME ? this.recording.deviceClock.since(digits[at]) : numbers[at];
    this.shapes.record(shape, this.values);
  }

  /** Adds the file's metadata of an attribute to the columns with its name. */
  describe(name: string, metadata: ReadonlyMap<string, string>): void {
    const alias = metadata.get("attribute.alias");
    const unit = metadata.get("attribute.unit") ?? metadata.get("time.unit");
    const bits = Number(metadata.get("cali.attribute.prop") ?? 0);
    for (const column of this.recording.columns)
      if (column.quantity.name === name)
        column.quantity = { ...column.quantity, alias, unit, aggregatable: (bits & 2048) !== 0 };
  }

  isDeviceTime(key: string): boolean {
    return this.keys.attribute(key).detail?.kind === "deviceTime";
  }

  /** Whether a text is a number in quotes. */
  isNumber(key: string, text: string): boolean {
    return this.keys.textUse(key) === "number" && numberOf(text) !== undefined;
  }

  private kindOf({ numberKeys, textKeys, texts }: JsonRecord): string {
    let kind = numberKeys.join("\u0001");
    for (let at = 0; at < textKeys.length; at++)
      if (this.keys.textUse(textKeys[at]) !== "none") kind += `\u0002${textKeys[at]}\u0003${texts[at]}`;
    return kind;
  }

  private newShape(record: JsonRecord): number {
    const { recording, shapes } = this;
    const attributes = record.numberKeys.join("\u0001");
    let layout = this.layouts.get(attributes);
    if (layout === undefined) {
      layout = layoutOf(
        recording,
        record.numberKeys.map((key) => this.keys.attribute(key)),
      );
      this.layouts.set(attributes, layout);
    }
    if (this.values.length < layout.use.length) this.values = new Float64Array(2 * layout.use.length);
    const region = this.regionOf(record);
    const details: { detail: DetailNodes[number]["detail"]; text: string }[] = [];
    const samples: { attribute: SampleNodes[number]["attribute"]; text: string }[] = [];
    const place: LocationNumbers = {};
    for (const [at, key] of record.textKeys.entries()) {
      const text = record.texts[at];
      const part = locationPart(key);
      if (part !== undefined) place[part] ??= locationNumber(numberOf(text) ?? NONE);
      const detail = detailOf(key, undefined);
      if (detail !== undefined) details.push({ detail, text });
      if (detail?.kind === "event" && recording.isNested(detail.of) === undefined) recording.decide(detail.of);
      const attribute = sampleAttribute(key);
      if (attribute !== undefined) for (const one of labelsOf(text, attribute)) samples.push({ attribute, text: one });
    }
    const context = layout.measured.length > 0 ? contextOf(recording, this.samples, region, samples, details) : NONE;
    const events = shapeEventsOf(recording, layout, region, context, details);
    return shapes.add(new Uint8Array(0), layout, context, Object.keys(place).length > 0 ? place : undefined, events);
  }

  /** The innermost region: of the path, or of the attributes that annotate regions if there is no path. */
  private regionOf({ textKeys, texts }: JsonRecord): number {
    const path = textKeys.indexOf("path");
    let region: number = NONE;
    if (path >= 0) {
      for (const name of texts[path].split("/")) region = this.recording.region(region, name, attributeOf(name));
      return region;
    }
    const keys = textKeys.filter((key) => this.keys.textUse(key) === "nested");
    keys.sort((a, b) => regionOrder(a) - regionOrder(b));
    for (const key of keys)
      for (const name of texts[textKeys.indexOf(key)].split("/")) region = this.recording.region(region, name, key);
    return region;
  }
}

/** Splits the labels of a branch, which are joined by `/`. Places also contain `/`, and end with their line. */
function labelsOf(text: string, { of, what }: SampleNodes[number]["attribute"]): string[] {
  if (of === "pc") return [text];
  return what === "place" ? text.split(/(?<=:\d{1,9})\//) : text.split("/");
}
