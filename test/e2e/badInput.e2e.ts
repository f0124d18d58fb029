import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./eventually";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";

function addDamagedFiles(workspace: string): void {
  const folder = path.join(workspace, "damaged");
  fs.mkdirSync(path.join(folder, "nothing"), { recursive: true });
  fs.writeFileSync(path.join(folder, "nothing", "notes.txt"), "nothing that was recorded\n");
  fs.writeFileSync(path.join(folder, "settings.json"), '{ "editor.tabSize": 4 }\n');
  fs.writeFileSync(path.join(folder, "empty.cali"), "");
  const profile = fs.readFileSync(path.join(workspace, "profiles", "profile-8ranks.cali"), "utf8");
  fs.writeFileSync(path.join(folder, "truncated.cali"), profile.slice(0, Math.floor(profile.length * 0.6)));
  const lines = profile.split("\n");
  lines.splice(20, 0, "__rec=ctx,ref=999999,attr=22=35=38,data=0=1=1");
  fs.writeFileSync(path.join(folder, "missing-node.cali"), lines.join("\n"));
}

stepsInWindow("a recording that can not be read", { prepare: addDamagedFiles }, (here) => {
  const open = async (file: string) => new Explorer(here.window).ask(`damaged/${file}`);
  const message = async (file: string) => {
    const toast = here.window.notification(file).last();
    await toast.waitFor();
    const text = await toast.locator(".notification-list-item-message").innerText();
    await here.window.command("Notifications: Clear All Notifications");
    return text;
  };

  it("leaves open what was open", async () => {
    await new Explorer(here.window).openRecording("profiles/profile-8ranks.cali");
    await here.window.statusBarItem("profile-8ranks.cali").waitFor();
    await open("missing-node.cali");
    const text = await message("missing-node.cali");
    assert.match(text, /line 21\b/);
    await here.window.statusBarItem("profile-8ranks.cali").waitFor();
  });

  it("is a JSON file of something else", async () => {
    await open("settings.json");
    assert.match(await message("settings.json"), /not|no /);
  });

  it("is a folder with nothing readable", async () => {
    await open("nothing");
    assert.match(await message("nothing"), /nothing/);
  });

  it("is truncated: it opens with what it has, and its page says where it ends; no notice does as well", async () => {
    await new Explorer(here.window).openRecording("damaged/truncated.cali");
    await eventually(async (timeout) => {
      const page = await here.window.webview("Recording");
      await page
        .locator(".warnings")
        .filter({ hasText: /line|byte/ })
        .waitFor({ timeout });
    });
    await here.window.statusBarItem("truncated.cali").waitFor();
    assert.equal(await here.window.notification("the file ends").count(), 0);
  });

  it("is empty, and is called so", async () => {
    await open("empty.cali");
    assert.match(await message("empty.cali"), /empty file/);
  });
});
