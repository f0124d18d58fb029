import fs from "node:fs";
import path from "node:path";
import type { Machine } from "./machine";

/** Folders of a CUDA toolkit that the tracker's part for GPUs is compiled with (tracker/README.md, GPU). */
export interface Cupti {
  readonly includes: readonly string[];
  readonly libraries: string;
}

/** What a C++ compiler and its linker need of it: the library is found where it is now, whatever the program's environment says. */
export function flagsOfCupti({ includes, libraries }: Cupti): string[] {
  const headers = includes.map((folder) => `-I${folder}`);
  return ["-DHEATFLOW_WITH_CUDA", ...headers, `-L${libraries}`, "-lcupti", "-Xlinker", "-rpath", "-Xlinker", libraries];
}

const INCLUDES = ["include", "extras/CUPTI/include"];
const LIBRARIES = ["extras/CUPTI/lib64", "lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"];

/**
 * CUPTI of the toolkit that the environment names (CUDA_HOME, CUDA_PATH), that nvcc belongs to, or that is installed where NVIDIA's
 * installer puts it.
 *
 * @param usual the last of these
 */
export function findCupti(machine: Machine, usual = "/usr/local/cuda"): Cupti | undefined {
  const nvcc = machine.find("nvcc");
  const { CUDA_HOME, CUDA_PATH } = machine.environment;
  const ofNvcc = nvcc === undefined ? undefined : path.dirname(path.dirname(fs.realpathSync(nvcc)));
  for (const root of [CUDA_HOME, CUDA_PATH, ofNvcc, usual]) {
    if (root === undefined || !path.isAbsolute(root)) continue;
    const within = (folders: readonly string[], file: string) =>
      folders.map((folder) => path.join(root, folder)).filter((folder) => fs.existsSync(path.join(folder, file)));
    const headers = [...new Set([...within(INCLUDES, "cupti.h"), ...within(INCLUDES, "cuda.h")])];
    const [libraries] = within(LIBRARIES, "libcupti.so");
    if (within(INCLUDES, "cupti.h").length > 0 && libraries !== undefined) return { includes: headers, libraries };
  }
  return undefined;
}
