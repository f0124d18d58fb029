/**
 * Annotation calls and macros of the tools that Heatflow reads: what begins a region with a name, what ends one, what marks a
 * function. Project macros and wrappers are followed to these (macros.ts, symbolIndex.ts).
 */

/** Given a name as string literal, these begin a region (until its end, or the end of the block). */
export const regionBegins: ReadonlySet<string> = new Set([
  "CALI_MARK_BEGIN",
  "CALI_MARK_PHASE_BEGIN",
  "CALI_MARK_COMM_REGION_BEGIN",
  "CALI_MARK_LOOP_BEGIN",
  "CALI_CXX_MARK_SCOPE",
  "CALI_CXX_MARK_LOOP_BEGIN",
  "CALI_WRAP_STATEMENT",
  "cali_begin_region",
  "cali_begin_phase",
  "cali_begin_comm_region",
  "cali_begin_byname",
  "cali_begin_string",
  "cali_begin_string_byname",
  "cali_begin_int_byname",
  "cali_begin_double_byname",
  "cali_make_loop_iteration_attribute",
  "ScopeAnnotation",
  "begin_region",
  "begin_phase",
  "pushRegion",
  "ScopedRegion",
  "ProfilingSection",
  "parallel_for",
  "parallel_reduce",
  "parallel_scan",
  "nvtxRangePush",
  "nvtxRangePushA",
  "nvtxRangePushW",
  "nvtxRangeStart",
  "nvtxRangeStartA",
  "scoped_range",
  "NVTX3_FUNC_RANGE_IN",
  "roctxRangePush",
  "roctxRangePushA",
  "roctxRangeStart",
  "roctxRangeStartA",
  "SCOREP_USER_REGION",
  "SCOREP_USER_REGION_BEGIN",
  "SCOREP_USER_REGION_BY_NAME_BEGIN",
  "TAU_START",
  "TAU_PROFILE",
  "TAU_PROFILE_TIMER",
  "TAU_STATIC_TIMER_START",
  "TAU_DYNAMIC_TIMER_START",
  "LIKWID_MARKER_START",
  "BL_PROFILE",
  "BL_PROFILE_REGION",
  "annotate",
  "range_push",
  "push_range",
  "start_range",
  "record_function",
]);

/** Of these, the region is what they are given: a loop body, a statement. */
export const regionCalls: ReadonlySet<string> = new Set([
  "parallel_for",
  "parallel_reduce",
  "parallel_scan",
  "CALI_WRAP_STATEMENT",
]);

/** These end a region. */
export const regionEnds: ReadonlySet<string> = new Set([
  "CALI_MARK_END",
  "CALI_MARK_PHASE_END",
  "CALI_MARK_COMM_REGION_END",
  "CALI_MARK_LOOP_END",
  "CALI_CXX_MARK_LOOP_END",
  "cali_end_region",
  "cali_end_phase",
  "cali_end_comm_region",
  "cali_end",
  "cali_end_byname",
  "cali_safe_end_string",
  "end_region",
  "end_phase",
  "popRegion",
  "nvtxRangePop",
  "nvtxRangeEnd",
  "roctxRangePop",
  "roctxRangeStop",
  "SCOREP_USER_REGION_END",
  "SCOREP_USER_REGION_BY_NAME_END",
  "TAU_STOP",
  "TAU_PROFILE_STOP",
  "TAU_STATIC_TIMER_STOP",
  "TAU_DYNAMIC_TIMER_STOP",
  "LIKWID_MARKER_STOP",
]);

/** Within a function's body these make the function itself a region. */
export const functionMarks: ReadonlySet<string> = new Set([
  "CALI_CXX_MARK_FUNCTION",
  "CALI_MARK_FUNCTION_BEGIN",
  "NVTX3_FUNC_RANGE",
  "NVTX3_FUNC_RANGE_IF",
  "NVTX3_V1_FUNC_RANGE",
  "SCOREP_USER_FUNC_BEGIN",
  "TAU_FUNCTION_BEGIN",
  "annotate",
  "annotate_function",
  "profile",
]);

/** What the preprocessor and the compiler call the function at hand. */
export const functionNameWords: ReadonlySet<string> = new Set(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"]);

/** Calls that are given `__func__` to say where they are, not to measure: no mark. */
export function isReporting(text: string): boolean {
  return /printf|puts|assert|abort|error|fatal|warn|throw|except|log(?!i)|debug|cerr|cout|verify|check(?!point)|require|expect|fail|panic/i.test(
    text,
  );
}

/** A name that reads as the end of something. */
export function soundsLikeEnd(callee: string): boolean {
  return /(end|stop|pop|exit|leave|close|finish|pause|done)(?![a-z])|_(end|stop|pop)|(End|Stop|Pop)$/i.test(callee);
}

/** A name that reads as the begin of something measured. */
export function soundsLikeBegin(callee: string): boolean {
  return (
    /begin|start|push|enter|open|mark|region|scope|phase|timer|annot|profil|trace|section|span|range/i.test(callee) &&
    !soundsLikeEnd(callee) &&
    !isReporting(callee)
  );
}
