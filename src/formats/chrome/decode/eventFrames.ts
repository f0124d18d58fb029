/** What an event is: its category, the frame that it stands for, the call stack that it was recorded with. */
import { widened } from "../../../model/columns";
import type { Frame, FrameTable } from "../../../model/frames";
import { NONE } from "../../../model/ids";
import { entryOf } from "../../../model/maps";
import { isNamedAsMpi } from "../../../model/mpiNames";
import type { CategoryKind } from "../../../model/trace";
import type { TraceSink } from "../../trace/traceSink";
import { type CallStacks, functionFrame, withPlace } from "./callStacks";
import { classOf, type EventClass, isLaunchFlow } from "./categories";
import type { EventScanner } from "../scan/eventScanner";

/** Categories that have a number of their own; a trace has at most 256. */
const MOST_CATEGORIES = 250;
const NO_CATEGORY = "no category";

/** What clang -ftime-trace writes with the header, template or function that it was at; other tools use the argument for anything. */
const DETAILED = new Set([
  "Source",
  "Module Load",
  "Template",
  "DeferInstantiation",
  "OptFunction",
  "OptModule",
  "RunPass",
  "RunLoopPass",
  "ParseClass",
  "ParseTemplate",
  "ParseFunctionDefinition",
  "ParseDeclarationOrFunctionDefinition",
  "InstantiateClass",
  "InstantiateFunction",
  "CodeGen Function",
  "DebugType",
  "DebugFunction",
  "DebugConstGlobalVariable",
  "DebugGlobalVariable",
  "EvaluateAsRValue",
  "EvaluateAsInitializer",
  "CheckConstraintSatisfaction",
]);

export interface EventCategory {
  readonly of: EventClass;
  /** The sink's number. */
  readonly sink: number;
  readonly isLaunchFlow: boolean;
}

export class EventFrames {
  private readonly categories = new Map<number, EventCategory>();
  private lastCategory: number = -2;
  private lastClass: EventCategory | undefined;
  /** Frames of names without a place, by name and class of the event. */
  private readonly frameOf = new Map<EventClass, Int32Array<ArrayBuffer>>();
  private readonly placedFrames = new Map<string, number>();
  private readonly detailedFrames = new Map<string, number>();
  private readonly stackOfText = new Map<number, number>();
  private readonly pythonStacks = new Map<number, number>();

  constructor(
    private readonly scanner: EventScanner,
    private readonly sink: TraceSink,
    private readonly frames: FrameTable,
    private readonly stacks: CallStacks,
  ) {}

  name(): string {
    return this.scanner.name === NONE ? "(unnamed)" : this.scanner.labelText(this.scanner.name);
  }

  category(): EventCategory {
    const { category } = this.scanner;
    if (category === this.lastCategory && this.lastClass !== undefined) return this.lastClass;
    let known = this.categories.get(category);
    if (known === undefined) {
      const name = category === NONE ? NO_CATEGORY : this.scanner.labelText(category);
      const [of, kind] = this.classOf(name);
      const isRoom = this.categories.size < MOST_CATEGORIES;
      const sink = isRoom ? this.sink.category(name, kind) : this.sink.category("further categories", "other");
      this.categories.set(category, (known = { of, sink, isLaunchFlow: isLaunchFlow(name) }));
    }
    this.lastCategory = category;
    return (this.lastClass = known);
  }

  frame(of: EventClass): number {
    const { scanner } = this;
    const file = scanner.hasArguments ? scanner.text("file") : NONE;
    const line = scanner.number("line");
    const detail = file === NONE && scanner.hasArguments ? scanner.text("detail") : NONE;
    if (detail !== NONE && DETAILED.has(this.name())) return this.detailed(of, detail);
    if (file === NONE) {
      let frames = this.frameOf.get(of) ?? new Int32Array(0);
      const at = scanner.name + 1;
      if (at >= frames.length) this.frameOf.set(of, (frames = widened(frames, Math.max(256, 2 * at), NONE)));
      if (frames[at] === NONE) frames[at] = this.frames.intern(this.frameFor(of, this.name()));
      return frames[at];
    }
    const key = `${of} ${scanner.name} ${file} ${line}`;
    let frame = this.placedFrames.get(key);
    if (frame === undefined) {
      const placed = withPlace(this.frameFor(of, this.name()), scanner.labelText(file), line);
      this.placedFrames.set(key, (frame = this.frames.intern(placed)));
    }
    return frame;
  }

  /** What clang was at: which header, which template. */
  private detailed(of: EventClass, detail: number): number {
    const { scanner } = this;
    return entryOf(this.detailedFrames, `${of} ${scanner.name} ${detail}`, () => {
      const what = scanner.labelText(detail);
      return this.frames.intern(this.frameFor(of, what === "" ? this.name() : `${this.name()}: ${what}`));
    });
  }

  /** The stack that an event was recorded with. */
  stack(of: EventClass, frame: number): number {
    const { scanner, stacks } = this;
    if (scanner.stackFrame !== NONE) return stacks.reference(scanner.placeText(scanner.stackFrame));
    if (!scanner.hasArguments) return NONE;
    if (of === "python") return this.pythonStack(frame);
    const text = scanner.text("callStack");
    if (text === NONE) return NONE;
    let stack = this.stackOfText.get(text);
    if (stack === undefined) this.stackOfText.set(text, (stack = stacks.fromText(scanner.labelText(text))));
    return stack;
  }

  /** Kernels and copies that are on no device are something else (an operating system's kernel). */
  private classOf(category: string): readonly [EventClass, CategoryKind] {
    const known = classOf(category);
    const needsDevice = known[0] === "kernel" || known[0] === "memcpy" || known[0] === "memset";
    return needsDevice && Number.isNaN(this.scanner.number("device")) ? ["plain", "other"] : known;
  }

  private frameFor(of: EventClass, name: string): Frame {
    if (of === "python") return functionFrame(name);
    if (of === "kernel") return { name, kind: "kernel" };
    if (of === "runtime") return { name, kind: "region", origin: "runtime" };
    return isNamedAsMpi(name) ? { name, kind: "region", origin: "mpi" } : { name, kind: "region" };
  }

  /** Python's functions name their callers by id; where the caller is not known yet, nesting tells. */
  private pythonStack(frame: number): number {
    const id = this.scanner.number("pythonId");
    if (Number.isNaN(id)) return NONE;
    const parent = this.scanner.number("pythonParent");
    const caller = Number.isNaN(parent) ? NONE : this.pythonStacks.get(parent);
    if (caller === undefined) return NONE;
    const stack = this.stacks.child(caller, frame);
    this.pythonStacks.set(id, stack);
    return stack;
  }
}
