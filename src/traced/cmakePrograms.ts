/** CMake's file API: what a build makes (cmake-file-api(7), codemodel version 2). */
import fs from "node:fs/promises";
import path from "node:path";

const API = path.join(".cmake", "api", "v1");

/** A program that a build makes. */
export interface BuiltProgram {
  /** Absolute. */
  readonly file: string;
  /** Its name in CMakeLists.txt, which the file's name need not have (`OUTPUT_NAME`); undefined for other builds. */
  readonly target?: string;
}

/** Asks CMake to say what it builds when it configures this build folder. */
export async function queryCmake(folder: string): Promise<void> {
  const query = path.join(folder, API, "query", "client-heatflow");
  await fs.mkdir(query, { recursive: true });
  await fs.writeFile(path.join(query, "codemodel-v2"), "");
}

/** Whether a configured folder has a compiler for CUDA: CMake looks for one where a project names the language. */
export async function usesCuda(folder: string): Promise<boolean> {
  const cache = await fs.readFile(path.join(folder, "CMakeCache.txt"), "utf8").catch(() => "");
  return /^CMAKE_CUDA_COMPILER:\w{1,20}=(?!.*-NOTFOUND$)./m.test(cache);
}

/** Targets of a configured build. */
export interface CmakeTargets {
  /** By file. */
  readonly programs: readonly BuiltProgram[];
  /** Names of libraries that programs load while they run (`MODULE`): no program's target depends on them. */
  readonly plugins: readonly string[];
}

/** Targets that a configured folder builds; empty if CMake is too old to list them (before 3.14). */
export async function cmakeTargets(folder: string): Promise<CmakeTargets> {
  const reply = path.join(folder, API, "reply");
  const names = await fs.readdir(reply).catch(() => []);
  const programs = new Map<string, BuiltProgram>();
  const plugins: string[] = [];
  for (const entry of names.filter((one) => one.startsWith("target-") && one.endsWith(".json"))) {
    const target: unknown = JSON.parse(await fs.readFile(path.join(reply, entry), "utf8"));
    if (typeof target !== "object" || target === null || !("type" in target)) continue;
    const name = "name" in target && typeof target.name === "string" ? target.name : undefined;
    if (target.type === "MODULE_LIBRARY" && name !== undefined) plugins.push(name);
    if (target.type !== "EXECUTABLE") continue;
    const artifacts: unknown = "artifacts" in target ? target.artifacts : undefined;
    const [first] = Array.isArray(artifacts) ? (artifacts as { path?: unknown }[]) : [];
    if (typeof first?.path !== "string") continue;
    // Absolute where the project names an output folder of its own (RUNTIME_OUTPUT_DIRECTORY).
    const file = path.resolve(folder, first.path);
    programs.set(file, { file, ...(name === undefined ? {} : { target: name }) });
  }
  return { programs: [...programs.values()].sort((a, b) => (a.file < b.file ? -1 : 1)), plugins: plugins.sort() };
}
