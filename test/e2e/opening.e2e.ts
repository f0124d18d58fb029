import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Explorer } from "./explorer";
import { HeatflowViews } from "./heatflowViews";
import { Keyboard } from "./keyboard";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";

const large = path.join(os.tmpdir(), `heatflow-large-${process.pid}`);

/** What callgrind writes of one process of several. */
function processRecording(pid: number): string {
  const head = `# callgrind format\nversion: 1\ncreator: callgrind-3.19\npid: ${pid}\ncmd: ./solve\npositions: line\nevents: Ir\n`;
  return `${head}\nfl=solve.c\nfn=main\n3 ${pid * 100}\n\ntotals: ${pid * 100}\n`;
}

function prepare(workspace: string): void {
  const folder = path.join(workspace, "recorded");
  fs.mkdirSync(path.join(folder, "processes"), { recursive: true });
  for (const pid of [1, 2])
    fs.writeFileSync(path.join(folder, "processes", `callgrind.out.${pid}`), processRecording(pid));
  fs.writeFileSync(path.join(folder, "notes.trace"), "What we noticed while tracing the solver\n");
  // Large enough that a hand is faster than the reader; outside the project, and linked.
  fs.mkdirSync(large, { recursive: true });
  const file = fs.openSync(path.join(large, "large.json"), "w");
  fs.writeSync(file, '{"traceEvents":[\n');
  for (let piece = 0; piece < 600; piece++) {
    const events = Array.from({ length: 5000 }, (_, at) => {
      const start = piece * 10_000 + 2 * at;
      return `{"ph":"X","name":"step ${at % 97}","cat":"compute","pid":1,"tid":${at % 8},"ts":${start},"dur":1.5,"args":{"at":${at}}},\n`;
    });
    fs.writeSync(file, events.join(""));
  }
  fs.writeSync(file, '{"ph":"X","name":"end","pid":1,"tid":1,"ts":0,"dur":1}\n]}\n');
  fs.closeSync(file);
  fs.symlinkSync(large, path.join(folder, "large"));
}

stepsInWindow("opening", { prepare }, (here) => {
  after(() => fs.rmSync(large, { recursive: true, force: true }));

  it("asks once what files are that could be several things; Escape leaves everything as it was", async () => {
    const { window } = here;
    await new Explorer(window).openRecording("profiles/profile-8ranks.cali");
    await window.statusBarItem("profile-8ranks.cali").waitFor();
    await new Explorer(window).ask("recorded/processes");
    await window.quickInput.getByText("One run of several processes").waitFor();
    await window.page.keyboard.press("Escape");
    await window.quickInput.waitFor({ state: "hidden" });
    await window.statusBarItem("profile-8ranks.cali").waitFor();
    await new Explorer(window).ask("recorded/processes");
    await window.pick("One run of several processes");
    await window.statusBarItem("processes/callgrind.out.").filter({ hasText: "2 ranks" }).waitFor();
    // The page comes last, after the list had the focus.
    await window.tab("callgrind.out.1").and(window.page.locator(".active")).waitFor();
  });

  it("remembers the answer when the window comes back", async () => {
    const { window } = here;
    await window.reload();
    await window.statusBarItem("processes/callgrind.out.").filter({ hasText: "2 ranks" }).waitFor();
    assert.equal(await window.quickInput.count(), 0);
  });

  it("is cancelled by a click on the progress, and nothing else changes", async () => {
    const { window } = here;
    await new Explorer(window).ask("recorded/large/large.json");
    const progress = window.notification("Opening large.json");
    await progress.hover();
    await progress.getByRole("button", { name: "Cancel" }).first().click();
    await progress.waitFor({ state: "hidden" });
    await window.statusBarItem("processes/callgrind.out.").filter({ hasText: "2 ranks" }).waitFor();
    assert.equal(await window.notification("Could not open").count(), 0, "a cancel is no failure");
  });

  it("leaves a text in front that its reader went to meanwhile, and offers the page", async () => {
    const { window } = here;
    await new Explorer(window).ask("recorded/large/large.json");
    await window.notification("Opening large.json").waitFor();
    const editor = new TextEditor(window);
    await editor.open("physics.cpp", 34);
    await window.notification("large.json is open.").waitFor();
    await editor.cursorAt("physics.cpp", 34);
    await window.notification("large.json is open.").getByRole("button", { name: "Show Page" }).click();
    await window.tab("large.json").and(window.page.locator(".active")).waitFor();
    await new HeatflowViews(window).closeDataSets();
  });

  it("of a file that is no recording says so on its page, and leads to the text editor", async () => {
    const { window } = here;
    await new Explorer(window).open("recorded/notes.trace");
    const page = await window.webview("Recording");
    await page.getByText("found text of a format that is not known").waitFor();
    await page.getByRole("button", { name: "Reopen with Text Editor" }).click();
    await window.page.locator(".view-line").filter({ hasText: "What we noticed" }).waitFor();
    assert.equal(await window.notification("Could not open").count(), 0, "it is said once");
  });

  it("offers several runs as an ensemble, and takes a typed path for one", async () => {
    const { window } = here;
    const views = new HeatflowViews(window);
    await new Explorer(window).ask("profiles/ensemble");
    const offer = window.notification("The files belong to several runs");
    await offer.getByRole("button", { name: "Open as Ensemble" }).click();
    await window.tab("Ensemble").waitFor();
    await window.command("Notifications: Clear All Notifications");
    await views.closeDataSets();
    await window.command("Heatflow: Open Ensemble…");
    await window.quickInput.locator("input[type=text]:focus").fill("profiles/ensemble");
    await window.pick("profiles/ensemble");
    await window.tab("Ensemble").waitFor();
    await views.closeDataSets();
  });

  it("leads to the row of each recording that is opened", async () => {
    const { window } = here;
    await new Explorer(window).openRecording("profiles/profile-8ranks.cali");
    const views = new HeatflowViews(window);
    // A reader who waited for longer than a second is left where they are: then the list is asked for.
    await views.show("Data Sets");
    await views.selected("Data Sets", "profile-8ranks.cali", 1).waitFor();
    // From the Explorer: the list is out of sight meanwhile.
    await new Keyboard(window).focusExplorer();
    await new Explorer(window).openRecording("profiles/ensemble/np8-r1.cali");
    await window.tab("np8-r1.cali").and(window.page.locator(".active")).waitFor();
    await views.show("Data Sets");
    await views.selected("Data Sets", "np8-r1.cali", 1).waitFor();
  });

  it("shows a panel in the place of the editor in a narrow window", async () => {
    const { page } = here.window;
    const { width, height } = page.viewportSize() ?? assert.fail("the window has no size");
    await page.setViewportSize({ width: 650, height });
    await here.window.command("Heatflow: Show Super Graph");
    await page.locator(".editor-group-container").nth(1).waitFor({ state: "detached" });
    const frame = await here.window.webview("Super Graph");
    await frame.locator('.drawing [role="option"]').first().waitFor();
    assert.ok((await frame.evaluate(() => innerWidth)) > 320);
    await page.setViewportSize({ width, height });
  });
});
