/** Tools that a new traced build may use, in the order in which they are offered. Pure. */
import type { Tool } from "../traced/definition";

export interface ToolChoice {
  readonly tool: Tool;
  readonly label: string;
  /** Measured quantity, requirements and overhead. */
  readonly detail: string;
  /** Samples a running process: nothing is built or started. */
  readonly isRunning?: true;
}

const SAMPLE: ToolChoice = {
  tool: "sample",
  label: "Samples (perf)",
  detail:
    "Linux perf: samples the call stack of any program many times per second. A fifth to a quarter more CPU time.",
};
const SAMPLE_RUNNING: ToolChoice = {
  tool: "sample",
  label: "Samples of a Running Program (perf)",
  detail: "Linux perf: samples a running process of yours until the task is stopped.",
  isRunning: true,
};
const TRACKER: ToolChoice = {
  tool: "tracker",
  label: "Marked Regions",
  detail:
    "Built-in tracker: records regions that the source marks (#include <heatflow/tracker.hpp>) and MPI messages. Lowest overhead.",
};
const INSTRUMENT: ToolChoice = {
  tool: "instrument",
  label: "Every Function",
  detail:
    "Built-in tracker, no annotations needed: records calls and time of each function in C, C++ and Fortran, and MPI messages. C++ often takes 2 to 8 times as long. The time of functions in headers is in their callers.",
};
const CALLGRIND: ToolChoice = {
  tool: "callgrind",
  label: "Instructions (callgrind)",
  detail: "valgrind: counts the instructions of each line exactly. Takes 20 to 100 times as long.",
};
const CALIPER: ToolChoice = {
  tool: "caliper",
  label: "Caliper",
  detail: "For programs that are annotated with Caliper and linked with it.",
};
const HPCTOOLKIT: ToolChoice = {
  tool: "hpctoolkit",
  label: "HPCToolkit",
  detail: "Samples with hpcrun, then runs hpcstruct and hpcprof.",
};

/**
 * @param canSample perf may measure on this machine. If false it comes last, and a message says so when it is chosen
 * @param hasMarks the program's source has the tracker's marks. Without marks the tracker records no regions
 */
export function toolChoices(canSample: boolean, hasMarks: boolean): readonly ToolChoice[] {
  const sample = [SAMPLE, SAMPLE_RUNNING];
  return [
    ...(canSample ? sample : []),
    ...(hasMarks && canSample ? [TRACKER] : []),
    INSTRUMENT,
    ...(hasMarks && !canSample ? [TRACKER] : []),
    CALLGRIND,
    CALIPER,
    HPCTOOLKIT,
    ...(hasMarks ? [] : [TRACKER]),
    ...(canSample ? [] : sample),
  ];
}
