import { applyEdits, modify, type ParseError, parse } from "jsonc-parser";
import { TaskError } from "./definition";

/** A task as tasks.json has it. */
export interface TaskEntry {
  readonly type: "heatflow";
  readonly label: string;
  readonly [property: string]: unknown;
}

const EMPTY = '{\n  "version": "2.0.0",\n  "tasks": []\n}\n';

/** Tasks of type `heatflow` in a tasks.json. */
export function tasksIn(text: string): TaskEntry[] {
  return listIn(text).filter(isEntry);
}

/**
 * The text of a tasks.json with a task, in the place of one that is called the same. Everything else stays as it is, comments too.
 *
 * @param text of the file; empty where there is none
 * @throws TaskError where it is no JSON with comments: nothing is written over what cannot be read
 */
export function withTask(text: string, task: TaskEntry): string {
  const before = text.trim() === "" ? EMPTY : text;
  const errors: ParseError[] = [];
  parse(before, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new TaskError("tasks.json cannot be read: mend it, and run the traced build again.");
  const list = listIn(before);
  const known = list.findIndex((one) => isEntry(one) && one.label === task.label);
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const path = ["tasks", known < 0 ? list.length : known];
  return applyEdits(before, modify(before, path, task, { formattingOptions, isArrayInsertion: known < 0 }));
}

function listIn(text: string): unknown[] {
  const value: unknown = parse(text, [], { allowTrailingComma: true });
  const tasks: unknown = typeof value === "object" && value !== null && "tasks" in value ? value.tasks : undefined;
  return Array.isArray(tasks) ? tasks : [];
}

function isEntry(one: unknown): one is TaskEntry {
  return (
    typeof one === "object" &&
    one !== null &&
    "type" in one &&
    one.type === "heatflow" &&
    "label" in one &&
    typeof one.label === "string"
  );
}
