import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tracker } from "../../../../src/formats/tracker/format";
import type { DataSet } from "../../../../src/model/dataSet";
import { NONE } from "../../../../src/model/ids";
import { formatLaws, readFixture } from "../formatLaws";
import { activities, type Did, isOnStream, shape, writtenWithGpus } from "./gpuWriter";

const everything: readonly Did[] = (["kernel", "HtoD", "DtoH", "memset", "migrated", "faulted"] as const).map(
  (what, at) => ({
    what,
    name: "add(double*, int)",
    device: at % 2,
    stream: 7,
    hasCaller: true,
    start: 10_000 * at,
    duration: 1000 + at,
    bytes: 4096 << at,
  }),
);

async function read(did: readonly Did[], rank?: number): Promise<DataSet> {
  const [dataSet] = await readFixture(tracker, { "heatflow-1.json": writtenWithGpus(did, rank) });
  return dataSet;
}

/** Values of a metric by place and path. */
function byPath({ tree, frames, locations, metrics, values }: DataSet, name: string): Record<string, number> {
  const found: Record<string, number> = {};
  const metric = metrics.findIndex((one) => one.name === name);
  const paths: string[] = [];
  for (let context = 0; metric >= 0 && context < tree.size; context++) {
    const own = frames.nameOf(tree.frame[context]);
    paths[context] = tree.parent[context] === NONE ? own : `${paths[tree.parent[context]]}/${own}`;
    const { rowStart, column, value } = values[metric];
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) {
      const { thread, device, stream } = locations[column[at]];
      if (value[at] !== 0) found[`${thread} ${device} ${stream} ${paths[context]}`] = value[at];
    }
  }
  return found;
}

/** The same from what was written, activity by activity. */
function sums(did: readonly Did[], of: (one: Did) => number, divisor = 1): Record<string, number> {
  const found = new Map<string, number>();
  for (const one of did) {
    const [stream, caller] = isOnStream(one) ? [one.stream, one.hasCaller] : [0, false];
    const key = `-1 ${one.device} ${stream} ${caller ? "main/cudaLaunchKernel/" : ""}${shape(one).name}`;
    found.set(key, (found.get(key) ?? 0) + of(one));
  }
  return Object.fromEntries([...found].filter(([, sum]) => sum !== 0).map(([key, sum]) => [key, sum / divisor]));
}

/** The metric of streams, whose name says so where there is one of threads, too. */
const onStreams = (dataSet: DataSet, name: string) =>
  dataSet.metrics.some((one) => one.name === `${name} (GPU streams)`)
    ? byPath(dataSet, `${name} (GPU streams)`)
    : byPath(dataSet, name);

