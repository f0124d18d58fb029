import os from "node:os";
import { splitCmakeArguments, targetArguments, targetsForProgram } from "./buildTargets";
import { type BuiltProgram, cmakeTargets, queryCmake } from "./cmakePrograms";
import { type Flags, languages } from "./compilers";
import type { TracedTask } from "./definition";
import { cmakeFlags } from "./flagText";
import { type Machine, need } from "./machine";
import type { Place, RunBuildStep } from "./steps";

/** CMake's build types, the first of which is what is built without a word, with the flags that it has for compilers like GCC. */
const BUILD_TYPES = [
  ["RELWITHDEBINFO", "-O2 -g -DNDEBUG"],
  ["RELEASE", "-O3 -DNDEBUG"],
  ["DEBUG", "-g"],
] as const;

const BUILD_TYPE = "RelWithDebInfo";

/**
 * Builds a project by CMake: the program that the task names, or all of the project if no program of it has the name.
 *
 * @returns the programs that the project makes; not all of them are built
 */
export async function byCmake(
  task: TracedTask,
  { machine, say }: { readonly machine: Machine; say(line: string): void },
  flags: Flags,
  { folder, more }: Place,
  run: RunBuildStep,
): Promise<readonly BuiltProgram[]> {
  const { configure, targets } = splitCmakeArguments(more);
  const cmake = need(machine, "cmake");
  await queryCmake(folder);
  const variables: string[] = [];
  for (const language of languages) {
    const own = await cmakeFlags(flags[language], `${folder}.${language}.flags`);
    // A project that sets CMAKE_CXX_FLAGS itself drops what the command line gives; those of the build type stand behind them.
    const ofTypes = BUILD_TYPES.map(([type, usual]) => `-DCMAKE_${language}_FLAGS_${type}=${usual} ${own}`);
    for (const variable of [`-DCMAKE_${language}_FLAGS=${own}`, ...ofTypes]) variables.push(variable);
  }
  const configured = [
    "-S",
    task.cwd,
    "-B",
    folder,
    `-DCMAKE_BUILD_TYPE=${BUILD_TYPE}`,
    ...variables,
    "--no-warn-unused-cli",
    // Linker options of `flagsOf`, which CMake would pass to the CUDA compiler only.
    ...(task.tool === "tracker" || task.tool === "instrument" ? ["-DCMAKE_ENABLE_EXPORTS=ON"] : []),
    ...configure,
  ];
  await run({ title: "Configure", command: cmake, args: configured, env: {}, cwd: task.cwd });
  const made = await cmakeTargets(folder);
  const named = targets.length > 0 ? targets : targetsForProgram(task.program, folder, made);
  if (named === undefined && task.program !== "")
    say(`No program of this CMake project is called ${task.program}, so all of its targets are built.`);
  // The build type again, for generators of several.
  const built = ["--build", folder, "--config", buildType(configure)];
  const args = [...built, "--parallel", String(os.availableParallelism()), ...targetArguments(named ?? [])];
  await run({ title: "Build", command: cmake, args, env: {}, cwd: folder });
  return made.programs;
}

/** The build type that the user's own arguments name last. */
function buildType(more: readonly string[]): string {
  const types = more.flatMap((one) => /^-DCMAKE_BUILD_TYPE(?::\w{1,20})?=(\w{1,40})$/.exec(one)?.[1] ?? []);
  return types.at(-1) ?? BUILD_TYPE;
}
