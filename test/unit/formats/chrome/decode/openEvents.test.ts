import fc from "fast-check";
import { expect, test } from "vitest";
import { OpenEvents } from "../../../../../src/formats/chrome/decode/openEvents";

const unchecked = { check: () => undefined };

test("events that follow each other are joined in whatever way the buffers of their begins and of their ends are interleaved", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ gap: fc.integer({ min: 1, max: 9 }), length: fc.integer({ min: 1, max: 9 }) }), {
        maxLength: 30,
      }),
      fc.infiniteStream(fc.boolean()),
      (stretches, turns) => {
        let at = 0;
        const events = stretches.map(({ gap, length }) => ({ begins: (at += gap), ends: (at += length) }));
        const [begins, ends] = [[...events.keys()], [...events.keys()]];
        const open = new OpenEvents();
        const joined = new Map<number, number>();
        while (begins.length + ends.length > 0) {
          const isBegin = ends.length === 0 || (begins.length > 0 && turns.next().value);
          const event = (isBegin ? begins : ends).shift() as number;
          if (isBegin) open.begin(1, events[event].begins, event, 0);
          else {
            const ended = open.end(1, events[event].ends);
            if (ended) joined.set(ended.event, events[event].ends);
          }
        }
        const rest = open.finish(({ event }, microseconds) => joined.set(event, microseconds), unchecked);
        expect(rest).toEqual({ unfinished: [], unmatched: 0 });
        expect(events.map((_, event) => joined.get(event))).toEqual(events.map(({ ends: end }) => end));
      },
    ),
  );
});
