import { describe, expect, it, vi } from "vitest";
import type { Scope } from "../../../../src/engine/api";
import { KeptCode } from "../../../../src/engine/code/keptCode";
import { SingleSubject } from "../../../../src/engine/graphs/graphSubject";
import { Graphs } from "../../../../src/engine/graphs/graphs";
import { Links } from "../../../../src/engine/lines/links";
import { quietTask } from "../../../../src/model/task";
import { grammars } from "../miniheat";
import { openRecording } from "../recordings";

const scope: Scope = { dataSet: 1, metric: 0, over: "sum" };

function codeOf(text: string) {
  const { open } = openRecording(text);
  const graphs = new Graphs(new SingleSubject(open, new Links(grammars)));
  const linked = vi.spyOn(graphs, "sourceOfFunctions");
  return { code: new KeptCode(open, graphs), linked };
}

describe("the tree of code", () => {
  it("is made once for all cuts of a scope, and anew for another and where links may differ", async () => {
    const { code, linked } = codeOf("main rank0=1\n  solve rank0=2 rank1=3");
    const { tree } = await code.of(scope, quietTask);
    expect([...tree.names].slice(-2)).toEqual(["solve", "main"]);
    expect((await code.of({ ...scope }, quietTask)).tree).toBe(tree);
    expect(linked).toHaveBeenCalledTimes(1);
    const mean = await code.of({ ...scope, over: "mean" }, quietTask);
    expect(mean.tree.values[0]).not.toBe(tree.values[0]);
    expect((await code.of(scope, quietTask)).tree).toBe(tree);
    expect(linked).toHaveBeenCalledTimes(2);
    code.forget();
    expect((await code.of(scope, quietTask)).tree).not.toBe(tree);
    expect(linked).toHaveBeenCalledTimes(3);
  });

  it("has paths from the folders of source, with their names if there are several", async () => {
    const { open } = openRecording("main 1\n  solve 2\n  copy 3");
    const graphs = new Graphs(new SingleSubject(open, new Links(grammars)));
    const files = ["/home/me/heat/src/main.cpp", "/home/me/heat/src/solver.cpp", "/usr/lib/copy.c"];
    const fileOf = (id: number) => files[["main", "solve", "copy"].indexOf(open.functionName(id))];
    vi.spyOn(graphs, "sourceOfFunctions").mockResolvedValue({ fileOf, moduleOf: () => "a.out" } as never);
    const foldersIn = async (...folders: string[]) => {
      const { tree } = await new KeptCode(open, graphs, () => folders).of(scope, quietTask);
      return [...tree.names].filter((_, at) => tree.types[at] === "folder").sort();
    };
    expect(await foldersIn("/home/me/heat")).toEqual(["/usr/lib", "src"]);
    expect(await foldersIn("/home/me/heat", "/home/me/other")).toEqual(["/usr/lib", "heat/src"]);
    expect(await foldersIn("/home/me/hea")).toEqual(["/home/me/heat/src", "/usr/lib"]);
  });

  it("is not kept where links change while it is made", async () => {
    const { code } = codeOf("main 1");
    const asked = code.of(scope, quietTask);
    code.forget();
    const { tree } = await asked;
    expect((await code.of(scope, quietTask)).tree).not.toBe(tree);
  });
});