describe("GPUs in a recording of the tracker", () => {
  it("have times, counts and bytes below the contexts that launched what they did, apart from those of threads", async () => {
    await fc.assert(
      fc.asyncProperty(activities, async (did) => {
        const dataSet = await read(did);
        const spent = 500 * did.length;
        expect(byPath(dataSet, "time")).toEqual({
          "0 -1 -1 main": (2_000_000 - spent) / 1e9,
          ...(spent > 0 ? { "0 -1 -1 main/cudaLaunchKernel": spent / 1e9 } : {}),
        });
        expect(byPath(dataSet, "time (GPU streams)")).toEqual(sums(did, ({ duration }) => duration, 1e9));
        expect(byPath(dataSet, "calls (GPU streams)")).toEqual(sums(did, () => 1));
        const moved = did.filter(({ what }) => what === "HtoD" || what === "DtoH" || what === "migrated");
        expect(onStreams(dataSet, "bytes copied")).toEqual(sums(moved, ({ bytes }) => bytes));
      }),
    );
  });

  it("have a lane per stream, and one per kind of unified memory, each event with its context and category", async () => {
    const { trace, frames, tree } = await read(everything);
    const lanes = (trace?.lanes ?? []).map(async ({ name, events }, lane) => {
      const columns = await trace?.readEvents(lane, 0, events);
      const rows = Array.from({ length: events }, (_, at) => {
        const [context, category] = [columns?.context[at] ?? NONE, columns?.category[at] ?? NONE];
        const above = context === NONE ? NONE : tree.parent[context];
        expect(frames.nameOf(columns?.frame[at] ?? NONE)).toBe(frames.nameOf(tree.frame[context]));
        const around = above === NONE ? "" : frames.nameOf(tree.frame[above]);
        return `${frames.nameOf(tree.frame[context])} < ${around} ${trace?.categories[category]?.kind}`;
      });
      return [name, rows] as const;
    });
    const found = Object.fromEntries(await Promise.all(lanes)) as Record<string, string[]>;
    const ofGpus = Object.entries(found).filter(([name]) => name.startsWith("GPU "));
    expect(Object.fromEntries(ofGpus)).toEqual({
      "GPU 0, stream 7": [
        "add(double*, int) < cudaLaunchKernel gpuCompute",
        "Memcpy DtoH (Device -> Pageable) < cudaLaunchKernel transfer",
      ],
      "GPU 1, stream 7": [
        "Memcpy HtoD (Pinned -> Device) < cudaLaunchKernel transfer",
        "Memset (Device) < cudaLaunchKernel transfer",
      ],
      "GPU 0, unified memory: HtoD": ["unified memory: HtoD <  transfer"],
      "GPU 1, unified memory: pagefaults.gpu": ["unified memory: pagefaults.gpu <  transfer"],
    });
    expect(ofGpus).toHaveLength((trace?.lanes.length ?? 0) - 1);
  });

  it("have transfers with direction, devices and bandwidth, and arrows from the calls that launched them", async () => {
    const { trace } = await read(everything);
    const transfers = await trace?.readTransfers(0, trace.transfers);
    const rows = Array.from({ length: transfers?.count ?? 0 }, (_, at) => [
      trace?.transferDirections[transfers?.direction[at] ?? NONE],
      transfers?.fromDevice[at],
      transfers?.toDevice[at],
      transfers?.bytes[at],
      transfers?.bandwidth[at],
    ]);
    expect(rows).toEqual([
      ["HtoD", NONE, 1, 8192, 2.5e9],
      ["DtoH", 0, NONE, 16384, Number.NaN],
      ["memset", NONE, 1, 32768, 2.5e9],
      ["HtoD", NONE, 0, 65536, Number.NaN],
      ["pagefaults.gpu", NONE, NONE, Number.NaN, Number.NaN],
    ]);
    const launches = await trace?.readMessages(0, trace.links);
    expect([...(launches?.tag ?? [])].sort()).toEqual([100, 101, 102, 103]);
    expect(launches?.receivedSeconds[0]).toBe(0);
  });

  it("have their properties and counters; what is missing of them is said with its reason, and what was lost", async () => {
    const { topology, trace, warnings, frames, tree } = await read(everything, 1);
    const gpus = (topology?.resources ?? []).filter(({ type }) => type === "GPU");
    expect(gpus.map(({ name, properties }) => [name, properties?.get("name"), properties?.get("numSms")])).toEqual([
      ["rank 1, GPU 0", 'A "GPU"', "132"],
      ["rank 1, GPU 1", "another", "84"],
    ]);
    const counters = trace?.counters.map(({ name, unit, resource }) => [
      name,
      unit,
      topology?.resources[resource].name,
    ]);
    expect(counters).toEqual(
      expect.arrayContaining([
        ["power_draw", "W", "rank 1, GPU 1"],
        ["memory_used", "B", "rank 1, GPU 1"],
        ["resident memory", "B", "rank 1"],
      ]),
    );
    expect(warnings.map(({ message }) => message)).toEqual([
      "3 events of GPUs found no room, or had not ended with the program: they are in no sum",
      "power of GPU 1: Not Supported",
    ]);
    const origins = Array.from({ length: tree.size }, (_, at) => frames.get(tree.frame[at] as never));
    expect(origins.find(({ name }) => name === "cudaLaunchKernel")?.origin).toBe("runtime");
    expect(origins.find(({ name }) => name === "add(double*, int)")?.kind).toBe("kernel");
  });
});

formatLaws(tracker, { GPUs: { "heatflow-1.json": writtenWithGpus(everything) } });
