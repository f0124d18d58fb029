import assert from "node:assert/strict";
import * as vscode from "vscode";
import { heatflow } from "./heatflow";

describe("the extension", () => {
  it("activates, and says how long that took", async () => {
    const { activationMilliseconds } = await heatflow();
    assert.ok(activationMilliseconds > 0);
  });

  it("registers every command of its manifest", async () => {
    await heatflow();
    const manifest = vscode.extensions.getExtension("heatflow.heatflow")?.packageJSON;
    const declared: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(declared.length > 0);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });

  it("has every setting of its manifest at its default", () => {
    const manifest = vscode.extensions.getExtension("heatflow.heatflow")?.packageJSON;
    const properties: Record<string, { default: unknown }> = Object.assign(
      {},
      ...[manifest.contributes.configuration].flat().map((part) => part.properties),
    );
    assert.ok(Object.keys(properties).length > 0);
    const configuration = vscode.workspace.getConfiguration();
    for (const [name, property] of Object.entries(properties))
      assert.deepEqual(configuration.get(name), property.default, name);
  });
});
