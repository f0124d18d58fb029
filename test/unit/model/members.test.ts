import { describe, expect, it } from "vitest";
import { NONE } from "../../../src/model/ids";
import { location } from "../../../src/model/locations";
import { chosenList, chosenMembers, chosenText, membersOf } from "../../../src/model/members";

/** Two hosts of two ranks each, two threads a rank; a GPU stream; a value without a rank. */
const places = [
  location({}),
  location({ node: 1, rank: 0, thread: 0 }),
  location({ node: 1, rank: 0, thread: 1 }),
  location({ node: 1, rank: 2, thread: 0 }),
  location({ node: 2, rank: 10, thread: 0 }),
  location({ node: 2, rank: 10, thread: 0, device: 1, stream: 7 }),
];

describe("members", () => {
  it("are the distinct ranks, threads, streams, hosts or runs, in the order of numbers", () => {
    expect(membersOf(places, "rank")).toEqual({
      by: "rank",
      keys: ["0", "2", "10"],
      of: Int32Array.of(NONE, 0, 0, 1, 2, 2),
    });
    expect(membersOf(places, "thread").keys).toEqual(["0.0", "0.1", "2.0", "10.0"]);
    expect(membersOf(places, "stream")).toMatchObject({ keys: ["10.1.7"], of: Int32Array.of(-1, -1, -1, -1, -1, 0) });
    expect(membersOf(places, "host").keys).toEqual(["1", "2"]);
    expect(membersOf(places, "run").keys).toEqual(["0"]);
  });

  it("leave out parts that no location of the recording has", () => {
    const threads = [location({ thread: 0 }), location({ thread: 3 })];
    expect(membersOf(threads, "thread").keys).toEqual(["0", "3"]);
    expect(membersOf([location({ stream: 7 })], "stream").keys).toEqual(["7"]);
  });

  it("of a restriction to hosts are the ranks there; of one to threads these", () => {
    expect(chosenMembers(places, { by: "host", members: ["1"] })).toMatchObject({ by: "rank", keys: ["0", "2"] });
    expect(chosenMembers(places, { by: "thread", members: ["0.1", "9.9"] })).toMatchObject({
      by: "thread",
      keys: ["0.1"],
      of: Int32Array.of(NONE, NONE, 0, NONE, NONE, NONE),
    });
  });

  it("are written as ranges where they are numbers", () => {
    const members = ["0", "1", "2", "3", "8", "12", "13", "14", "15"];
    expect(chosenText({ by: "rank", members })).toBe("ranks 0–3, 8, 12–15");
    expect(chosenText({ by: "stream", members: ["0.7"] })).toBe("GPU stream 0.7");
  });

  it("are counted where a list of them would be long", () => {
    const members = Array.from({ length: 3000 }, (_, at) => `${at * 2}`);
    expect(chosenText({ by: "rank", members })).toBe("3000 ranks");
    expect(chosenText({ by: "thread", members: members.map((rank) => `${rank}.1`) })).toBe("3000 threads");
    expect(chosenList({ by: "rank", members: members.slice(0, 3) })).toBe("ranks 0, 2, 4");
  });
});
