import * as v from "valibot";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Engine, Scope } from "../../../../src/engine/api";
import type { PanelDefinition } from "../../../../src/panels/kit/definition";
import { Panel } from "../../../../src/panels/kit/panel";
import type { PanelSource } from "../../../../src/panels/kit/panelSource";
import { CancelledError } from "../../../../src/model/errors";
import { parse } from "../../../../src/protocol/bounds";
import { frame } from "../../../../src/protocol/frame";
import type { Selection, SessionDataSet } from "../../../../src/session/session";
import { dataSetInfo } from "../../session/sampleInfo";
import { PanelWindow } from "../panelWindow";

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../../session/standInForVsCode");
  return standIn(heardNothing());
});

type Kept = { depth: number; other?: number };

const info = { ...dataSetInfo(), key: "a-key" };
const scope: Scope = { dataSet: info.id, metric: 0, over: "sum" };

describe("a panel", () => {
  let here: PanelWindow;
  let followed: string[];
  let definition: PanelDefinition<Kept, number, number, never>;

  beforeEach(() => {
    here = new PanelWindow({} as Engine, () => scope);
    here.hold([info]);
    followed = [];
    definition = {
      id: "sample",
      title: "Sample",
      saved: "sample",
      start: { depth: 2 },
      state: v.object({ depth: v.number() }),
      controls: () => [],
      unmeasured: () => undefined,
      asked: ({ state: { depth, other } }) => [depth, { scope: { dataSet: other } }],
      ask: ({ state }) => Promise.resolve(state.depth),
      content: (shown) => shown,
      notes: () => ["Said.", { text: "One more.", link: { id: "more", text: "Show it" } }],
      steps: ({ state }) => Array.from({ length: state.depth }, (_, at) => ({ id: `${at}`, text: `step ${at}` })),
      choose: (_, id, value) => (id === "step" ? { depth: Number(value) + 1 } : undefined),
      members: { part: () => undefined, of: () => undefined },
      links: { more: () => void followed.push("more") },
    };
  });

  const open = (start: Kept = { depth: 2 }) => new Panel(here.parts, here.panel, definition, "a-key", start);
  const posted = (type: string) => here.posted.filter((message) => message.type === type);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const say = async (message: { type: string; [name: string]: unknown }) => {
    here.say(message);
    await settled();
  };
  const ready = { type: "ready", width: 800, height: 600 };

  it.each([
    ["takes the group that it was opened beside if it is too narrow", 280, [1]],
    ["stays beside it else", 420, []],
  ])("%s", async (_, width, columns) => {
    const revealed: unknown[] = [];
    const panel = { ...here.panel, reveal: (column: unknown) => revealed.push(column) };
    const opened = new Panel(here.parts, panel as unknown as typeof here.panel, definition, "a-key", { depth: 2 });
    opened.besideOf = 1;
    const room = { width, height: 700, windowWidth: 650 };
    await say({ ...ready, room });
    // Once: whoever drags the border afterwards wants it there.
    await say({ ...ready, type: "resize", room: { ...room, width: 200 } });
    expect(revealed).toEqual(columns);
  });

  it("goes back to a step", async () => {
    open();
    await say(ready);
    await say({ type: "step", id: "0" });
    expect(posted("content").map(({ content }) => content)).toEqual([2, 1]);
    expect(posted("frame").at(-1)?.steps).toEqual([{ id: "0", text: "step 0" }]);
  });

  it("over time follows the window that another view shows, and says which it shows itself", async () => {
    definition = { ...definition, overTime: true, look: (shown) => Promise.resolve(shown) };
    open();
    await say(ready);
    const { windows } = here.parts.session;
    windows.show(info.id, { from: 1, to: 2 });
    windows.show(info.id + 1, { from: 3, to: 4 });
    await say({ type: "window", window: { from: 5, to: 6 } });
    await say({ type: "window", window: { from: 6, to: 5 } });
    expect(windows.of(info.id)).toEqual({ from: 5, to: 6 });
    windows.show(info.id, undefined);
    expect(posted("window")).toEqual([{ type: "window", window: { from: 1, to: 2 } }, { type: "window" }]);
    expect(posted("content")).toHaveLength(1);
  });

  it("apart from the others has a window of its own: it neither follows theirs nor moves it", async () => {
    let seen: unknown = "nothing";
    definition = {
      ...definition,
      overTime: true,
      apart: { open: () => undefined, is: ({ depth }) => depth === 3 },
      look: (shown) => Promise.resolve(shown),
      choose: ({ window }, _, __, panel) => {
        seen = window;
        panel.showWindow({ from: 8, to: 9 });
        return undefined;
      },
    };
    open({ depth: 3 });
    await say(ready);
    const { windows } = here.parts.session;
    windows.show(info.id, { from: 1, to: 2 });
    await say({ type: "window", window: { from: 5, to: 6 } });
    expect([windows.of(info.id), posted("window")]).toEqual([{ from: 1, to: 2 }, []]);
    await say({ type: "step", id: "0" });
    expect(seen).toEqual({ from: 5, to: 6 });
    expect([windows.of(info.id), posted("window")]).toEqual([
      { from: 1, to: 2 },
      [{ type: "window", window: { from: 8, to: 9 } }],
    ]);
  });

  it("over time without a part in sight asks anew about the window that another view shows", async () => {
    definition = {
      ...definition,
      overTime: true,
      asked: ({ window }) => window?.from,
      ask: ({ window }) => Promise.resolve(window?.from ?? 0),
    };
    open();
    await say(ready);
    here.parts.session.windows.show(info.id, { from: 7, to: 8 });
    await settled();
    expect(posted("content").map(({ content }) => content)).toEqual([0, 7]);
  });

  it("follows links of its notes, and none that it has not", async () => {
    open();
    await say(ready);
    expect(posted("frame").at(-1)?.notices).toMatchObject([
      { text: "Said." },
      { text: "One more.", link: { id: "more", text: "Show it" } },
    ]);
    for (const id of ["more", "less", "constructor"]) await say({ type: "notice-link", id });
    expect([followed, posted("problem")]).toEqual([["more"], []]);
  });

  it("says what went wrong before anything was asked, and that no selection could be followed", async () => {
    const wrong = () => {
      throw new Error("No control knows that.");
    };
    definition = { ...definition, controls: wrong };
    open();
    await say(ready);
    expect(posted("problem").at(-1)?.message).toBe("No control knows that.");
    here.select(undefined);
    await settled();
    expect(posted("notice").map(({ message }) => message)).toEqual(["No control knows that."]);
  });

  it("highlights what it has to ask for when that is known, unless something else is highlighted by then", async () => {
    const answers: ((places: number[]) => void)[] = [];
    definition = {
      ...definition,
      highlighted: (_, { lanes }) =>
        lanes.includes(9)
          ? Promise.reject(new Error("Nobody knows."))
          : new Promise((resolve) => answers.push(resolve)),
    };
    open();
    await say(ready);
    const { session } = here.parts;
    const highlight = (lanes: number[]) =>
      session.setHighlight({ dataSet: info.id, lanes, kinds: [], name: `${lanes[0]}` });
    const told = () => posted("highlight").map(({ name, places }) => [name, places]);
    highlight([1]);
    highlight([2]);
    await settled();
    const before = told();
    answers[1]([12]);
    answers[0]([11]);
    await settled();
    expect(told()).toEqual([...before, ["2", [12]]]);
    highlight([9]);
    await settled();
    expect(posted("notice").at(-1)?.message).toBe("Nobody knows.");
    // The frame of what was highlighted before does not stay.
    expect(told().at(-1)).toEqual([undefined, []]);
  });

  it("highlights the place of a mark in all views, once it is selected, until something else is or it is asked again", async () => {
    const target = { kind: "context", context: 0 } as const;
    definition = {
      ...definition,
      subject: (_, mark) => ({
        target: mark === 2 ? target : undefined,
        name: `lane ${mark}`,
        at: { lanes: [mark ?? 0] },
      }),
      highlighted: (_, { lanes }) => lanes.map((lane) => lane + 100),
      actions: { kind: (_, __, panel) => panel.highlight({ kinds: ["communication"] }, "communication") },
    };
    Object.assign(here.parts.session.engine, { hotPlaces: () => Promise.resolve([]) });
    open();
    await say(ready);
    const { session } = here.parts;
    const told = () => posted("highlight").at(-1);
    expect(told()).toEqual({ type: "highlight", revision: 1, places: [], kinds: [] });
    await say({ type: "mark", action: "select", revision: 1, mark: 1 });
    expect(told()).toEqual({ type: "highlight", revision: 1, name: "lane 1", places: [101], kinds: [] });
    // A place is no part of the program.
    expect(here.selections).toEqual([]);
    await say({ type: "mark", action: "select", revision: 1, mark: 2 });
    expect([told()?.places, here.selections.map((one) => one.target)]).toEqual([[102], [target]]);
    await say({ type: "mark", action: "kind", revision: 1, mark: 2 });
    expect(told()).toMatchObject({ name: "communication", places: [], kinds: ["communication"] });
    await say({ type: "mark", action: "kind", revision: 1, mark: 2 });
    expect([told()?.name, session.highlight]).toEqual([undefined, undefined]);
    // What is of another recording is not here.
    session.setHighlight({ dataSet: info.id + 1, lanes: [1], kinds: [], name: "other" });
    expect(told()).toMatchObject({ places: [], kinds: [] });
    expect(told()).not.toHaveProperty("name");
    definition = { ...definition, others: () => [info.id + 1] };
    open();
    await say(ready);
    // Unless values of it are shown, too.
    expect(told()).toMatchObject({ name: "other", places: [101] });
  });

  it("says that lines and trees are of another recording, where a mark of that one is selected", async () => {
    const other = { ...info, id: info.id + 1, key: "b-key", name: "other.cali" };
    here.hold([info, other]);
    const target = { kind: "context", context: 0 } as const;
    definition = {
      ...definition,
      subject: (_, mark) => ({ target, name: "f", ...(mark === 1 ? { scope: { ...scope, dataSet: other.id } } : {}) }),
    };
    const engine = { hotPlaces: () => Promise.resolve([]) };
    Object.assign(here.parts.session.engine, engine);
    open();
    await say(ready);
    const said = () => posted("notice").map(({ message }) => message);
    for (const mark of [0, 0, 1, 1]) await say({ type: "mark", action: "open", revision: 1, mark });
    const sentence = "Lines, CodeLens and trees show other.cali now.";
    expect(said().filter((message) => message === sentence)).toHaveLength(1);
  });

  it("opens what it is of, once it is in sight, and says why that did not go", async () => {
    const link = { id: "more", text: "Show it" };
    let isThere = false;
    let opened = 0;
    const source: PanelSource = {
      get dataSet() {
        return isThere ? info : undefined;
      },
      isOpenedFirst: true,
      open: () => {
        here.read({ text: "a.cali: 34.0 MB of 111 MB", fraction: 0.3 });
        return Promise.resolve(++opened).then(() => undefined);
      },
      closed: () => ({ kind: "closed", message: "It is no recording.", action: "open", link }),
    };
    new Panel(here.parts, here.panel, definition, source, { depth: 2 });
    await settled();
    expect([opened, here.posted]).toEqual([0, []]);
    await say(ready);
    expect(posted("progress").map(({ message, fraction }) => [message, fraction])).toEqual([
      ["Opening the recording", undefined],
      ["Opening a.cali: 34.0 MB of 111 MB", 0.3],
    ]);
    expect([opened, posted("problem")]).toMatchObject([1, [{ message: "It is no recording.", action: "open", link }]]);
    isThere = true;
    await say({ type: "open-data-set" });
    expect([opened, posted("content").length]).toEqual([2, 1]);
  });

  it("says something of a recording in which nothing adds up, where it need not", async () => {
    here = new PanelWindow({} as Engine, () => undefined as unknown as Scope);
    here.hold([info]);
    definition = { ...definition, needsMetric: false };
    open();
    await say(ready);
    expect(posted("content").map(({ content }) => content)).toEqual([2]);
    expect(posted("frame").at(-1)?.controls).toEqual([]);
  });

  it("names marks anew when a recording, or one that it is compared with, was read again", async () => {
    const other = { ...info, id: 7, key: "other" };
    const revisions = () => posted("content").map(({ revision }) => revision);
    const hold = async (...dataSets: SessionDataSet[]) => {
      here.hold(dataSets);
      await settled();
    };
    await hold(info, other);
    open({ depth: 2, other: 7 });
    await say(ready);
    // Links were found: marks mean the same.
    here.changeCosts();
    await settled();
    expect(revisions()).toEqual([1, 1]);
    await hold(info, other);
    expect(revisions()).toEqual([1, 1]);
    await hold({ ...info }, other);
    expect(revisions()).toEqual([1, 1, 2]);
    await hold(here.parts.session.dataSets[0], { ...other });
    expect(revisions()).toEqual([1, 1, 2, 3]);
  });

  it("asks anew of a recording that was read again, with none of the answers that there were of it", async () => {
    const other = { ...info, id: 7, key: "other" };
    const answers: number[][] = [];
    definition = {
      ...definition,
      ask: ({ state }, _, before) => (answers.push(before.map(({ shown }) => shown)), Promise.resolve(state.depth)),
    };
    here.hold([info, other]);
    open({ depth: 2, other: 7 });
    await say(ready);
    await say({ type: "step", id: "0" });
    expect(answers.at(-1)).toEqual([2]);
    // One that was closed is no other one.
    here.hold([info]);
    await settled();
    await say({ type: "step", id: "1" });
    expect(answers.at(-1)?.at(-1)).toBe(2);
    here.hold([{ ...info }]);
    await settled();
    expect(answers.at(-1)).toEqual([]);
  });

  it("is called what it shows and of what, but for the tab of a file", () => {
    const named = { ...here.panel, title: "" };
    new Panel(here.parts, named, definition, "a-key", { depth: 2 });
    expect(named.title).toBe(`Sample · ${info.name}`);
    const ofFile = { ...here.panel, title: "run.cali" };
    const source = {
      dataSet: info,
      hasFile: true,
      open: () => Promise.resolve(undefined),
      closed: () => ({ kind: "closed", message: "" }),
    };
    new Panel(here.parts, ofFile, definition, source as PanelSource, { depth: 2 });
    expect(ofFile.title).toBe("run.cali");
  });

  it("wants no recording any more once its tab is closed", async () => {
    let isWanted: (() => boolean) | undefined;
    const source: PanelSource = {
      dataSet: undefined,
      isOpenedFirst: true,
      open(wanted) {
        isWanted = wanted;
        return new Promise(() => undefined);
      },
      closed: () => ({ kind: "closed", message: "It is closed." }),
    };
    new Panel(here.parts, here.panel, definition, source, { depth: 2 });
    await say(ready);
    expect(isWanted?.()).toBe(true);
    here.close();
    expect(isWanted?.()).toBe(false);
  });

  it("does nothing with marks of a reading that is gone", async () => {
    const used: unknown[] = [];
    let next: Promise<number> = Promise.resolve(2);
    definition = { ...definition, ask: () => next, actions: { copy: (_, mark) => void used.push(mark) } };
    open();
    await say(ready);
    await say({ type: "mark", action: "copy", revision: 1, mark: 5 });
    expect(used).toEqual([5]);
    next = new Promise(() => undefined);
    here.hold([{ ...info }]);
    await settled();
    await say({ type: "mark", action: "copy", revision: 1, mark: 6 });
    expect(used).toEqual([5]);
  });

  it("looks into what is on screen, when a question for something else was cancelled", async () => {
    const looked: number[] = [];
    definition = {
      ...definition,
      choose: (_, id, value) => (id === "depth" ? { depth: Number(value) } : undefined),
      controls: () => [
        {
          kind: "select",
          id: "depth",
          name: "Depth",
          value: "2",
          choices: ["2", "3"].map((value) => ({ value, label: value })),
        },
      ],
      ask: ({ state }, task) =>
        state.depth === 2
          ? Promise.resolve(2)
          : new Promise((_, reject) => task.onCancel?.(() => reject(new CancelledError()))),
      look: (shown, { state }) => {
        looked.push(state.depth);
        return Promise.resolve(shown);
      },
    };
    open();
    await say(ready);
    await say({ type: "control", id: "depth", value: "3" });
    await say({ type: "cancel" });
    await say({ type: "look", revision: 1, look: {} });
    expect(looked).toEqual([2]);
  });

  describe("that is shown what is near before what was asked", () => {
    let asked: { readonly of: number; readonly settle: (shown: number) => void; readonly fail: (why: Error) => void }[];
    const contents = () => posted("content").map(({ content, revision, near }) => [content, revision, near]);

    beforeEach(() => {
      asked = [];
      definition = {
        ...definition,
        ask: ({ state }) => Promise.resolve(state.depth + 0.5),
        refinement: {
          isDue: (shown) => shown !== 1.5,
          ask: (_, { state: { depth } }, task) =>
            new Promise((settle, fail) => {
              asked.push({ of: depth, settle, fail });
              task.onCancel?.(() => fail(new CancelledError()));
            }),
        },
        later: [{ depends: ({ state: { other } }) => other ?? null, ask: (shown) => shown as never }],
        asked: ({ state: { depth } }) => depth,
      };
    });

    it("marks it, and shows the exact answer in its place as soon as that is there", async () => {
      open();
      await say(ready);
      expect(contents()).toEqual([[2.5, 1, "refining"]]);
      expect(posted("progress").at(-1)?.message).toBe("refining…");
      asked[0].settle(2);
      await settled();
      expect(contents().at(-1)).toEqual([2, 2, undefined]);
      expect(posted("problem")).toEqual([]);
    });

    it("asks no more for what another question has taken the place of", async () => {
      const panel = open();
      await say(ready);
      await panel.change({ depth: 1 });
      await settled();
      // That one is exact.
      expect(contents().slice(1)).toEqual([[1.5, 2, undefined]]);
      asked[0].settle(2);
      await settled();
      expect([contents().length, asked.length, posted("problem")]).toEqual([2, 1, []]);
    });

    it("says of a part that takes longer that it is on its way, and takes that back where it fails", async () => {
      const parts: { settle: (part: never) => void; fail: (why: Error) => void }[] = [];
      definition = {
        ...definition,
        later: [
          {
            depends: ({ state: { other } }) => other ?? null,
            ask: () => new Promise<never>((settle, fail) => parts.push({ settle, fail })),
            pending: () => ({ meanwhile: "on its way" as never, failed: "none" as never }),
          },
        ],
      };
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      try {
        const panel = open();
        await say(ready);
        const sent = () => posted("part").map(({ part }) => part);
        vi.advanceTimersByTime(200);
        expect(sent()).toEqual([]);
        vi.advanceTimersByTime(200);
        expect(sent()).toEqual(["on its way"]);
        parts[0].settle("here" as never);
        await settled();
        await panel.change({ other: 4 });
        parts[1].settle("sooner" as never);
        await settled();
        vi.advanceTimersByTime(1000);
        expect(sent()).toEqual(["on its way", "here", "sooner"]);
        await panel.change({ other: 5 });
        vi.advanceTimersByTime(1000);
        parts[2].fail(new Error("no room"));
        await settled();
        expect(sent().slice(3)).toEqual(["on its way", "none"]);
        expect(posted("problem")).toHaveLength(1);
        // One that another has taken the place of says nothing.
        await panel.change({ other: 6 });
        await panel.change({ other: 7 });
        parts[4].settle("last" as never);
        await settled();
        vi.advanceTimersByTime(1000);
        expect(sent().slice(5)).toEqual(["last"]);
      } finally {
        vi.useRealTimers();
      }
    });

    it("goes on while something else of it is looked at", async () => {
      const panel = open();
      await say(ready);
      await panel.change({ other: 4 });
      await settled();
      expect([contents().length, asked.length, posted("part").length]).toEqual([1, 1, 2]);
      asked[0].settle(2);
      await settled();
      expect(contents().at(-1)).toEqual([2, 2, undefined]);
      // It is of what is looked at now.
      expect(posted("frame").at(-1)?.restore).toMatchObject({ other: 4 });
    });

    it.each([
      ["was cancelled", "Cancelled.", () => here.say({ type: "cancel" })],
      ["went wrong", "The file is gone.", () => asked[0].fail(new Error("The file is gone."))],
    ])("stays near where the exact answer %s", async (_, message, end) => {
      open();
      await say(ready);
      end();
      await settled();
      expect(posted("near")).toEqual([{ type: "near", revision: 1, near: "nearest" }]);
      expect(posted("problem")).toMatchObject([{ message }]);
      expect(contents()).toHaveLength(1);
    });
  });

  it("marks what was selected in another panel of its kind", async () => {
    definition = { ...definition, markOf: () => 4 };
    open();
    await say(ready);
    const before = posted("selection").length;
    here.select({ dataSet: info.id, target: { function: 1 }, name: "solve", origin: "sample" } as unknown as Selection);
    await settled();
    expect(posted("selection").slice(before)).toEqual([{ type: "selection", revision: 1, mark: 4 }]);
  });

  it("has the target run that was chosen elsewhere, when it comes into sight and while it is", async () => {
    const targeted = new Set<string>();
    definition = {
      ...definition,
      targeted: ({ session: { ensembleTarget }, state }) => {
        const depth = Number(ensembleTarget?.run);
        return depth === state.depth ? undefined : { depth };
      },
      ask: ({ state: { depth } }) => {
        targeted.add(String(depth));
        return Promise.resolve(depth);
      },
    };
    here.target({ dataSet: info.id, run: "5" });
    open();
    await say(ready);
    expect([...targeted]).toEqual(["5"]);
    here.target({ dataSet: info.id, run: "7" });
    await settled();
    await settled();
    expect([...targeted]).toEqual(["5", "7"]);
    expect(posted("content").at(-1)).toMatchObject({ content: 7 });
  });

  it("says as many notes as a message holds, and how many more there are", async () => {
    definition = { ...definition, notes: () => Array.from({ length: 100 }, (_, at) => `note ${at}`) };
    open();
    await say(ready);
    const message = posted("frame").at(-1);
    expect(parse(frame, message)).toEqual(message);
    expect((message?.notices as { text: string }[]).at(-1)?.text).toBe("61 more notes are not shown.");
  });
});
