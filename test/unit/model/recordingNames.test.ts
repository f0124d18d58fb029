import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distinctNames, sameFolderFirst } from "../../../src/model/recordingNames";

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

  it("from the same folder come first", () => {
    const [a, b, c] = [at("/a/1.cali"), at("/b/2.cali"), at("/a/3.cali")];
    expect(sameFolderFirst([b, c], a)).toEqual([c, b]);
  });
});
