import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import type { SourceLink } from "../../src/engine/api";
import { closeAllEditors, file, heatflow, openProfile, until } from "./heatflow";

const solver = `module heat
contains
  subroutine step(field)
    real(8) :: field(:)
    field = 2 * field
  end subroutine step
end module heat
`;
/** 100 instructions in a procedure of Fortran, of which the recording knows the symbol only. */
const recording = "version: 1\nevents: Ir\nob=heat\nfl=???\nfn=__heat_MOD_step\n0 100\n";

/** A language server for Fortran, as far as this file goes. */
const provider: vscode.DocumentSymbolProvider = {
  provideDocumentSymbols: () => {
    const range = (from: number, to: number) => new vscode.Range(from, 0, to, 30);
    const { Module, Function } = vscode.SymbolKind;
    const heat = new vscode.DocumentSymbol("heat", "", Module, range(0, 6), range(0, 0));
    heat.children.push(new vscode.DocumentSymbol("step", "", Function, range(2, 5), range(2, 2)));
    return [heat];
  },
};

describe("symbols of a language server", () => {
  const source = file("src/heat.f90");
  const data = file("callgrind.out.fortran");
  let server: vscode.Disposable | undefined;

  before(async () => {
    await openProfile();
    fs.writeFileSync(source.fsPath, solver);
    fs.writeFileSync(data.fsPath, recording);
  });
  after(async () => {
    server?.dispose();
    for (const { fsPath } of [source, data]) fs.rmSync(fsPath, { force: true });
    await closeAllEditors();
    await openProfile();
  });

  async function linkOfStep(): Promise<SourceLink> {
    const { session } = await heatflow();
    const scope = session.scope();
    assert.ok(scope);
    const [row] = await session.engine.hotFunctions({ scope, by: "exclusive", limit: 1 });
    assert.equal(row.name, "__heat_MOD_step");
    return session.engine.link({ dataSet: scope.dataSet, target: { kind: "function", function: row.function } });
  }

  it("are what a Fortran procedure is found by, and without one it is said why there is no line", async () => {
    const { session, decorations } = await heatflow();
    const [info] = await session.open([data]);
    session.setCurrent(info.id);
    await session.reload(info.id); // the folders are listed anew
    const missing = "no language server gives symbols of Fortran files";
    await until("it is said that no server answers", async () => (await linkOfStep()).reason.includes(missing));
    assert.deepEqual((await linkOfStep()).places, []);
    server = vscode.languages.registerDocumentSymbolProvider({ pattern: "**/*.f90" }, provider);
    await session.reload(info.id);
    const link = await until("the procedure is found", async () => {
      const found = await linkOfStep();
      return found.places.length > 0 && found;
    });
    assert.deepEqual(link.places, [{ file: fs.realpathSync(source.fsPath), line: 3 }]);
    assert.equal(link.rule, "definition");
    // The editor hears of it by itself.
    await vscode.window.showTextDocument(source);
    const heat = await until("its line is hot", () => decorations(source).find(({ line }) => line === 3));
    assert.ok(heat.text?.startsWith("100 "), heat.text);
    await session.close(info.id);
  });
});
