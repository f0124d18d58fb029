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
    addCosts(this.exclusive, this.lines.of(place, line, 0), location, costs, eventOf, count);
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
    addCosts(this.inclusive, own, location, costs, eventOf, count);
  }
}

function addCosts(
  builders: readonly SparseBuilder[],
  row: number,
  location: number,
  costs: Float64Array,
  eventOf: Int32Array,
  count: number,
): void {
  // Most events do not happen on most lines: a cell for each would need far more room than the file.
  for (let at = 0; at < count; at++) if (costs[at] !== 0) builders[eventOf[at]].add(row, location, costs[at]);
}
