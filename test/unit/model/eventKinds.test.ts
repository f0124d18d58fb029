import { describe, expect, it } from "vitest";
import { eventKinds, kindOfEvent } from "../../../src/model/eventKinds";
import { type Category, type CategoryKind, categoryKinds } from "../../../src/model/trace";
import { readSettings } from "../../../src/session/settings";
import { groupsByMap } from "../../../src/supergraph/groupMap";

const of = (kind: CategoryKind): Category => ({ name: "a tool's word", kind });
const kind = (category: CategoryKind, name: string, named: ReadonlyMap<string, string> = new Map()) =>
  eventKinds[kindOfEvent(of(category), name, named)];

describe("the kind of an event", () => {
  it("is what the tool says", () => {
    const told = Object.fromEntries(categoryKinds.map((one) => [one, kind(one, "f")]));
    expect(told).toEqual({
      compute: "computing",
      gpuCompute: "GPU",
      transfer: "data movement",
      runtime: "runtime",
      communication: "communication",
      synchronization: "runtime",
      io: "I/O",
      idle: "idle",
      other: "computing",
    });
  });

  it.each(["MPI_File_write_at_all", "PMPI_File_open", "mpi_file_read_"])("is I/O for %s, whatever is said", (name) => {
    for (const category of categoryKinds) expect(kind(category, name)).toBe("I/O");
    expect(kind("other", name, new Map([[name, "communication"]]))).toBe("I/O");
  });

  it("is that of HPCToolkit's placeholders, whatever the stream", () => {
    expect(kind("gpuCompute", "<gpu copyin>")).toBe("data movement");
    expect(kind("gpuCompute", "<gpu sync>")).toBe("runtime");
    expect(kind("gpuCompute", "<gpu kernel>")).toBe("GPU");
    expect(kind("gpuCompute", "heat_step(double*)")).toBe("GPU");
    expect(kind("compute", "<omp idle>")).toBe("idle");
  });

  it("is told by the user's table where the tool says nothing, before what names mean", () => {
    const setting = {
      "I/O": ["write_*"],
      communication: ["/^exchange/", "halo"],
      computing: ["MPI_Wtime"],
      wrong: ["f"],
    };
    const { categories } = readSettings((name) => (name === "categories" ? setting : undefined));
    const named = groupsByMap(categories, ["write_frame", "exchange_rows", "halo", "MPI_Wtime", "f"]);
    expect(kind("other", "write_frame", named)).toBe("I/O");
    expect(kind("compute", "exchange_rows", named)).toBe("communication");
    expect(kind("other", "halo", named)).toBe("communication");
    expect(kind("other", "MPI_Wtime", named)).toBe("computing");
    expect(kind("communication", "MPI_Wtime", named)).toBe("communication");
    expect(kind("other", "f", named)).toBe("computing");
  });

  it.each([
    ["MPI_Send", "communication"],
    ["PMPI_Wait", "communication"],
    ["ncclAllReduce", "communication"],
    ["cudaMemcpyAsync", "data movement"],
    ["memset", "data movement"],
    ["hipMemsetD32", "data movement"],
    ["__memcpy_avx_unaligned", "data movement"],
    ["cudaLaunchKernel", "runtime"],
    ["hipMalloc", "runtime"],
    ["read", "I/O"],
    ["__libc_write", "I/O"],
    ["fopen", "I/O"],
    ["read_mesh", "computing"],
    ["idle", "idle"],
    ["Sleeping", "idle"],
    // StarPU calls a worker without a task so.
    ["Idle", "idle"],
    ["idle_workers", "computing"],
    ["barracuda", "computing"],
    ["my_MPI_Send", "computing"],
    ["", "computing"],
  ])("of the name %s is %s", (name, expected) => {
    expect(kind("other", name)).toBe(expected);
  });
});
