import { NONE } from "../../../model/ids";
import type { Task } from "../../../model/task";
import { StringTable } from "../../../model/strings";
import { UNKNOWN_NAME } from "../scan/names";
import { CostColumn } from "./costColumn";
import { LineLog } from "./lineLog";
import { Triples } from "./triples";

/** Events beyond these happen on few lines, and have cells only there. */
const DENSE_EVENTS = 4;

/** What the cost lines of one or several files say, by function, line and call, in the order of arrival. */
export class CostTable {
  readonly strings = new StringTable();
  /** Functions as recorded, recursion levels apart: name, file, load module (strings, NONE where there is none). */
  readonly functions: Triples;
  /** A function's code in one file (NONE: not known), which is another than its own where code was inlined, at one location. */
  readonly places: Triples;
  /** Rows of `exclusive`: place, line, maybe several times. Lines of no file, and places without a line, are line 0 of no file. */
  readonly lines = new LineLog();
  /** Rows of `inclusive` and `counts`: place, line of the call (as above), callee. */
  readonly calls: Triples;
  /** Names of events, in the order in which files declare them. */
  readonly events: string[] = [];
  /** One column per event. */
  readonly exclusive: CostColumn[] = [];
  readonly inclusive: CostColumn[] = [];
  readonly counts = new CostColumn(true);
  private readonly eventIds = new Map<string, number>();
  /** What recordings write for a file that is not known. */
  private readonly unknown = this.strings.intern(UNKNOWN_NAME);

  constructor(task: Pick<Task, "check">) {
    this.functions = new Triples(task);
    this.places = new Triples(task);
    this.calls = new Triples(task);
  }

  /** The number of this event, which is added when it is new; undefined where costs without it were added already. */
  event(name: string): number | undefined {
    const known = this.eventIds.get(name);
    if (known !== undefined) return known;
    if (this.lines.size + this.calls.size > 0) return undefined;
    this.eventIds.set(name, this.events.length);
    this.exclusive.push(new CostColumn(this.events.length < DENSE_EVENTS));
    this.inclusive.push(new CostColumn(this.events.length < DENSE_EVENTS));
    return this.events.push(name) - 1;
  }

  /** A function's code in a file, at a location. */
  place(ofFunction: number, file: number, location: number): number {
    return this.places.of(ofFunction, file === this.unknown ? NONE : file, location);
  }

  /** The text of a name, empty where it is not known. */
  text(string: number): string {
    return string === this.unknown ? "" : this.strings.get(string);
  }

  /**
   * @param costs of the line
   * @param eventOf event of each cost, or of more
   * @param count how many costs the line has
   */
  addLine(place: number, line: number, costs: Float64Array, eventOf: Int32Array, count: number): void {
    const own = line === 0 ? this.without(place) : place;
    const row = this.lines.add(own, this.places.second[own] === NONE ? 0 : line);
    const location = this.places.third[own];
    // What costs nothing has no cell.
    for (let at = 0; at < count; at++) if (costs[at] !== 0) this.exclusive[eventOf[at]].add(row, location, costs[at]);
  }

  /** @param calls number of calls that the costs are of */
  addCall(
    call: { readonly place: number; readonly line: number; readonly callee: number },
    calls: number,
    costs: Float64Array,
    eventOf: Int32Array,
    count: number,
  ): void {
    const own = call.line === 0 ? this.without(call.place) : call.place;
    const row = this.calls.of(own, this.places.second[own] === NONE ? 0 : call.line, call.callee);
    const location = this.places.third[own];
    // Calls that cost nothing are calls all the same.
    this.counts.add(row, location, calls);
    for (let at = 0; at < count; at++) if (costs[at] !== 0) this.inclusive[eventOf[at]].add(row, location, costs[at]);
  }

  /** The same function and location where no line is known. */
  private without(place: number): number {
    const { first, second, third } = this.places;
    return second[place] === NONE ? place : this.places.of(first[place], NONE, third[place]);
  }
}
