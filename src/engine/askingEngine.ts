/** An engine that hands every question on. It holds no list of them, so their code stays where they are answered. */
import type { Task } from "../model/task";
import type { Engine, QuestionName } from "./questions";

export type Ask = (name: QuestionName, argument: unknown, task: Task | undefined) => Promise<unknown>;

export function askingEngine(ask: Ask): Engine {
  return new Proxy<Partial<Record<string | symbol, unknown>>>(
    {},
    {
      get: (own, name) => {
        // What it is asked by JavaScript itself: it is no promise, for one.
        if (name in own || typeof name === "symbol" || name === "then") return own[name];
        return (argument: unknown, task?: Task) => ask(name as QuestionName, argument, task);
      },
    },
  ) as unknown as Engine;
}

/** Asks by a name that is known at run time only. */
export function askByName(engine: Engine, name: QuestionName, argument: unknown, task?: Task): Promise<unknown> {
  const ask = engine[name] as (argument: unknown, task?: Task) => Promise<unknown>;
  return ask(argument, task);
}
