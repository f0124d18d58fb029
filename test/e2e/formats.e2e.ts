import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { formatValue } from "../../src/model/units";
import { recordings } from "../recordings";
import { Explorer } from "./explorer";
import { HeatflowViews } from "./heatflowViews";
import { Window } from "./window";

const shared = recordings();

/** Links to recordings, which are read where they are. */
const places: Readonly<Record<string, string>> = {
  caliper: "miniapp/profiles/trace",
  cpi: "data/hpctoolkit-v2/hpctoolkit-cpi-database",
  small: "data/hpctoolkit-v4/small.d",
  paje: "data/paje/traces",
  kineto: "data/other/kineto",
  callgrind: "data/other/callgrind",
  perf: "data/other/perf",
  gemm: "data/dmtracker/gemm-kernels",
};

function linkRecordings(workspace: string): void {
  fs.mkdirSync(path.join(workspace, "recorded"));
  for (const [name, place] of Object.entries(places))
    fs.symlinkSync(path.join(shared ?? "", place), path.join(workspace, "recorded", name));
}

describe("recordings of every format, in a window", function () {
  let window: Window;
  let views: HeatflowViews;

  before(async function () {
    if (shared === undefined) return this.skip();
    window = await Window.open({ prepare: linkRecordings, viewport: { width: 1400, height: 2000 } });
    views = new HeatflowViews(window);
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed()) await window.describe();
    await window.between(() => views.closeDataSets());
  });
  after(() => window?.close(this.tests.some((test) => test.isFailed())));

  /** Opens a file by a click, and gives what its page says. */
  async function page(file: string): Promise<string> {
    await new Explorer(window).open(`recorded/${file}`);
    const frame = await window.webview("Recording");
    await frame.locator(".facts").waitFor();
    // A cell's bar stands between the cell before it and its number.
    return (await frame.locator("main").innerText()).replace(/[\t\n ]+/g, " ");
  }

  async function choose(file: string, page?: string): Promise<void> {
    await new Explorer(window).openRecording(`recorded/${file}`, page);
  }

  it("Caliper: a folder of two runs has 93 messages of 190,464 bytes a pair", async () => {
    interface Pair {
      readonly bytes: number;
      readonly n: number;
      readonly "mpi.msg.dst"?: number;
    }
    const golden = JSON.parse(
      fs.readFileSync(path.join(shared ?? "", "miniapp/profiles/golden/messages.matrix.json"), "utf8"),
    ) as Pair[];
    const sent = golden.filter((row) => row["mpi.msg.dst"] !== undefined);
    const total = sent.reduce((sum, { n, bytes }) => ({ n: sum.n + n, bytes: sum.bytes + bytes }), { n: 0, bytes: 0 });
    await choose("caliper", "events-0.cali");
    await window.statusBarItem(/^\s*caliper\//).waitFor();
    await views.show("Data Sets");
    await views.unfold("Data Sets", "caliper/messages");
    await views.unfold("Data Sets", `Messages, ${total.n.toLocaleString("en")} · ${formatValue(total.bytes, "B")}`);
    await views
      .row("Data Sets", `rank 0 → rank 1, ${sent[0].n} messages · ${formatValue(sent[0].bytes, "B")}`)
      .waitFor();
  });

  it("HPCToolkit 2: a click on experiment.xml shows the tool's own total and its ranks", async () => {
    const csv = fs.readFileSync(path.join(shared ?? "", "data/hpctoolkit-v2/hpctoolkit-cpi-graphframe.csv"), "utf8");
    // nid 2 is the root; its inclusive time is in microseconds, a row a rank.
    const roots = [...csv.matchAll(/^".*?",(\d),([\d.]+),[\d.]+,2,/gm)].map(([, , microseconds]) =>
      Number(microseconds),
    );
    assert.equal(roots.length, 4);
    const text = await page("cpi/experiment.xml");
    // Called as in Data Sets: the folder says more than the name that all such files have.
    await window.tab("cpi").waitFor();
    const total = formatValue(roots.reduce((a, b) => a + b, 0) / 1e6, "s");
    assert.match(text, /HPCToolkit 2/);
    assert.ok(text.includes(`CPUTIME (shown) ${total}`), text);
    assert.match(text, /4 \(0–3\)/);
    await views.show("Calling Contexts");
    await views.row("Calling Contexts", "<program root>").waitFor();
  });

  it("HPCToolkit 4: a click on meta.db shows the total of the tool's dump, and its trace as a lane", async () => {
    const dump = fs.readFileSync(path.join(shared ?? "", "data/hpctoolkit-v4/small.yaml"), "utf8");
    const samples = [...dump.matchAll(/!trace\.db\/v4\/ContextTraceElement\b/g)].length;
    const text = await page("small/meta.db");
    assert.match(text, /HPCToolkit 4/);
    assert.ok(text.includes(`CPUTIME (shown) ${formatValue(1.210259, "s")}`), text); // root of golden/small.json
    await views.show("Data Sets");
    await views.unfold("Data Sets", "Lanes, 1 · ");
    assert.ok(samples > 5);
    await views.show("Hot Functions");
    // All samples of golden/small.json lie in spinsleep, in two calls of it: 0.605316 s and 0.604943 s.
    const hottest = views.row("Hot Functions", "spinsleep");
    await hottest
      .filter({ hasText: "100 %" })
      .filter({ hasText: `${formatValue(0.605316 + 0.604943, "s")} · ` })
      .waitFor();
  });

  it("Paje: a click on a trace has its counters, and the views say that there are no calling contexts", async () => {
    const dump = fs.readFileSync(path.join(shared ?? "", "data/paje/pj_dump_golden/categories.csv"), "utf8");
    const variables = new Set([...dump.matchAll(/^Variable, ([^,]*, [^,]*),/gm)].map(([, variable]) => variable));
    const text = await page("paje/categories.trace");
    assert.match(text, /Paje/);
    assert.ok(text.includes(`${variables.size} counters`), text);
    assert.match(text, /No calling contexts in this recording\./);
    await views.show("Calling Contexts");
    await views.message("Calling Contexts", "No calling contexts in this recording.").waitFor();
    await views.show("Data Sets");
    await views.unfold("Data Sets", `Counters, ${variables.size}`);
    await views.row("Data Sets", "bandwidth, ").waitFor();
  });

  it("Kineto: a click on a packed trace shows its 75,718 events and its transfers", async () => {
    const packed = fs.readFileSync(path.join(shared ?? "", places.kineto, "resnet50_worker0.pt.trace.json.gz"));
    const content = zlib.gunzipSync(packed).toString();
    const [copies, sets] = ["Memcpy", "Memset"].map((kind) => content.split(`"cat": "${kind}"`).length - 1);
    assert.ok(copies + sets > 300);
    const text = await page("kineto/resnet50_worker0.pt.trace.json.gz");
    assert.match(text, /Kineto|PyTorch/);
    assert.ok(text.includes("75,718"), text);
    await views.show("Data Sets");
    // Memory sets move nothing: they stand beside, as a kind of their own.
    await views.row("Data Sets", `Transfers, ${copies} · 116 MB, memset ${sets}`).waitFor();
  });

  it("callgrind: hot functions are those measured, trees say that they are estimated", async () => {
    await choose("callgrind/callgrind.example.log");
    await window.statusBarItem("callgrind.example.log").waitFor();
    await views.show("Hot Functions");
    // By hand from the file: func2 700, func1 100 (inclusive 400), main 20 (inclusive 820).
    await window.page.locator(".pane", { hasText: "func2" }).filter({ hasText: "inclusive 700" }).first().waitFor();
    await window.page.locator(".pane", { hasText: "main" }).filter({ hasText: "inclusive 820" }).first().waitFor();
    await views.show("Calling Contexts");
    await views.message("Calling Contexts", "Estimated from a call graph.").waitFor();
    await window.command("Heatflow: Show Super Graph");
    const graph = await window.webview("Super Graph");
    await graph.getByText("estimated from a call graph").first().waitFor();
  });

  it("perf: hot functions are those that samples were taken in, as many times a period", async () => {
    const name = "simple-with-header.linux-perf.txt";
    const text = fs.readFileSync(path.join(shared ?? "", places.perf, name), "utf8");
    const inBeta = text.match(/cpu-clock: \n\t +[0-9a-f]+ _Z4betav /g)?.length ?? 0;
    assert.ok(inBeta > 10);
    await new Explorer(window).openRecording(`recorded/perf/${name}`);
    const recording = await window.webview("Recording");
    // _Z4betav, as people read it.
    const row = recording
      .locator("tr", { hasText: "beta" })
      .filter({ hasText: formatValue(inBeta * 1_001_001e-9, "s") });
    await row.first().waitFor();
    await views.show("Data Sets");
    await views.unfold("Data Sets", "Lanes, 1 · ");
  });

  it("DMTracker: GEMM of size 5 moves 2 GiB to the device and 1 GiB back", async () => {
    const content = fs.readFileSync(path.join(shared ?? "", places.gemm, "kernel-opt-5-0.json"), "utf8");
    const { traceEvents } = JSON.parse(content) as { traceEvents: { name: string; dur?: number }[] };
    const calls = traceEvents.filter(({ name }) => name === "cudaHostAlloc");
    const seconds = calls.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1e6;
    await choose("gemm/kernel-opt-5-0.json");
    await window.statusBarItem("kernel-opt-5-0").waitFor();
    await views.show("Data Sets");
    await views.unfold("Data Sets", "kernel-opt-5-0");
    await views.unfold("Data Sets", "Transfers, 3 · ");
    await views.row("Data Sets", `HtoD, host → device 0 · 2 · ${formatValue(2_147_483_648, "B")}`).waitFor();
    await views.row("Data Sets", `DtoH, device 0 → host · 1 · ${formatValue(1_073_741_824, "B")}`).waitFor();
    await views.show("Hot Functions");
    await views
      .row("Hot Functions", "cudaHostAlloc")
      .filter({ hasText: formatValue(seconds, "s") })
      .waitFor();
  });
});
