import { describe, expect, it } from "vitest";
import { numberIn } from "../../../src/session/commandArguments";
import { listOf, openedMessage } from "../../../src/session/openedMessage";
import { dataSetInfo } from "./sampleInfo";

describe("what is said after opening", () => {
  it("is nothing when what came is what was asked for", () => {
    expect(openedMessage([dataSetInfo()])).toBeUndefined();
    expect(openedMessage([])).toBeUndefined();
  });

  it("names the data sets when files belong to several runs", () => {
    const message = openedMessage([dataSetInfo({ name: "events" }), dataSetInfo({ name: "messages" })]);
    expect(message).toEqual({
      text: "The files belong to several runs and opened as 2 data sets: events, messages.",
      warn: false,
    });
  });

  it("gives the first warning and counts the others", () => {
    const warnings = [{ message: "it ends in the middle of a record" }, { message: "b" }, { message: "c" }];
    const message = openedMessage([dataSetInfo({ name: "cut.cali", warnings })]);
    expect(message?.warn).toBe(true);
    expect(message?.text).toBe("cut.cali: it ends in the middle of a record (2 more in the Data Sets view)");
  });

  it("says what holds of several files once, with their number", () => {
    const cut = (file: string) => ({ message: "the file ends early", file, isCut: true as const });
    const warnings = [cut("/a"), { message: "b" }, cut("/b"), cut("/c")];
    expect(openedMessage([dataSetInfo({ name: "run", warnings })])?.text).toBe(
      "run: the file ends early × 3 (1 more in the Data Sets view)",
    );
  });

  it("names the file that was left out, which is none of the data set", () => {
    const warnings = [{ message: "left out: found nothing", file: "/data/bad.cali", at: { line: 1 } }];
    expect(openedMessage([dataSetInfo({ warnings })])?.text).toBe("bad.cali: left out: found nothing");
    const [first] = [{ ...warnings[0], message: `1 of 4 files opened; ${warnings[0].message}` }];
    const text = openedMessage([dataSetInfo({ warnings: [first, ...warnings] })])?.text;
    expect(text).toBe("bad.cali: 1 of 4 files opened; left out: found nothing (1 more in the Data Sets view)");
  });

  it("lists one or two files, and counts more", () => {
    expect(listOf(["/x/a.cali"])).toBe("a.cali");
    expect(listOf(["/x/a.cali", "/y/b.cali"])).toBe("a.cali and b.cali");
    expect(listOf(["/x/a.cali", "/y/b.cali", "/c"])).toBe("a.cali and 2 more");
  });
});

describe("arguments of commands", () => {
  it("are numbers of the object itself, or nothing", () => {
    expect(numberIn({ dataSet: 3 }, "dataSet")).toBe(3);
    for (const bad of [undefined, null, 3, "3", { dataSet: "3" }, { dataSet: -1 }, { dataSet: 1.5 }, { dataSet: NaN }])
      expect(numberIn(bad, "dataSet")).toBeUndefined();
    expect(numberIn(Object.create({ dataSet: 3 }), "dataSet")).toBeUndefined();
  });
});

it("leaves warnings out that the page of the recording lists, but for files that were left out", () => {
  const cut = { message: "cut" };
  const leftOut = { message: "left out: found nothing", file: "/data/bad.cali" };
  expect(openedMessage([dataSetInfo({ id: 3, warnings: [cut] })], 3)).toBeUndefined();
  expect(openedMessage([dataSetInfo({ id: 3, name: "run", warnings: [cut] })], 4)?.text).toBe("run: cut");
  const text = openedMessage([dataSetInfo({ id: 3, warnings: [cut, leftOut, cut] })], 3)?.text;
  expect(text).toBe("bad.cali: left out: found nothing");
});

it("says nothing of warnings about less than any number shows", () => {
  const minor = { message: "by up to 0.00014 % of the total", isMinor: true } as const;
  expect(openedMessage([dataSetInfo({ warnings: [minor] })])).toBeUndefined();
  expect(openedMessage([dataSetInfo({ name: "run", warnings: [minor, { message: "cut" }] })])?.text).toBe("run: cut");
});
