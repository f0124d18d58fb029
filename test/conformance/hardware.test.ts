import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { localEngine } from "../../src/engine/localEngine";
import { recordings } from "../recordings";
import { grammars } from "../unit/engine/miniheat";
import { noteConformance } from "./conformanceTable";

const shared = recordings();
const data = path.join(shared ?? "", "data");

async function opened(file: string) {
  const engine = localEngine(grammars);
  await engine.configure({ folders: [], sourceMap: {} });
  const [info] = await engine.open({ paths: [path.join(data, file)] });
  return { engine, scope: { dataSet: info.id } };
}

interface Event {
  readonly cat?: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly pid: number;
  readonly args: { readonly bytes?: number };
}

describe.skipIf(shared === undefined)("hardware", () => {
  it.each([0, 1, 2, 3])("of GEMM %i: kernels and copied bytes are those of its events", async (run) => {
    const file = `dmtracker/gemm-kernels/kernel-opt-5-${run}.json`;
    const { engine, scope } = await opened(file);
    const { traceEvents } = JSON.parse(fs.readFileSync(path.join(data, file), "utf8")) as { traceEvents: Event[] };
    const { elements, links, startSeconds, endSeconds } = await engine.hardware({ scope });
    const copies = traceEvents.filter(({ cat }) => cat === "gpu_memcpy");
    const sum = (direction: string) =>
      copies.reduce((all, { name, args }) => all + (name.includes(direction) ? (args.bytes ?? 0) : 0), 0);
    const [link] = links;
    expect(links).toHaveLength(1);
    const isFromGpu = elements[link.from].kind === "GPU";
    expect(elements[isFromGpu ? link.from : link.to].name).toBe("GPU 0");
    expect(isFromGpu ? [link.bytesBack, link.bytes] : [link.bytes, link.bytesBack]).toEqual([sum("HtoD"), sum("DtoH")]);
    expect(link.count).toBe(copies.length);
    // They follow one another on one stream.
    const kernels = traceEvents.filter(({ cat }) => cat === "kernel").reduce((all, { dur }) => all + dur, 0) / 1e6;
    const gpus = elements.filter(({ kind, parent }) => kind === "GPU" && parent < 0);
    expect(gpus[0].share * (endSeconds - startSeconds)).toBeCloseTo(kernels, 6);
    // They are announced, and nothing is recorded of them.
    expect(gpus.slice(1).every(({ share }) => Number.isNaN(share))).toBe(true);
    const middle = (startSeconds + endSeconds) / 2;
    const halves = await Promise.all([
      engine.hardware({ scope, toSeconds: middle }),
      engine.hardware({ scope, fromSeconds: middle }),
    ]);
    const inHalves = halves.reduce((all, half) => all + half.links[0].bytes + half.links[0].bytesBack, 0);
    expect(inHalves).toBeCloseTo(sum("HtoD") + sum("DtoH"), 0);
    noteConformance("Hardware against events", {
      recordings: 1,
      values: 3,
      largestDifference: Math.abs((gpus[0].share * (endSeconds - startSeconds)) / kernels - 1),
    });
  });

  it("of a grid: hosts and network links are used as pj_dump's integrals say", async () => {
    const { engine, scope } = await opened("paje/traces/ms.trace");
    const { elements } = await engine.hardware({ scope });
    const rows = fs
      .readFileSync(path.join(data, "paje/pj_dump_golden/ms.csv"), "utf8")
      .split("\n")
      .map((row) => row.split(", "))
      .filter(([kind]) => kind === "Variable");
    const integral = (container: string, variable: string) =>
      rows
        .filter(([, one, other]) => one === container && other === variable)
        .reduce((all, [, , , , , duration, value]) => all + Number(duration) * Number(value), 0);
    // pj_dump writes six digits behind the point.
    const off: number[] = [];
    for (const { name, kind, share, bytes } of elements) {
      const [there, used] = kind === "link" ? ["bandwidth", "bandwidth_used"] : ["power", "power_used"];
      off.push(Math.abs(share / (integral(name, used) / integral(name, there)) - 1));
      if (kind === "link") off.push(Math.abs(bytes / integral(name, used) - 1));
    }
    const largestDifference = Math.max(...off);
    expect(largestDifference).toBeLessThan(1e-4);
    expect(off).toHaveLength(25);
    expect(elements).toHaveLength(15);
    noteConformance("Hardware against pj_dump", { recordings: 1, values: 25, largestDifference });
  });

  it("of thousands of hosts: neighbours share a box", async () => {
    const { engine, scope } = await opened("paje/traces/g5k.trace");
    const { elements, recorded } = await engine.hardware({ scope });
    expect(recorded).toBe(4797);
    expect(elements.length).toBeLessThanOrEqual(400);
    const hosts = elements.filter(({ type }) => type === "HOST");
    // Those of the clusters that are themselves joined are in these.
    expect(hosts.reduce((sum, { together }) => sum + together, 0)).toBeLessThanOrEqual(1528);
    expect(hosts[0]).toMatchObject({ name: "51 hosts", share: NaN });
  });
});
