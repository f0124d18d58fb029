/** Stands in the engine's worker where the readers are: whatever is opened is the generated recording. */
import type { DataSet } from "../../src/model/dataSet";
import { generateRecording } from "./generatedRecording";

export const CONTEXTS = 100_000;
export const RANKS = 512;

export async function openRecordings(): Promise<DataSet[]> {
  return [generateRecording(CONTEXTS, RANKS)];
}
