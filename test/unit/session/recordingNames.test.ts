import { describe, expect, it } from "vitest";
import { distinctNames, sameFolderFirst } from "../../../src/session/recordingNames";

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

  it("from the same folder come first", () => {
    const [a, b, c] = [at("/a/1.cali"), at("/b/2.cali"), at("/a/3.cali")];
    expect(sameFolderFirst([b, c], a)).toEqual([c, b]);
  });
});
