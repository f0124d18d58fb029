/** Every question, and the {@link Engine} that follows from them. Outside of the engine only types of this file are used. */
import { RequestError } from "../model/errors";
import type { Task } from "../model/task";
import * as application from "./application/questions";
import * as code from "./code/questions";
import * as comparisons from "./comparisons/questions";
import * as dataSets from "./dataSets/questions";
import * as ensembles from "./ensembles/questions";
import * as flames from "./flames/questions";
import * as graphs from "./graphs/questions";
import * as hardware from "./hardware/questions";
import * as history from "./history/questions";
import * as lines from "./lines/questions";
import * as members from "./members/questions";
import type { Question } from "./defineQuestion";
import type { EngineState } from "./engineState";
import { readWindows } from "./traces/windows";
import * as session from "./sessionQuestions";
import * as traces from "./traces/questions";
import * as counters from "./traces/counterQuestions";
import * as movements from "./traces/movementQuestions";
import * as summaries from "./traces/summaryQuestions";
import * as timelineLists from "./traces/timelineListQuestions";
import * as timelines from "./traces/timelineQuestions";
import * as overviews from "./overview/questions";
import * as resources from "./resources/questions";
import * as trees from "./trees/questions";

export const questions = {
  ...session,
  ...dataSets,
  ...trees,
  ...code,
  ...lines,
  ...graphs,
  ...members,
  ...ensembles,
  ...history,
  ...flames,
  ...traces,
  ...timelines,
  ...timelineLists,
  ...movements,
  ...counters,
  ...overviews,
  ...resources,
  ...summaries,
  ...hardware,
  ...application,
  ...comparisons,
};

type Questions = typeof questions;

/** A question as a value: `engine[question](argument, task)`. */
export type QuestionName = keyof Questions;

/** What only the session asks: it says where source is, and which recordings are open. */
export type SessionQuestionName = keyof typeof session;

export type ArgumentOf<Name extends QuestionName> = Parameters<Questions[Name]["work"]>[1];

export type AnswerOf<Name extends QuestionName> = Awaited<ReturnType<Questions[Name]["work"]>>;

/** The engine: owns every data set; answers are computed, never guessed by the caller. */
export type Engine = {
  [Name in QuestionName]: (argument: ArgumentOf<Name>, task?: Task) => Promise<AnswerOf<Name>>;
};

/** Answers a question whose argument and answer are not known here, for what hands all of them on. */
export async function answerTo(
  state: EngineState,
  name: QuestionName,
  argument: unknown,
  task: Task,
): Promise<unknown> {
  const { work } = questionNamed(name);
  await readWindows(state, argument, task);
  return work(state, argument, task);
}

/** A question whose argument and answer are not known here. */
export function questionNamed(name: QuestionName): Question<unknown, unknown> {
  const question = Object.getOwnPropertyDescriptor(questions, name)?.value as Question<unknown, unknown> | undefined;
  if (!question) throw new RequestError(`The engine is asked no question ${String(name)}.`);
  return question;
}
