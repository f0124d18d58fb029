import { NONE } from "../../../model/ids";
import { numberOf } from "../scan/fields";
import type { RowPiece } from "../scan/jsonRows";
import { type JsonNodes, regionOf, samplesOf, type SplitColumn } from "../scan/jsonTables";
import type { DetailNodes } from "./nodes";
import { type LocationNumbers, locationNumber, type Recording } from "./recording";
import { SampleFrames } from "./samples";
import { Shapes } from "./shapes";
import { contextOf, DEVICE_TIME, type Layout, layoutOf } from "./snapshots";
import { shapeEventsOf } from "./shapeEvents";

/** Whether rows with this column also describe events, iterations or devices. */
export function tellsMore({ attribute: { detail } }: SplitColumn): boolean {
  if (detail === undefined || detail.kind === "number") return false;
  return detail.kind !== "text" || (detail.field !== "communicator" && detail.field !== "isWorld");
}

/** Kinds of rows of one file: those with the same nodes, and numbers in the same columns. */
export class SplitKinds {
  private readonly samples: SampleFrames;
  private readonly shapes: Shapes;
  private readonly shapeOf = new Map<string, number>();
  private readonly layouts = new Map<string, Layout>();
  private readonly values: Float64Array;

  constructor(
    private readonly recording: Recording,
    private readonly columns: readonly SplitColumn[],
    private readonly nodes: JsonNodes,
  ) {
    this.samples = new SampleFrames(recording);
    this.shapes = new Shapes(recording);
    this.values = new Float64Array(columns.length);
  }

  /** @param start index of the row's first cell */
  take(piece: RowPiece, start: number): void {
    const { columns, values } = this;
    const { cells, filled } = piece;
    let kind = "";
    for (const [at, { isValue }] of columns.entries())
      kind += filled[start + at] === 0 ? "," : isValue ? "n" : `${cells[start + at]},`;
    let shape = this.shapeOf.get(kind);
    if (shape === undefined) this.shapeOf.set(kind, (shape = this.newShape(piece, start)));
    const { use } = this.shapes.layoutOf(shape);
    let used = 0;
    for (const [at, { isValue }] of columns.entries()) {
      if (!isValue || filled[start + at] === 0) continue;
      const cell = cells[start + at];
      // Rows are doubles here: nanoseconds since 1970 lose their last two digits.
      const wide = use[used] === DEVICE_TIME && Number.isFinite(cell);
      values[used++] = wide ? this.recording.deviceClock.since(cell.toFixed(0)) : cell;
    }
    this.shapes.record(shape, values);
  }

  private newShape({ cells, filled }: RowPiece, start: number): number {
    const { recording, columns, nodes } = this;
    const numbers = columns.flatMap(({ isValue }, at) => (isValue && filled[start + at] === 1 ? [at] : []));
    const branch = columns.map(({ isValue }, at) =>
      isValue || filled[start + at] === 0 ? NONE : nodes.check(cells[start + at], recording.file),
    );
    let layout = this.layouts.get(numbers.join());
    if (layout === undefined) {
      layout = layoutOf(
        recording,
        numbers.map((at) => columns[at].attribute),
      );
      this.layouts.set(numbers.join(), layout);
    }
    const details: { detail: DetailNodes[number]["detail"]; text: string }[] = [];
    const place: LocationNumbers = {};
    for (const [at, { part, attribute }] of columns.entries()) {
      if (branch[at] === NONE) continue;
      const text = nodes.label(branch[at]);
      if (part !== undefined) place[part] ??= locationNumber(numberOf(text) ?? NONE);
      const { detail } = attribute;
      if (detail === undefined) continue;
      details.push({ detail, text });
      if (detail.kind === "event" && recording.isNested(detail.of) === undefined) recording.decide(detail.of);
    }
    const region = regionOf(recording, columns, branch, nodes);
    const samples = samplesOf(columns, branch, nodes);
    const measured = layout.measured.length > 0;
    const context = measured ? contextOf(recording, this.samples, region, samples, details) : NONE;
    const events = shapeEventsOf(recording, layout, region, context, details);
    const fixed = Object.keys(place).length > 0 ? place : undefined;
    return this.shapes.add(new Uint8Array(0), layout, context, fixed, events);
  }
}
