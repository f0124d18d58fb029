/** Steps of super graphs that were saved by name, kept with the workspace: operations as they are written. */
import * as v from "valibot";
import type * as vscode from "vscode";
import type { GraphOperation } from "../../engine/api";
import { percent } from "../../protocol/bounds";
import { groupChoices, keptChoice, operationTexts } from "../../protocol/superGraph";
import { parseOperation } from "../../engine/graphs/operations";

const STORED = "heatflow.superGraph.steps";
/** The oldest are forgotten beyond so many. */
const MOST_SAVED = 100;

const savedSteps = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  /** Name of the recording that they were made on. */
  dataSet: v.pipe(v.string(), v.maxLength(4096)),
  /** Absent: the first picture chooses it. */
  filter: v.optional(percent),
  groupBy: v.picklist(groupChoices),
  /** Choice of the first picture on that recording. For another recording it is chosen again. */
  first: v.optional(keptChoice),
  operations: operationTexts,
});
export type SavedSteps = v.InferOutput<typeof savedSteps>;

export class SavedStepsStore {
  constructor(private readonly storage: vscode.Memento) {}

  /** Latest first; what is stored and is no such thing is left out. */
  all(): SavedSteps[] {
    return this.stored.flatMap((one) => {
      const parsed = v.safeParse(savedSteps, one);
      return parsed.success && operationsOf(parsed.output.operations) ? [parsed.output] : [];
    });
  }

  /** Takes the place of what has the same name. */
  async save(steps: SavedSteps): Promise<void> {
    await this.storage.update(STORED, [steps, ...this.without(steps.name)].slice(0, MOST_SAVED));
  }

  async remove(name: string): Promise<void> {
    await this.storage.update(STORED, this.without(name));
  }

  private get stored(): readonly unknown[] {
    const stored = this.storage.get<unknown>(STORED);
    return Array.isArray(stored) ? stored : [];
  }

  /** What is not understood stays too: another version may have saved it. */
  private without(name: string): unknown[] {
    return this.stored.filter((one) => !v.is(v.object({ name: v.literal(name) }), one));
  }
}

/** Operations that were kept as text; undefined where one of them is none. */
export function operationsOf(texts: readonly string[]): GraphOperation[] | undefined {
  try {
    return texts.map(parseOperation);
  } catch {
    return undefined;
  }
}
