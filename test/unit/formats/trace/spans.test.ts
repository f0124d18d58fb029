import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { finishTrace } from "../../../../src/formats/trace/finishTrace";
import { TraceBuilder } from "../../../../src/formats/trace/traceBuilder";
import { quietTask } from "../../../../src/model/task";
import { INNERMOST, type SpanColumns, type Trace } from "../../../../src/model/trace";
import { casesOf, seeds } from "../../randomCases";
import { type NaiveSpan, naiveSpans } from "./naiveSpans";
import { type NaiveEvent, naiveTrace } from "./naiveTrace";
import { frameOf, tell, toldFiles } from "./tellings";

function spansOf(columns: SpanColumns, trace: Trace): NaiveSpan[] {
  const { count, start, end, events, first, cellsAt, state, seconds, cellEvents } = columns;
  const { frame, category } = trace.states;
  return Array.from({ length: count }, (_, span) => ({
    start: start[span],
    end: end[span],
    events: events[span],
    first: first[span],
    cells: Object.fromEntries(
      Array.from({ length: cellsAt[span + 1] - cellsAt[span] }, (_, one) => {
        const cell = cellsAt[span] + one;
        return [`${frame[state[cell]]} ${category[state[cell]]}`, [seconds[cell], cellEvents[cell]]];
      }),
    ),
  }));
}

/** What is to be read of a row: what begins in the window, and what is long and still runs at its start. */
function within(spans: readonly NaiveSpan[], from: number, to: number, exponent: number): NaiveSpan[] {
  const isLong = ({ start, end, events }: NaiveSpan) => events === 1 && end - start >= 2 ** exponent;
  return spans.filter(
    (span) => (span.start >= from && span.start < to) || (span.start < from && isLong(span) && span.end > from),
  );
}

async function expectSpans(
  trace: Trace,
  lane: number,
  events: readonly NaiveEvent[],
  windows: readonly [number, number, number][],
) {
  const depths = Math.max(0, ...events.map(({ depth }) => depth + 1));
  expect(trace.depths(lane).rows).toBe(depths);
  const rows = [INNERMOST, ...Array.from({ length: depths }, (_, depth) => depth)];
  for (const [exponent, first, length] of windows) {
    const step = 2 ** exponent;
    const [from, to] = [first * step, (first + length) * step];
    const read = await trace.spans(lane, rows, from, to, exponent);
    const expected = rows.map((row) => within(naiveSpans(events, row, exponent), from, to, exponent));
    expect(read.map((one) => spansOf(one, trace))).toEqual(expected);
  }
}

describe("spans of a lane", () => {
  it("are what an independent scan of all events finds, at any resolution and in any window", async () => {
    const window = fc.tuple(
      fc.integer({ min: -4, max: 4 }),
      fc.integer({ min: -2, max: 60 }),
      fc.integer({ min: 1, max: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(toldFiles, fc.array(window, { minLength: 1, maxLength: 4 }), async (told, windows) => {
        const parts = [];
        for (const one of told) {
          const builder = new TraceBuilder(memoryColumnFiles);
          await tell(one, builder);
          parts.push({ builder, frameOf });
        }
        const { trace } = await finishTrace(parts, {}, quietTask);
        const naive = naiveTrace(told);
        for (const [lane, { events }] of naive.lanes.entries()) await expectSpans(trace, lane, events, windows);
        await trace.close();
      }),
      { numRuns: casesOf(400) },
    );
  });

  // Far more events than a row keeps spans: fine windows are made of the events themselves.
  it.each(seeds(40))("are that of thousands of events, seed %i", async (seed) => {
    const random = randomOf(seed);
    const builder = new TraceBuilder(memoryColumnFiles);
    builder.lane({ name: "lane", resource: -1, location: -1, kind: "intervals" });
    const categories = [builder.category("a", "compute"), builder.category("b", "compute")];
    const events = randomEvents(random, 600 + random(1800));
    for (const { start, end, frame, category } of events) builder.event(0, start, end, frame, -1, categories[category]);
    const { trace } = await finishTrace([{ builder }], {}, quietTask);
    const last = Math.max(...events.map(({ end }) => end));
    const windows = Array.from({ length: 24 }, (): [number, number, number] => {
      const exponent = random(22) - 10;
      const steps = Math.ceil(last / 2 ** exponent);
      return [exponent, random(steps + 2) - 1, 1 + random(200)];
    });
    await expectSpans(trace, 0, events, windows);
    await trace.close();
  });
});

function randomOf(seed: number): (below: number) => number {
  let state = (seed % 2147483646) + 1;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}

/** Nested calls of very different lengths, some of which cross others; times are multiples of 2^-10 s, so that sums are exact. */
function randomEvents(random: (below: number) => number, count: number): NaiveEvent[] {
  const events: NaiveEvent[] = [];
  const unit = 2 ** -10;
  let at = 0;
  const call = (from: number, until: number, depth: number) => {
    events.push({ start: from, end: until, frame: random(4), context: -1, category: random(2), depth: 0 });
    let time = from;
    while (depth < 4 && events.length < count && random(4) > 0) {
      const start = time + random(1 << random(7));
      const end = start + random(1 << random(12));
      if (end > until) break;
      call(start, end, depth + 1);
      time = end;
    }
  };
  while (events.length < count) {
    at += random(1 << random(8));
    const end = at + (1 << random(16));
    call(at, end, 0);
    // One in fifty crosses what comes next.
    at = random(50) === 0 ? Math.floor((at + end) / 2) : end;
  }
  const sorted = events
    .map((event) => ({ ...event, start: event.start * unit, end: event.end * unit }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  return withDepths(sorted);
}

/** The depth of an event is the number of events that are open when it begins. */
function withDepths(events: readonly NaiveEvent[]): NaiveEvent[] {
  const isOpen: NaiveEvent[] = [];
  return events.map((event) => {
    const open = isOpen.filter(({ end }) => end > event.start);
    isOpen.length = 0;
    isOpen.push(...open);
    if (event.end > event.start) isOpen.push(event);
    return { ...event, depth: open.length };
  });
}
