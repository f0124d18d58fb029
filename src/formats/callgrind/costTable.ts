import { NONE } from "../../model/ids";
import { StringTable } from "../../model/strings";
import { SparseBuilder } from "../../model/values";
import { Triples } from "./triples";

/** What the cost lines of one or several files say, by function, line and call, in the order of arrival. */
export class CostTable {
  readonly strings = new StringTable();
  /** Functions as recorded, recursion levels apart: name, file, load module (strings, NONE where there is none). */
  readonly functions = new Triples();
  /** A function's code in one file, which is another than the function's own where code was inlined: function, file, 0. */
  readonly places = new Triples();
  /** Rows of `exclusive`: place, line, 0. */
  readonly lines = new Triples();
  /** Rows of `inclusive` and `calls`: place, line of the call, callee. */
  readonly calls = new Triples();
  /** Names of events, in the order in which files declare them. */
  readonly events: string[] = [];
  /** A builder an event; what costs nothing has no cell. */
  readonly exclusive: SparseBuilder[] = [];
  readonly inclusive: SparseBuilder[] = [];
  private readonly ofLines = new RowCosts(this.exclusive);
  private readonly ofCalls = new RowCosts(this.inclusive);
  readonly counts = new SparseBuilder();
  private readonly eventIds = new Map<string, number>();

  /** The number of this event, which is added when it is new; undefined where costs without it were added already. */
  event(name: string): number | undefined {
    const known = this.eventIds.get(name);
    if (known !== undefined) return known;
    if (this.lines.size + this.calls.size > 0) return undefined;
    this.eventIds.set(name, this.events.length);
    this.exclusive.push(new SparseBuilder());
    this.inclusive.push(new SparseBuilder());
    return this.events.push(name) - 1;
  }

  /**
   * @param costs of the line
   * @param eventOf event of each cost, or of more
   * @param count how many costs the line has
   */
  addLine(
    place: number,
    line: number,
    location: number,
    costs: Float64Array,
    eventOf: Int32Array,
    count: number,
  ): void {
    this.ofLines.add(this.lines.of(place, line, 0), location, costs, eventOf, count);
  }

  /** @param calls number of calls that the costs are of */
  addCall(
    row: { readonly place: number; readonly line: number; readonly callee: number },
    calls: number,
    location: number,
    costs: Float64Array,
    eventOf: Int32Array,
    count: number,
  ): void {
    const own = this.calls.of(row.place, row.line, row.callee);
    // Calls that cost nothing are calls all the same.
    this.counts.add(own, location, calls);
    this.ofCalls.add(own, location, costs, eventOf, count);
  }
}

/** Events whose cells are remembered by row: most recordings have no more, and a row comes many times. */
const REMEMBERED = 4;

/** Adds the costs of rows to the builders of their events. */
class RowCosts {
  /** Location of the cells that are remembered of each row. */
  private locationOf = new Int32Array(256).fill(NONE);
  private readonly cells = Array.from({ length: REMEMBERED }, () => new Int32Array(256));

  constructor(private readonly builders: readonly SparseBuilder[]) {}

  add(row: number, location: number, costs: Float64Array, eventOf: Int32Array, count: number): void {
    if (row >= this.locationOf.length) this.widen(row);
    if (this.locationOf[row] !== location) {
      this.locationOf[row] = location;
      for (const cells of this.cells) cells[row] = NONE;
    }
    for (let at = 0; at < count; at++) {
      // Most events do not happen on most lines: a cell for each would need far more room than the file.
      if (costs[at] === 0) continue;
      const event = eventOf[at];
      const builder = this.builders[event];
      if (event >= REMEMBERED) {
        builder.add(row, location, costs[at]);
        continue;
      }
      const cells = this.cells[event];
      if (cells[row] === NONE) cells[row] = builder.cell(row, location);
      builder.addTo(cells[row], costs[at]);
    }
  }

  private widen(row: number): void {
    const wider = (column: Int32Array) => {
      const next = new Int32Array(Math.max(2 * column.length, row + 1)).fill(NONE);
      next.set(column);
      return next;
    };
    this.locationOf = wider(this.locationOf);
    this.cells.forEach((cells, event) => (this.cells[event] = wider(cells)));
  }
}
