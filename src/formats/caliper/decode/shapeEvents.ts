import { NONE } from "../../../model/ids";
import type { ActivityStep } from "../events/deviceActivities";
import type { TextField } from "../names/details";
import { type EventTrace, newStep, type Step } from "../events/eventTrace";
import type { MessageStep } from "../events/messageEnds";
import type { DetailNodes } from "./nodes";
import type { Recording } from "./recording";
import { activityOf, type Layout } from "./snapshots";

/** Maximum events that wait for a definition. Attributes are defined with the first record inside them, so that two would be unusual. */
const MOST_WAITING = 1024;

/** Events and details of all records of one shape. One class for all kinds keeps calls fast for millions of records. */
export class ShapeEvents {
  private event: Step | undefined;
  private message: MessageStep | undefined;
  private activity: ActivityStep | undefined;
  /** Records from before the definition of their attribute. */
  private waiting: { readonly location: number; readonly values: Float64Array }[] = [];

  /** @param giveUp decides without a definition, if too many records wait */
  constructor(
    private readonly trace: EventTrace,
    private readonly giveUp?: () => void,
  ) {}

  static ofMessage(trace: EventTrace, message: MessageStep): ShapeEvents {
    const events = new ShapeEvents(trace);
    events.message = message;
    return events;
  }

  static ofDevice(trace: EventTrace, activity: ActivityStep): ShapeEvents {
    const events = new ShapeEvents(trace);
    events.activity = activity;
    return events;
  }

  /** Applies the definition, also to records that wait for it. */
  decide(event: Step): this {
    this.event = event;
    for (const { location, values } of this.waiting) this.trace.take(event, location, values);
    this.waiting = [];
    return this;
  }

  take(location: number, values: Float64Array): void {
    if (this.event !== undefined) this.trace.take(this.event, location, values);
    else if (this.message !== undefined) this.trace.message(this.message, location, values);
    else if (this.activity !== undefined) this.trace.activity(this.activity, location, values);
    else {
      this.waiting.push({ location, values: values.slice() });
      if (this.waiting.length === MOST_WAITING) this.giveUp?.();
    }
  }
}

/** Annotations whose iterations and regions share the lane of their thread. */
const ITERATION = "iteration#";

/**
 * @param region innermost region of the records, {@link NONE} outside of any
 * @param context of their measurements
 * @returns undefined if the records have only measurements
 */
export function shapeEventsOf(
  recording: Recording,
  layout: Layout,
  region: number,
  context: number,
  details: DetailNodes,
): ShapeEvents | undefined {
  const activity = activityStep(recording, layout, context === NONE ? region : context, details);
  if (activity !== undefined) return ShapeEvents.ofDevice(recording.events(), activity);
  if (layout.clock === NONE) return undefined;
  const message = messageStep(layout, details);
  if (message !== undefined) return ShapeEvents.ofMessage(recording.events(), message);
  return annotationEvents(recording, layout, region, details);
}

function annotationEvents(
  recording: Recording,
  layout: Layout,
  region: number,
  details: DetailNodes,
): ShapeEvents | undefined {
  const noted = details.find(({ detail }) => detail.kind === "event");
  const event = noted?.detail.kind === "event" ? noted.detail : layout.event;
  if (event === undefined) return undefined;
  const { phase, of } = event;
  const text = noted?.text ?? "";
  const trace = recording.events();
  const events = new ShapeEvents(trace, () => recording.decide(of));
  const decide = (nested: boolean): ShapeEvents => {
    let context = region;
    if (nested && phase === "begin") context = recording.region(region, text, of);
    // The path of a begin does not have the region yet, the path of an end still has it.
    const ended = nested && phase === "end" ? recording.enclosing(region, text, of) : NONE;
    const iteration = of.startsWith(ITERATION);
    const name = noted === undefined ? of : `${of} = ${text}`;
    const frame =
      nested && context !== NONE
        ? recording.tree.frameOf(context)
        : recording.frames.intern({ name, kind: iteration ? "loop" : "region" });
    const counted = phase === "set" && noted === undefined && layout.event !== undefined;
    const step = newStep(phase, {
      clock: layout.clock,
      perSecond: layout.clockPerSecond,
      attribute: of,
      nested: nested || iteration,
      frame,
      // An event that is no region runs beside the regions and takes no time from them.
      context: nested || iteration || phase === "set" ? context : NONE,
      around: ended === NONE ? region : recording.tree.parentOf(ended),
      name: ended === NONE ? text : recording.frames.nameOf(recording.tree.frameOf(ended)),
      category: trace.category(of),
      inclusive: layout.fields.get("inclusiveNanoseconds") ?? NONE,
      value: counted && layout.event !== undefined && layout.use[layout.event.at] !== 0 ? layout.event.at : NONE,
    });
    return events.decide(step);
  };
  if (phase === "set" || of.startsWith(ITERATION)) return decide(false);
  const nested = recording.isNested(of);
  if (nested !== undefined) return decide(nested);
  recording.whenDefined(of, decide);
  return events;
}

/** Side of a message that the records have. Without a peer, bytes of a collective. */
function messageStep({ clock, clockPerSecond, fields, event }: Layout, details: DetailNodes): MessageStep | undefined {
  const destination = fields.get("destination");
  const bytes = fields.get("messageBytes");
  const peer = destination ?? fields.get("source");
  const isEvent = event !== undefined || details.some(({ detail }) => detail.kind === "event");
  if (peer === undefined && (bytes === undefined || isEvent)) return undefined;
  const world = textOf(details, "isWorld");
  return {
    sent: destination !== undefined,
    clock,
    perSecond: clockPerSecond,
    peer: peer ?? NONE,
    tag: fields.get("tag") ?? NONE,
    bytes: bytes ?? NONE,
    world: world === undefined ? textOf(details, "communicator") === undefined : world === "true",
  };
}

function activityStep(
  recording: Recording,
  { fields }: Layout,
  context: number,
  details: DetailNodes,
): ActivityStep | undefined {
  const start = fields.get("start");
  const name = activityOf(details);
  if (start === undefined || name === undefined) return undefined;
  const began = textOf(details, "deviceStart") ?? "";
  if (/^\d{1,20}$/.test(began)) recording.deviceStart ??= BigInt(began);
  const moved = textOf(details, "memcpy") ?? textOf(details, "uvm");
  const operation = textOf(details, "operation");
  const kernel = textOf(details, "kernel") !== undefined;
  const copied = operation !== undefined && /copy|memcpy/i.test(operation) ? operation : undefined;
  return {
    activity: kernel ? "kernel" : (textOf(details, "activity") ?? (copied === undefined ? "other" : "memcpy")),
    device: textOf(details, "device") ?? "",
    start,
    end: fields.get("end") ?? NONE,
    bytes: fields.get("movedBytes") ?? NONE,
    direction: kernel ? undefined : (moved ?? copied),
    frame: recording.frames.intern({ name, kind: "kernel" }),
    context,
  };
}

function textOf(details: DetailNodes, field: TextField): string | undefined {
  return details.find(({ detail }) => detail.kind === "text" && detail.field === field)?.text;
}
