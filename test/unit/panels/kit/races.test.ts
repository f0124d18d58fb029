/** A panel whose questions are answered in any order, while its recording is read again, closed and opened. */
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import type { Engine, Scope } from "../../../../src/engine/api";
import type { PanelDefinition } from "../../../../src/panels/kit/definition";
import { Panel } from "../../../../src/panels/kit/panel";
import { CancelledError, RequestError } from "../../../../src/model/errors";
import { seeds } from "../../randomCases";
import { dataSetInfo } from "../../session/sampleInfo";
import { seeded } from "../../supergraph/random";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

interface Kept {
  readonly depth: number;
  /** What the last answer said of the reading that it is of. */
  readonly learned?: string;
}

/** An answer names the reading, the state and the ranks that it is of. */
interface Shown {
  readonly reading: string;
  readonly depth: number;
  readonly over: string;
}

interface Question extends Shown {
  readonly answer: () => void;
  readonly fail: (error: Error) => void;
}

class Window {
  readonly questions: Question[] = [];
  readonly here: PanelWindow;
  readonly panel: Panel<Kept, Shown, Shown, never, never>;
  over: "sum" | "mean" | "max" = "sum";
  /** The recording as it is open now, by the name of its reading. */
  reading: string | undefined = "reading 0";
  private readings = 0;
  private asked = 0;

  constructor() {
    this.here = new PanelWindow({} as Engine, ({ id }): Scope => ({ dataSet: id, metric: 0, over: this.over }));
    const definition: PanelDefinition<Kept, Shown, Shown, never> = {
      id: "sample",
      title: "Sample",
      saved: "sample",
      start: { depth: 2 },
      state: v.object({ depth: v.number(), learned: v.optional(v.string()) }),
      controls: () => [],
      unmeasured: () => undefined,
      asked: ({ state: { depth }, scope }) => [depth, scope],
      ask: ({ dataSet: { name: reading }, state: { depth }, scope: { over } }, task) => {
        const shown = { reading, depth, over: String(over) };
        return new Promise((resolve, reject) => {
          this.questions.push({ ...shown, answer: () => resolve(shown), fail: reject });
          // A worker in the middle of a computation answers a question that was cancelled.
          if (++this.asked % 2 === 0) task.onCancel?.(() => reject(new CancelledError()));
        });
      },
      learned: ({ reading }) => ({ learned: reading }),
      content: (shown) => shown,
      notes: () => [],
      steps: ({ state }) => Array.from({ length: state.depth }, (_, at) => ({ id: `${at}`, text: `step ${at}` })),
      choose: async ({ state: { depth } }, id, value) => {
        await Promise.resolve();
        return id === "step" ? { depth: Number(value) + 1 } : { depth };
      },
    };
    this.hold();
    this.panel = new Panel(this.here.parts, this.here.panel, definition, "a-key", { depth: 3 });
  }

  private hold(): void {
    const { reading } = this;
    this.here.hold(reading === undefined ? [] : [{ ...dataSetInfo({ name: reading }), key: "a-key" } as never]);
  }

  readAgain(): void {
    this.reading = `reading ${++this.readings}`;
    this.hold();
  }

  close(): void {
    this.reading = undefined;
    this.hold();
  }

  chooseOver(over: "sum" | "mean" | "max"): void {
    this.over = over;
    this.here.changeScope(dataSetInfo().id);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a panel whose answers come in any order", () => {
  it("shows numbers of what is open now, as it was asked for last, and waits for nothing in the end", async () => {
    for (const seed of seeds(1000)) {
      const random = seeded(seed);
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)];
      const window = new Window();
      const { here, questions, panel } = window;
      const steps: string[] = [];
      let looked = 0;
      /** Contents since the last look are of what is open. */
      const look = () => {
        for (const { type, content } of here.posted.slice(looked))
          if (type === "content")
            expect((content as Shown).reading, `seed ${seed}: ${steps.join(", ")}`).toBe(window.reading);
        looked = here.posted.length;
      };
      const take = () => questions.splice(Math.floor(random() * questions.length), 1).at(0);
      const actions = {
        ready: () => here.say({ type: "ready", width: 800, height: 600 }),
        step: () => here.say({ type: "step", id: `${Math.floor(random() * 3)}` }),
        answer: () => take()?.answer(),
        fail: () => take()?.fail(new RequestError("It went wrong.")),
        readAgain: () => window.readAgain(),
        close: () => window.close(),
        over: () => window.chooseOver(pick(["sum", "mean", "max"] as const)),
        costs: () => here.changeCosts(),
        cancel: () => here.say({ type: "cancel" }),
        hide: () => here.hide(),
        show: () => {
          here.show();
          here.say({ type: "ready", width: 700, height: 600 });
        },
      };
      const names = Object.keys(actions) as (keyof typeof actions)[];
      actions.ready();
      for (let step = 0; step < 15; step++) {
        const name = pick([...names, "answer", "answer", "step"] as const);
        steps.push(name);
        actions[name]();
        if (random() < 0.6) await settled();
        look();
      }
      await settled();
      const from = here.posted.length;
      if (window.reading === undefined && random() < 0.5) window.readAgain();
      actions.show();
      await settled();
      for (let question = take(); question; question = take()) {
        question.answer();
        await settled();
        look();
      }
      const last = here.posted.slice(from).filter(({ type }) => ["content", "problem", "progress"].includes(type));
      const why = `seed ${seed}: ${steps.join(", ")}`;
      if (window.reading === undefined) expect(last.at(-1), why).toMatchObject({ type: "problem", kind: "closed" });
      else {
        const { depth } = panel.state;
        expect(last.at(-1), why).toMatchObject({
          type: "content",
          content: { reading: window.reading, depth, over: window.over },
        });
        expect(panel.state.learned, why).toBe(window.reading);
      }
      here.close();
      const closed = here.posted.length;
      window.readAgain();
      await settled();
      expect(here.posted.length, "a closed panel says nothing").toBe(closed);
    }
  });
});
