import { describe, expect, it } from "vitest";
import type { DocumentMovement, FunctionMovement, LineMovement, Moved, MovedTransfers } from "../../../src/engine/api";
import { heatLevel, lineDecorations } from "../../../src/editor/heat";
import { directionText, movementBlock, movementLensTitle, movementText } from "../../../src/editor/movementTexts";

const nothing: Moved = {
  transfers: { bytes: 0, count: 0, seconds: 0 },
  parts: [],
  messages: { bytes: 0, count: 0, partners: 0, heaviest: [] },
  received: { bytes: 0, count: 0, partners: 0, heaviest: [] },
  collectives: { bytes: 0, count: 0 },
};

const toDevice: MovedTransfers = {
  direction: "HtoD",
  moves: true,
  fromDevice: -1,
  toDevice: 0,
  bytes: 2_150_000_000,
  count: 2,
  seconds: 0.06,
};
const copies: Moved = { ...nothing, transfers: { bytes: 2_150_000_000, count: 2, seconds: 0.061 }, parts: [toDevice] };
const messages: Moved = {
  ...nothing,
  messages: {
    bytes: 1_230_000,
    count: 93,
    partners: 3,
    heaviest: [
      { partner: "rank 4", bytes: 800_000, count: 50 },
      { partner: "rank 1", bytes: 430_000, count: 43 },
    ],
  },
};
const faults: Moved = {
  ...nothing,
  parts: [
    { direction: "pagefaults.gpu", moves: false, fromDevice: -1, toDevice: -1, bytes: 0, count: 29, seconds: 1.2e-3 },
  ],
};

describe("what is said of moved data", () => {
  it("is bytes, direction and rate behind a line, or how many ranks it goes to", () => {
    expect(movementText(copies)).toBe("⇄ 2.15 GB H→D · 35.2 GB/s");
    expect(movementText(messages)).toBe("⇄ 1.23 MB to 3 ranks");
    expect(movementText({ ...nothing, received: messages.messages })).toBe("⇄ 1.23 MB from 3 ranks");
    expect(movementText({ ...nothing, collectives: { bytes: 1464, count: 183 } })).toBe("⇄ 1.46 kB to collectives");
  });

  it("names two directions, most bytes first", () => {
    const back: MovedTransfers = {
      ...toDevice,
      direction: "DtoH",
      fromDevice: 0,
      toDevice: -1,
      bytes: 1e9,
      seconds: 0.03,
    };
    const between: MovedTransfers = { ...back, direction: "PtoP", toDevice: 1, bytes: 1e6 };
    expect(movementText({ ...copies, parts: [toDevice, back, between] })).toBe(
      "⇄ 2.15 GB H→D, 1.00 GB D→H, 1 more · 35.2 GB/s",
    );
    // Pairs of devices are one direction.
    expect(movementText({ ...copies, parts: [toDevice, { ...toDevice, toDevice: 1, bytes: 5e7 }] })).toBe(
      "⇄ 2.20 GB H→D · 35.2 GB/s",
    );
  });

  it("is times and time alone of what moves no bytes, and a count of what has no sizes", () => {
    expect(movementText(faults)).toBe("⇄ 29× pagefaults.gpu · 1.20 ms");
    expect(movementText({ ...nothing, messages: { bytes: 0, count: 1, partners: 1, heaviest: [] } })).toBe(
      "⇄ 1 message to 1 rank",
    );
    expect(
      movementText({ ...copies, transfers: { bytes: 0, count: 2, seconds: 1 }, parts: [{ ...toDevice, bytes: 0 }] }),
    ).toBe("⇄ 2 transfers H→D");
  });

  it("keeps the words of the recording where they are no pair of letters", () => {
    expect(directionText("AtoH")).toBe("A→H");
    expect(directionText("MEMCPY_HOST_TO_DEVICE")).toBe("MEMCPY_HOST_TO_DEVICE");
  });

  it("is bytes and share of the run above a function, and nothing where only memory was touched", () => {
    const own = { line: 1, function: 0 };
    expect(movementLensTitle({ ...own, ...copies }, { seconds: 0.61 })).toBe(
      "⇄ 2.15 GB moved, during 10.0 % of the run",
    );
    expect(movementLensTitle({ ...own, ...messages }, { seconds: 1 })).toBe("⇄ 1.23 MB sent in 93 messages to 3 ranks");
    expect(
      movementLensTitle({ ...own, ...messages, received: { ...messages.messages, partners: 1 } }, { seconds: 1 }),
    ).toBe("⇄ 1.23 MB sent in 93 messages to 3 ranks · 1.23 MB received in 93 messages from 1 rank");
    expect(movementLensTitle({ ...own, ...faults }, { seconds: 1 })).toBeUndefined();
  });

  it("splits by direction and device pair in a hover, and by partner", () => {
    const text = (line: Moved) =>
      movementBlock([{ line: 3, ...line }])
        .replaceAll("\\", "")
        .replaceAll("\u00a0", " ");
    expect(text(copies)).toContain("| 2.15 GB | 35.8 GB/s | H→D, host → GPU 0, 2× |");
    expect(text(messages)).toContain("| 800 kB | 50 messages | to rank 4 |");
    expect(text(messages)).toContain("1 more rank");
    expect(text(faults)).toContain("| 29× | 1.20 ms | pagefaults.gpu, 29× |");
  });
});

