/**
 * Finds flows that run through a place, without looking at all of them. Thousands of flows that pass many levels have tens of
 * thousands of segments: what is known of them lies in columns, since objects would be most of what a redraw leaves to clear up.
 */
import { CELL, type Edges, overlaps } from "./boxIndex";
import { halfOf, type Ribbon, ribbonPieces, segmentEdges } from "./ribbon";

export class FlowIndex {
  private readonly columns: number;
  private readonly rows: number;
  /** Of each segment between two levels: its flow, and where the flow's points have its beginning. */
  private readonly flow: Int32Array;
  private readonly from: Int32Array;
  /** Segments that touch a cell: `listed[starts[cell]]` to `listed[starts[cell + 1]]`, without the latter. */
  private readonly starts: Int32Array;
  private readonly listed: Int32Array;
  /** Where segments run, cut when first asked for: most are far from any label. */
  private readonly pieces = new Map<number, readonly Edges[]>();

  /** Only what lies within this size is kept, since nothing else is asked for. */
  constructor(
    width: number,
    height: number,
    private readonly ribbons: readonly (Ribbon | undefined)[],
  ) {
    this.columns = Math.max(1, Math.ceil(width / CELL));
    this.rows = Math.max(1, Math.ceil(height / CELL));
    const count = ribbons.reduce((sum, ribbon) => sum + (ribbon ? ribbon.points.length / 2 - 1 : 0), 0);
    this.flow = new Int32Array(count);
    this.from = new Int32Array(count);
    this.starts = new Int32Array(this.columns * this.rows + 1);
    const ranges = Array.from({ length: 4 }, () => new Int32Array(count));
    const [firstColumn, lastColumn, firstRow, lastRow] = ranges;
    let segment = 0;
    ribbons.forEach((ribbon, flow) => {
      if (!ribbon) return;
      const { points } = ribbon;
      const half = halfOf(ribbon.thickness);
      for (let from = 0; from < points.length - 2; from += 2, segment++) {
        this.flow[segment] = flow;
        this.from[segment] = from;
        const left = Math.min(points[from], points[from + 2]);
        const right = Math.max(points[from], points[from + 2]);
        const top = Math.min(points[from + 1], points[from + 3]) - half;
        const bottom = Math.max(points[from + 1], points[from + 3]) + half;
        firstColumn[segment] = Math.max(0, Math.floor(left / CELL));
        lastColumn[segment] = Math.min(this.columns - 1, Math.floor(right / CELL));
        firstRow[segment] = Math.max(0, Math.floor(top / CELL));
        lastRow[segment] = Math.min(this.rows - 1, Math.floor(bottom / CELL));
        for (let row = firstRow[segment]; row <= lastRow[segment]; row++)
          for (let column = firstColumn[segment]; column <= lastColumn[segment]; column++)
            this.starts[row * this.columns + column]++;
      }
    });
    // Each start is first its cell's end, and goes down as the cell is filled.
    for (let cell = 1; cell < this.starts.length; cell++) this.starts[cell] += this.starts[cell - 1];
    this.listed = new Int32Array(this.starts[this.starts.length - 1]);
    for (segment = 0; segment < count; segment++)
      for (let row = firstRow[segment]; row <= lastRow[segment]; row++)
        for (let column = firstColumn[segment]; column <= lastColumn[segment]; column++)
          this.listed[--this.starts[row * this.columns + column]] = segment;
  }

  /** Whether a flow runs through the area. */
  runThrough(area: Edges): boolean {
    const firstColumn = Math.max(0, Math.floor(area.left / CELL));
    const lastColumn = Math.min(this.columns - 1, Math.floor(area.right / CELL));
    const lastRow = Math.min(this.rows - 1, Math.floor(area.bottom / CELL));
    for (let row = Math.max(0, Math.floor(area.top / CELL)); row <= lastRow; row++)
      for (let column = firstColumn; column <= lastColumn; column++) {
        const cell = row * this.columns + column;
        for (let at = this.starts[cell]; at < this.starts[cell + 1]; at++)
          if (this.segmentRunsThrough(this.listed[at], area)) return true;
      }
    return false;
  }

  private segmentRunsThrough(segment: number, area: Edges): boolean {
    const known = this.pieces.get(segment);
    if (known) return known.some((piece) => overlaps(piece, area));
    const ribbon = this.ribbonOf(segment);
    const from = this.from[segment];
    if (!overlaps(segmentEdges(ribbon, from), area)) return false;
    const pieces = ribbonPieces(ribbon.points.slice(from, from + 4), ribbon.thickness);
    this.pieces.set(segment, pieces);
    return pieces.some((piece) => overlaps(piece, area));
  }

  private ribbonOf(segment: number): Ribbon {
    const ribbon = this.ribbons[this.flow[segment]];
    if (!ribbon) throw new Error("a segment of a flow that is out of sight");
    return ribbon;
  }
}
