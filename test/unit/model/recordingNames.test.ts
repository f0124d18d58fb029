import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutEnding } from "../../../src/model/placeText";
import { distinctNames, sameFolderFirst, shortPair } from "../../../src/model/recordingNames";

const at = (...files: string[]) => ({ name: files[0].slice(files[0].lastIndexOf("/") + 1), files });

describe("recordings of one name", () => {
  it("carry the folders that tell them apart, and only these", () => {
    const names = distinctNames([at("/a/old/run.cali"), at("/a/new/run.cali"), at("/a/new/other.cali")]);
    expect(names).toEqual(["old/run.cali", "new/run.cali", "other.cali"]);
    expect(distinctNames([at("/x/p/run.cali"), at("/y/p/run.cali"), at("/z/q/run.cali")])).toEqual([
      "x/p/run.cali",
      "y/p/run.cali",
      "q/run.cali",
    ]);
  });

  it("of one folder keep their name", () => {
    expect(distinctNames([at("/a/run.cali"), at("/a/run.cali")])).toEqual(["run.cali", "run.cali"]);
  });

  it("of runs of one day begin with their time", () => {
    const run = (name: string) => ({ name, files: [`/w/.heatflow/runs/${name}/heatflow-1.json`] });
    const [first, second] = ["2026-11-23 18-10-20 svm-train tracker", "2026-11-23 18-15-00 svm-train tracker"];
    expect(distinctNames([run(first), run(second), at("/a/run.cali")])).toEqual([
      "18-10-20 svm-train tracker",
      "18-15-00 svm-train tracker",
      "run.cali",
    ]);
    expect(distinctNames([run(first)])).toEqual([first]);
    const later = "2026-11-24 18-15-00 svm-train tracker";
    expect(distinctNames([run(first), run(later)])).toEqual([first, later]);
    // By the folder of the run, where its file has a name of the tool.
    const files = [first, second].map((folder) => at(`/w/.heatflow/runs/${folder}/callgrind.out`));
    expect(distinctNames(files)).toEqual([first, second].map((folder) => `${folder.slice(11)}/callgrind.out`));
  });

  it("are what the definition says: the shortest ending that no other one of the name has", () => {
    const folder = fc.array(fc.constantFrom("a", "b", ".."), { maxLength: 4 });
    const one = fc.tuple(folder, fc.constantFrom("x", "y")).map(([path, name]) => at(["", ...path, name].join("/")));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), (recordings) => {
        const found = distinctNames(recordings);
        recordings.forEach((own, place) => {
          const ending = ({ files: [file] }: typeof own, count: number) =>
            file.split("/").slice(0, -1).slice(-count).join("/");
          const others = recordings.filter((other) => other !== own && other.name === own.name);
          const counts = others.length === 0 ? [] : [1, 2, 3, 4, 5];
          const least = counts.find((count) => others.every((other) => ending(other, count) !== ending(own, count)));
          expect(found[place]).toBe(least === undefined ? own.name : `${ending(own, least)}/${own.name}`);
        });
      }),
    );
  });

  it("are looked at once each, however many they are", () => {
    let looks = 0;
    const recordings = Array.from({ length: 2000 }, (_, run) => ({
      name: "run.cali",
      get files() {
        looks++;
        return [`/study/run${run}/profile/run.cali`];
      },
    }));
    const names = distinctNames(recordings);
    expect([names[0], names[1999]]).toEqual(["run0/profile/run.cali", "run1999/profile/run.cali"]);
    expect(looks).toBe(2000);
  });

  it.each([
    [
      ["np8-r1.cali", "np8-r2.cali"],
      ["np8-r1.cali", "np8-r2.cali"],
    ],
    [
      ["callgrind.apart.O3", "callgrind.apart.O1"],
      ["…O3", "…O1"],
    ],
    [
      ["18-10-20 svm-train tracker", "18-15-00 svm-train tracker"],
      ["18-10-20…", "18-15-00…"],
    ],
    [
      ["old/run-of-8-ranks.cali", "new/run-of-8-ranks.cali"],
      ["old…", "new…"],
    ],
    [
      ["a-recording-of-some-program", "another-recording-of-it"],
      ["a-recor…program", "another…g-of-it"],
    ],
    [
      ["a recording of some program", "a recording of some program"],
      ["a recording of some program", "a recording of some program"],
    ],
    [
      ["a recording of one", "a recording of one and of another"],
      ["…one", "…one and…another"],
    ],
  ])("in little room, %j, say what differs: %j", ([one, other], shown) => {
    expect(shortPair(one, other)).toEqual(shown);
  });

  it("lose the ending of their file, and nothing that tells them apart", () => {
    expect(["run.cali", "old/meta.db", "callgrind.out.22496", "callgrind.O3", ".cali"].map(withoutEnding)).toEqual([
      "run",
      "old/meta",
      "callgrind.out.22496",
      "callgrind.O3",
      ".cali",
    ]);
  });

  it("from the same folder come first", () => {
    const [a, b, c] = [at("/a/1.cali"), at("/b/2.cali"), at("/a/3.cali")];
    expect(sameFolderFirst([b, c], a)).toEqual([c, b]);
  });
});