describe("lines that move data", () => {
  const line = (number: number, moved: Moved): LineMovement => ({ line: number, ...moved });
  const total: Moved = { ...copies, messages: messages.messages };
  const moved: DocumentMovement = {
    lines: [line(7, copies), line(9, messages), line(11, faults)],
    functions: [] as FunctionMovement[],
    total,
    seconds: 1,
  };
  const costs = {
    lines: [
      { line: 5, exclusive: 1, share: 0.5 },
      { line: 7, exclusive: 0.5, share: 0.25 },
    ],
    calls: [],
    functions: [],
    drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 },
  };
  const options = { unit: "s", minimumShare: 0.001, inlineCost: true };

  it("say so behind what they cost, and stay as hot as their time is", () => {
    expect(lineDecorations(costs, { ...options, moved })).toEqual([
      { line: 5, level: heatLevel(0.5), text: "1.00 s · 50.0 %" },
      { line: 7, level: heatLevel(0.25), text: "500 ms · 25.0 %  ⇄ 2.15 GB H→D · 35.2 GB/s" },
      // A thousandth of the bytes is shown nowhere, as a thousandth of the time is.
      { line: 11, level: undefined, text: "⇄ 29× pagefaults.gpu · 1.20 ms" },
    ]);
  });

  it("are as hot as their bytes where heat is by bytes", () => {
    const decorations = lineDecorations(costs, { ...options, minimumShare: 0.0001, heatBy: "bytes", moved });
    expect(decorations.map(({ line: number, level }) => [number, level])).toEqual([
      [5, undefined],
      [7, heatLevel(0.9994)],
      [9, heatLevel(0.0006)],
      [11, undefined],
    ]);
    // Then what makes the line hot comes first.
    expect(decorations[1].text).toBe("⇄ 2.15 GB H→D · 35.2 GB/s  500 ms · 25.0 %");
  });

  it("have no heat by bytes while these are not known, and no text where none is wanted", () => {
    expect(lineDecorations(costs, { ...options, heatBy: "bytes" }).map(({ level }) => level)).toEqual([
      undefined,
      undefined,
    ]);
    expect(
      lineDecorations(costs, { ...options, inlineCost: false, moved }).every(({ text }) => text === undefined),
    ).toBe(true);
  });

  it("are text only where they have several places", () => {
    const several = { ...moved, lines: [{ ...line(7, copies), oneOf: 2 }] };
    expect(lineDecorations({ ...costs, lines: [] }, { ...options, heatBy: "bytes", moved: several })).toEqual([
      { line: 7, level: undefined, text: "⇄ 2.15 GB H→D · 35.2 GB/s (one of 2 places)" },
    ]);
  });
});
