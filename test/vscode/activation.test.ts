import assert from "node:assert/strict";
import * as vscode from "vscode";

describe("the extension in VS Code", () => {
  it("activates", async () => {
    const extension = vscode.extensions.getExtension("heatflow.heatflow");
    assert.ok(extension, "VS Code knows the extension");
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
