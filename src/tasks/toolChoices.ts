/** Tools that a new traced build may use, in the order in which they are offered. Pure. */
import type { Tool } from "../traced/definition";

export interface ToolChoice {
  readonly tool: Tool;
  readonly label: string;
  /** What it measures, what it needs, what it costs. */
  readonly detail: string;
  /** Of a program that runs already: there is nothing to build. */
  readonly isRunning?: true;
}

const SAMPLE: ToolChoice = {
  tool: "sample",
  label: "Samples (perf)",
  detail:
    "Linux perf: call stacks of any program, as it is, many times per second; a fifth to a quarter more CPU time.",
};
const SAMPLE_RUNNING: ToolChoice = {
  tool: "sample",
  label: "Samples of a Running Program (perf)",
  detail: "Linux perf, of a program of yours that runs already, until the task is stopped.",
  isRunning: true,
};
const TRACKER: ToolChoice = {
  tool: "tracker",
  label: "Marked Regions",
  detail:
    "Built-in tracker: regions that the source marks (#include <heatflow/tracker.hpp>), MPI messages; the least overhead.",
};
const INSTRUMENT: ToolChoice = {
  tool: "instrument",
  label: "Every Function",
  detail:
    "Built-in tracker, no annotations needed: calls and time of each function of C, C++ and Fortran, MPI messages; often 2 to 8 times as long in C++. The time of functions in headers is in their callers.",
};
const CALLGRIND: ToolChoice = {
  tool: "callgrind",
  label: "Instructions (callgrind)",
  detail: "valgrind: exact instructions of each line; 20 to 100 times as long.",
};
const CALIPER: ToolChoice = {
  tool: "caliper",
  label: "Caliper",
  detail: "For programs that are annotated with Caliper and linked with it.",
};
const HPCTOOLKIT: ToolChoice = {
  tool: "hpctoolkit",
  label: "HPCToolkit",
  detail: "hpcrun, hpcstruct and hpcprof in turn.",
};

/**
 * @param canSample perf may measure on this machine; else it comes last, and says so when it is chosen
 * @param hasMarks the program's source has the tracker's marks; else there is nothing that the tracker would record by itself
 */
export function toolChoices(canSample: boolean, hasMarks: boolean): readonly ToolChoice[] {
  const sample = [SAMPLE, SAMPLE_RUNNING];
  return [
    ...(canSample ? sample : []),
    ...(hasMarks && canSample ? [TRACKER] : []),
    INSTRUMENT,
    ...(hasMarks && !canSample ? [TRACKER] : []),
    ...[CALLGRIND, CALIPER, HPCTOOLKIT],
    ...(hasMarks ? [] : [TRACKER]),
    ...(canSample ? [] : sample),
  ];
}
