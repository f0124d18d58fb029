/** How answers of some questions travel between the threads: as columns, where they are many small objects. */
import type { SuperGraph } from "../graphs/graphApi";
import type { QuestionName } from "../questions";
import { packGraph, type PackedGraph, unpackGraph } from "./graphColumns";

export const packedAnswer = (question: QuestionName, value: unknown): unknown =>
  question === "superGraph" ? packGraph(value as SuperGraph) : value;
export const unpackedAnswer = (question: QuestionName, value: unknown): unknown =>
  question === "superGraph" ? unpackGraph(value as PackedGraph) : value;
