import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { formatValue } from "../../src/model/units";
import { miniheat } from "../recordings";
import { Explorer } from "./explorer";
import { stepsInWindow } from "./steps";
import { TextEditor } from "./textEditor";

interface Pair {
  readonly bytes: number;
  readonly n: number;
  readonly "mpi.rank": number;
  readonly "mpi.msg.dst"?: number;
}

stepsInWindow("data movement", {}, (here) => {
  const golden = JSON.parse(
    fs.readFileSync(path.join(miniheat, "profiles/golden/messages.matrix.json"), "utf8"),
  ) as Pair[];
  const sent = golden.filter((row) => row["mpi.rank"] === 0 && row["mpi.msg.dst"] !== undefined);
  const bytes = formatValue(
    sent.reduce((sum, row) => sum + row.bytes, 0),
    "B",
  );
  const count = sent.reduce((sum, { n }) => sum + n, 0);
  let frame: Frame;
  const pair = (name: string): Locator => frame.locator(`.drawing [role="option"][aria-label^="${name},"]`);

  it("says on the line that sends how much goes to how many ranks", async () => {
    await new Explorer(here.window).openRecording("profiles/trace/messages-0.cali");
    await here.window.statusBarItem("messages-0").waitFor();
    const editor = new TextEditor(here.window);
    await editor.open("src/halo.cpp", lineOf("MPI_Isend("));
    await editor.textBehind("MPI_Isend(", new RegExp(`⇄ ${bytes} to ${sent.length} ranks`));
    await editor.codeLenses
      .filter({ hasText: `⇄ ${bytes} sent in ${count} messages to ${sent.length} ranks` })
      .first()
      .waitFor();
  });

  it("makes the lines that move most the hottest, and says so", async () => {
    await here.window.command("Heatflow: Switch Heat between Time and Bytes Moved");
    await here.window.statusBarItem("heat: bytes moved").waitFor();
    await here.window.command("Heatflow: Switch Heat between Time and Bytes Moved");
    await here.window.statusBarItem("heat: bytes moved").waitFor({ state: "detached" });
  });

  it("shows who sent how much to whom", async () => {
    await here.window.command("Heatflow: Show Communication Matrix");
    frame = await here.window.webview("Communication Matrix");
    const box = await pair("rank 0 → rank 1").boundingBox();
    assert.ok(box);
    await here.window.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const details = frame.locator(".details");
    await details.getByText("rank 0 → rank 1").waitFor();
    await details.getByText(formatValue(sent[0].bytes, "B")).waitFor();
  });

  it("leads from a pair to the line that sends", async () => {
    await pair("rank 0 → rank 1").press("Enter");
    await new TextEditor(here.window).cursorAt("halo.cpp", lineOf("MPI_Isend("));
  });
});

/** 1-based. */
function lineOf(text: string): number {
  const lines = fs.readFileSync(path.join(miniheat, "src/halo.cpp"), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(text)) + 1;
}
