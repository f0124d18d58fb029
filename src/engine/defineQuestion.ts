/** What a question to the engine is: one definition, from which every way to ask it follows (`questions.ts`). */
import type { Task } from "../model/task";
import type { EngineState } from "./engineState";

export interface Question<Argument, Answer> {
  /** Computes the answer, where the data sets are. Argument and answer are plain data: they travel between threads. */
  readonly work: (state: EngineState, argument: Argument, task: Task) => Answer | Promise<Answer>;
  /** Buffers of an answer that nothing here keeps: they move to the other thread, where everything else is copied. */
  readonly moved: (answer: Answer) => readonly ArrayBuffer[];
}

/**
 * @param work takes one plain argument; data sets are named by fields `dataSet`, wherever in it: the session exchanges those
 * @param moved buffers of the answer that nothing here keeps; none unless said
 */
export function defineQuestion<Argument, Answer>(
  work: Question<Argument, Answer>["work"],
  moved: Question<Argument, Answer>["moved"] = () => [],
): Question<Argument, Answer> {
  return { work, moved };
}
