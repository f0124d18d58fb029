/** One row of a lane (one depth, or what is innermost) at one resolution: events that are long enough by themselves, all others in bins. */
import { widened } from "../../model/columns";
import type { SpanColumns } from "../../model/trace";

/**
 * Spans in order of their start. With a step of 2^exponent seconds, and bins of that width counted from 0 s, an event that is as long as
 * the step is a span of its own; shorter ones that follow each other and start in one bin are one span together. So a row at a coarser
 * step follows from the row at a finer one, whatever lies between: that is what levels of detail need. A power of two, so that the
 * bin of a time is exact.
 */
export class SpanRow {
  exponent = 0;
  step = 1;
  count = 0;
  /** Two of its spans run at one time: tools write such recordings. */
  overlaps = false;
  start = new Float64Array(16);
  end = new Float64Array(16);
  events = new Int32Array(16);
  first = new Int32Array(16);
  cellsAt = new Int32Array(17);
  cells = 0;
  state = new Int32Array(16);
  seconds = new Float64Array(16);
  cellEvents = new Int32Array(16);
  private perStep = 1;
  /** Bin of the last span; NaN where a shorter event can't join it. */
  private bin = Number.NaN;
  private reach = Number.NEGATIVE_INFINITY;
  /** Where a state's cell of the last span is, if it has one. */
  private cellOf = new Int32Array(64);

  begin(exponent: number): void {
    this.setStep(exponent);
    this.clear();
    this.overlaps = false;
  }

  /** Takes an event, by ascending start. */
  add(startSeconds: number, endSeconds: number, state: number, event: number): void {
    const isLong = endSeconds - startSeconds >= this.step;
    const bin = isLong ? Number.NaN : Math.floor(startSeconds * this.perStep);
    if (bin === this.bin) this.extend(endSeconds, 1);
    else this.open(startSeconds, endSeconds, 1, event, bin);
    this.addCell(state, endSeconds - startSeconds, 1);
  }

  /** Takes spans `from … to - 1` of a row that is as fine or finer, by ascending start. */
  append(other: SpanColumns, from: number, to: number): void {
    const { start, end, events, first, cellsAt, state, seconds, cellEvents } = other;
    for (let at = from; at < to; at++) {
      const isLong = events[at] === 1 && end[at] - start[at] >= this.step;
      const bin = isLong ? Number.NaN : Math.floor(start[at] * this.perStep);
      if (bin === this.bin) this.extend(end[at], events[at]);
      else this.open(start[at], end[at], events[at], first[at], bin);
      const until = cellsAt[at + 1];
      for (let cell = cellsAt[at]; cell < until; cell++) this.addCell(state[cell], seconds[cell], cellEvents[cell]);
    }
  }

  /** Doubles the step, in place: what is written lies before what is still to be read. */
  coarsen(): void {
    const { count } = this;
    this.setStep(this.exponent + 1);
    this.clear();
    this.append(this, 0, count);
  }

  columns(): SpanColumns {
    return {
      exponent: this.exponent,
      count: this.count,
      start: this.start,
      end: this.end,
      events: this.events,
      first: this.first,
      cellsAt: this.cellsAt,
      state: this.state,
      seconds: this.seconds,
      cellEvents: this.cellEvents,
    };
  }

  private setStep(exponent: number): void {
    this.exponent = exponent;
    this.step = 2 ** exponent;
    this.perStep = 2 ** -exponent;
  }

  private clear(): void {
    this.count = 0;
    this.cells = 0;
    this.bin = Number.NaN;
    this.reach = Number.NEGATIVE_INFINITY;
    this.cellsAt[0] = 0;
  }

  private extend(endSeconds: number, events: number): void {
    const last = this.count - 1;
    this.events[last] += events;
    if (endSeconds > this.end[last]) this.end[last] = endSeconds;
    if (endSeconds > this.reach) this.reach = endSeconds;
  }

  private open(startSeconds: number, endSeconds: number, events: number, first: number, bin: number): void {
    if (this.count === this.start.length) this.widenSpans();
    const at = this.count++;
    if (startSeconds < this.reach) this.overlaps = true;
    if (endSeconds > this.reach) this.reach = endSeconds;
    this.start[at] = startSeconds;
    this.end[at] = endSeconds;
    this.events[at] = events;
    this.first[at] = first;
    this.bin = bin;
  }

  /** Of the last span. */
  private addCell(state: number, seconds: number, events: number): void {
    if (state >= this.cellOf.length) this.cellOf = widened(this.cellOf, Math.max(2 * this.cellOf.length, state + 1));
    const from = this.cellsAt[this.count - 1];
    const known = this.cellOf[state];
    if (known >= from && known < this.cells && this.state[known] === state) {
      this.seconds[known] += seconds;
      this.cellEvents[known] += events;
      return;
    }
    if (this.cells === this.state.length) {
      this.state = widened(this.state);
      this.seconds = widened(this.seconds);
      this.cellEvents = widened(this.cellEvents);
    }
    this.cellOf[state] = this.cells;
    this.state[this.cells] = state;
    this.seconds[this.cells] = seconds;
    this.cellEvents[this.cells++] = events;
    this.cellsAt[this.count] = this.cells;
  }

  private widenSpans(): void {
    this.start = widened(this.start);
    this.end = widened(this.end);
    this.events = widened(this.events);
    this.first = widened(this.first);
    this.cellsAt = widened(this.cellsAt, 2 * this.start.length + 1);
  }
}
