/** Call stacks that reach the start of their thread (semantics 1, Samples), and those that end before it. */
import { isKernelModule } from "../../model/kernelModules";
import type { Warning } from "../../model/warning";
import type { FrameLine } from "./frameLine";

/** Names of functions in which a program or a thread starts. Versions and addresses of symbols are behind an @. */
const STARTS = new RegExp(
  `^(?:${[
    "_start",
    "_*clone.*",
    ".*start_thread",
    "ret_from_fork.*",
    // Go's and Android's programs.
    "_rt0_.*",
    "runtime\\.(?:goexit|mstart|rt0_go).*",
    "__libc_init",
    // Interpreters and virtual machines: Python, Java, Node.js, Perl, Ruby, R.
    "Py_BytesMain",
    "Py_Main",
    "Py_RunMain",
    "pymain_.*",
    "<module>",
    "py::<module>:.*",
    "JavaMain",
    "thread_native_entry",
    "java_start",
    "node::Start\\b.*",
    "perl_run",
    "ruby_run_node",
    "Rf_mainloop",
  ].join("|")})(?:@.*)?$`,
);
/**
 * Functions of libc that call main. Frame pointers lead from there to whatever lies above on the stack, since `_start` has none. In a
 * program without symbols `_start` has no name.
 */
const LIBC_START = /^_*libc_start(?:_call)?_main(?:_impl)?(?:@.*)?$/;
/** Bytes of a stack that perf copies at most. */
const LARGEST_COPY = 65_528;
/** Below this share of rooted samples the recording has a warning. */
const MIN_ROOTED = 0.9;

/** Whether a call stack may begin with a frame. */
export function isStart({ name, module }: FrameLine): boolean {
  return STARTS.test(name) || (module !== undefined && isKernelModule(module));
}

/** Whether a stack begins with a frame though frames without a name lie above. */
export function isLibcStart({ name }: FrameLine): boolean {
  return LIBC_START.test(name);
}

/** Counts call stacks, and those of them that are rooted. */
export class StackRoots {
  private stacks = 0;
  private rooted = 0;

  add(isRooted: boolean): void {
    this.stacks++;
    if (isRooted) this.rooted++;
  }

  /** @param copiedBytes of each stack that were copied (`--call-graph dwarf`); 0 if none were, or it is not known */
  warnings(copiedBytes: number): Warning[] {
    const { stacks, rooted } = this;
    if (rooted >= MIN_ROOTED * stacks) return [];
    const percent = rooted === 0 ? 100 : Math.min(99, Math.round((100 * (stacks - rooted)) / stacks));
    const message = `call stacks end early in ${percent} % of the samples${remedy(copiedBytes)}`;
    return [{ message, isUnrooted: true }];
  }
}

/** A way to record more of each stack than was recorded: the rest of a sentence. */
function remedy(copiedBytes: number): string {
  if (copiedBytes === 0) return ": record them with --call-graph dwarf";
  if (copiedBytes < LARGEST_COPY) return `: record them with --call-graph dwarf,${LARGEST_COPY}`;
  return ", although perf copied as much of each as it can: build with -fno-omit-frame-pointer and record with --call-graph fp";
}
