import { describe, expect, it } from "vitest";
import { parseJson } from "../../../../src/formats/chrome/scan/jsonValues";
import { addParts, Machine } from "../../../../src/formats/tracker/machine";
import { type Resource, resourcePath } from "../../../../src/model/resources";

/** As lines `Machine node17 / Package 0 …`. */
function machineOf(topology: unknown, host = "node17"): string[] {
  const resources: Resource[] = [];
  const sink = { resource: (resource: Resource) => resources.push(resource) - 1 };
  addParts(sink, new Machine(sink, host), parseJson(Buffer.from(JSON.stringify(topology))));
  resources.forEach(({ parent }, at) => expect(parent).toBeLessThan(at));
  return resources.map(({ properties }, at) => {
    const size = properties?.get("cache_size");
    return `${resourcePath(resources, at)}${size === undefined ? "" : ` ${size}`}`;
  });
}

describe("a machine that the tracker recorded", () => {
  it("has packages with memories and shared caches, cores with their own, and hardware threads", () => {
    // Two packages of two cores; the second package's cores have one thread each.
    const cpu = (number: number, core: number, holder: number) => ({
      cpu: number,
      core,
      package: holder,
      node: holder,
      allowed: true,
    });
    const cpus = [cpu(0, 0, 0), cpu(1, 0, 0), cpu(2, 1, 0), cpu(3, 1, 0), cpu(4, 0, 1), cpu(5, 1, 1)];
    const caches = [
      { level: 1, kind: "Data", bytes: 32768, firstCpu: 0, cpus: 2 },
      { level: 2, kind: "Unified", bytes: 1048576, firstCpu: 2, cpus: 2 },
      { level: 3, kind: "Unified", bytes: 33554432, firstCpu: 4, cpus: 2 },
    ];
    expect(machineOf({ source: "/sys", cpus, caches }).sort()).toEqual([
      "node17",
      "node17 / Package 0",
      "node17 / Package 0 / Core 0",
      "node17 / Package 0 / Core 0 / L1d 32768",
      "node17 / Package 0 / Core 0 / PU 0",
      "node17 / Package 0 / Core 0 / PU 1",
      "node17 / Package 0 / Core 1",
      "node17 / Package 0 / Core 1 / L2 1048576",
      "node17 / Package 0 / Core 1 / PU 2",
      "node17 / Package 0 / Core 1 / PU 3",
      "node17 / Package 0 / NUMANode 0",
      "node17 / Package 1",
      "node17 / Package 1 / Core 0",
      "node17 / Package 1 / Core 0 / PU 4",
      "node17 / Package 1 / Core 1",
      "node17 / Package 1 / Core 1 / PU 5",
      "node17 / Package 1 / L3 33554432",
      "node17 / Package 1 / NUMANode 1",
    ]);
  });

  it("leaves out what is not known, and has none where nothing is", () => {
    expect(
      machineOf({ cpus: [{ cpu: 3, core: -1, package: -1, node: -1 }], caches: [{ level: 9, firstCpu: 3 }] }),
    ).toEqual(["node17", "node17 / PU 3"]);
    for (const nothing of [{}, [], "text", null, { cpus: "many" }, { cpus: [] }])
      expect(machineOf(nothing)).toEqual([]);
    expect(machineOf({ cpus: [{ cpu: 0 }] }, "")).toEqual([]);
  });
});
