import { NONE } from "../../model/ids";
import type { ActivityStep, DeviceActivities } from "./deviceActivities";
import type { TextField } from "./details";
import { type EventTrace, newStep, type Step } from "./eventTrace";
import type { MessageEnds, MessageStep } from "./messageEnds";
import type { DetailNodes } from "./nodes";
import type { Recording } from "./recording";
import { activityOf, type Layout } from "./snapshots";

/** What all records of one shape tell beside their measurements. */
export interface Telling {
  take(location: number, values: Float64Array): void;
}

/** Annotations whose iterations and regions share the lane of their thread. */
const ITERATION = "iteration#";

/**
 * @param region innermost region of the records, {@link NONE} outside of any
 * @param context where their measurements go
 * @returns undefined where the records tell of measurements only
 */
export function tellingOf(
  recording: Recording,
  layout: Layout,
  region: number,
  context: number,
  details: DetailNodes,
): Telling | undefined {
  const activity = activityStep(recording, layout, context === NONE ? region : context, details);
  if (activity !== undefined) return new DeviceTelling(recording.events().activities, activity);
  if (layout.clock === NONE) return undefined;
  const message = messageStep(layout, details);
  if (message !== undefined) return new MessageTelling(recording.events().messages, message);
  return eventTelling(recording, layout, region, details);
}

class EventTelling implements Telling {
  constructor(
    private readonly trace: EventTrace,
    private readonly step: Step,
  ) {}

  take(location: number, values: Float64Array): void {
    this.trace.take(this.step, location, values);
  }
}

class MessageTelling implements Telling {
  constructor(
    private readonly ends: MessageEnds,
    private readonly step: MessageStep,
  ) {}

  take(location: number, values: Float64Array): void {
    this.ends.take(this.step, location, values);
  }
}

class DeviceTelling implements Telling {
  constructor(
    private readonly activities: DeviceActivities,
    private readonly step: ActivityStep,
  ) {}

  take(location: number, values: Float64Array): void {
    this.activities.take(this.step, location, values);
  }
}

/** Events of an attribute of which it is not known yet whether it annotates regions. */
class UndecidedTelling implements Telling {
  private decided: Telling | undefined;
  private readonly waiting: { readonly location: number; readonly values: Float64Array }[] = [];

  decide(telling: Telling): void {
    this.decided = telling;
    for (const { location, values } of this.waiting) telling.take(location, values);
    this.waiting.length = 0;
  }

  take(location: number, values: Float64Array): void {
    if (this.decided !== undefined) this.decided.take(location, values);
    else this.waiting.push({ location, values: values.slice() });
  }
}

function eventTelling(recording: Recording, layout: Layout, region: number, details: DetailNodes): Telling | undefined {
  const noted = details.find(({ detail }) => detail.kind === "event");
  const event = noted?.detail.kind === "event" ? noted.detail : layout.event;
  if (event === undefined) return undefined;
  const { phase, of } = event;
  const text = noted?.text ?? "";
  const trace = recording.events();
  const tell = (nested: boolean): Telling => {
    let context = region;
    if (nested && phase === "begin") context = recording.region(region, text, of);
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
      context,
      category: trace.category(of),
      value: counted && layout.event !== undefined && layout.use[layout.event.at] !== 0 ? layout.event.at : NONE,
    });
    return new EventTelling(trace, step);
  };
  if (phase === "set" || of.startsWith(ITERATION)) return tell(false);
  const nested = recording.isNested(of);
  if (nested !== undefined) return tell(nested);
  const undecided = new UndecidedTelling();
  recording.whenDefined(of, (known) => undecided.decide(tell(known)));
  return undecided;
}

/** Which side of a message the records are. */
function messageStep({ clock, clockPerSecond, fields }: Layout, details: DetailNodes): MessageStep | undefined {
  const destination = fields.get("destination");
  const peer = destination ?? fields.get("source");
  if (peer === undefined) return undefined;
  const world = textOf(details, "isWorld");
  return {
    sent: destination !== undefined,
    clock,
    perSecond: clockPerSecond,
    peer,
    tag: fields.get("tag") ?? NONE,
    bytes: fields.get("messageBytes") ?? NONE,
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
