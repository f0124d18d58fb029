import type { CategoryKind } from "../../../model/trace";

/** What an event is, as far as its category tells. */
export type EventClass = "plain" | "runtime" | "python" | "kernel" | "memcpy" | "memset" | "gpuMark" | "whole";

/** Kineto's words of all its versions, and those of tools that write the same. Lower case; blanks and hyphens are underscores. */
const CLASSES: ReadonlyMap<string, readonly [EventClass, CategoryKind]> = new Map([
  ["operator", ["plain", "compute"]],
  ["cpu_op", ["plain", "compute"]],
  ["user_annotation", ["plain", "compute"]],
  ["python_function", ["python", "compute"]],
  ["runtime", ["runtime", "runtime"]],
  ["cuda_runtime", ["runtime", "runtime"]],
  ["cuda_driver", ["runtime", "runtime"]],
  ["hip_runtime", ["runtime", "runtime"]],
  ["privateuse1_runtime", ["runtime", "runtime"]],
  ["privateuse1_driver", ["runtime", "runtime"]],
  ["xpu_runtime", ["runtime", "runtime"]],
  ["xpu_driver", ["runtime", "runtime"]],
  ["glow_runtime", ["plain", "runtime"]],
  ["overhead", ["plain", "runtime"]],
  ["kernel", ["kernel", "gpuCompute"]],
  ["memcpy", ["memcpy", "transfer"]],
  ["gpu_memcpy", ["memcpy", "transfer"]],
  ["memset", ["memset", "transfer"]],
  ["gpu_memset", ["memset", "transfer"]],
  ["gpu_user_annotation", ["gpuMark", "other"]],
  ["cuda_profiler_range", ["gpuMark", "gpuCompute"]],
  ["cuda_sync", ["gpuMark", "synchronization"]],
  ["trace", ["whole", "other"]],
  ["mpi", ["plain", "communication"]],
  ["nccl", ["plain", "communication"]],
  ["communication", ["plain", "communication"]],
  ["idle", ["plain", "idle"]],
  // What Heatflow writes of a window of any recording.
  ["computing", ["plain", "compute"]],
  ["gpu_computing", ["plain", "gpuCompute"]],
  ["data_movement", ["plain", "transfer"]],
  ["i/o", ["plain", "io"]],
  ["sync", ["plain", "synchronization"]],
  ["synchronization", ["plain", "synchronization"]],
] as const);

/** Arrows that Kineto draws from a runtime call to what it started: `correlation` says the same. */
const LAUNCH_FLOWS = new Set(["async", "async_cpu_to_gpu", "ac2g"]);

const normalized = (category: string) => category.toLowerCase().replace(/[ -]/g, "_");

/** What events of a category are; a category may be a list, of which the first known word counts. */
export function classOf(category: string): readonly [EventClass, CategoryKind] {
  for (const word of normalized(category).split(",", 16)) {
    const known = CLASSES.get(word);
    if (known !== undefined) return known;
  }
  return ["plain", "other"];
}

export function isLaunchFlow(category: string): boolean {
  return LAUNCH_FLOWS.has(normalized(category));
}

/** Activities of a device, as opposed to calls that the host makes. */
export function isGpuClass(of: EventClass): boolean {
  return of === "kernel" || of === "memcpy" || of === "memset" || of === "gpuMark";
}
