import type { DataSetInfo } from "../engine/api";

/** Button of messages on such recordings; it runs `heatflow.runTracedBuild` with a file of the recording as `again`. */
export const RECORD_AGAIN = "Record Again";

/** Whether call stacks end early in a recording of a traced build, which can record them whole. */
export function canRecordAgain({ warnings, globals }: Pick<DataSetInfo, "warnings" | "globals">): boolean {
  const valueOf = (wanted: string) => globals.find(({ name }) => name === wanted)?.values.at(0);
  return (
    warnings.some(({ isUnrooted }) => isUnrooted === true) &&
    valueOf("run.tool") === "sample" &&
    valueOf("run.stacks") !== "dwarf"
  );
}
