/** What is selected, found by its name when its recording was read again: it may have another number, or be gone. */
import type { Engine, NumberedTarget, Target } from "../engine/api";
import type { Selection, SessionDataSet } from "./session";

export class SelectionFinder {
  /** The recording of what is selected, as it was read. */
  private reading: SessionDataSet | undefined;
  private digest: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(private readonly engine: Engine) {}

  /** Something else is selected. */
  note({ dataSet, target }: Selection, reading: SessionDataSet | undefined): void {
    const numbered = numberedTarget(target);
    if (!numbered || reading === undefined) return;
    this.reading = reading;
    // Where there is no full name, it is found by its name alone.
    this.digest = this.engine.digestOfName({ dataSet, ...numbered }).catch(() => undefined);
  }

  /** @returns what is selected with its number in this reading; undefined where it is gone, or may be one of several */
  async found(selection: Selection, reading: SessionDataSet): Promise<Selection | undefined> {
    const numbered = numberedTarget(selection.target);
    if (!numbered || reading === this.reading) return selection;
    const { dataSet, name } = selection;
    const { id } = await this.engine.namedTarget({ dataSet, ...numbered, name, digest: await this.digest });
    if (id === undefined) return undefined;
    if (id !== numbered.id) return { ...selection, target: targetOf({ ...numbered, id }) };
    this.reading = reading;
    return selection;
  }
}

function numberedTarget(target: Target): NumberedTarget | undefined {
  if (target.kind === "function") return { kind: "function", id: target.function };
  return target.kind === "context" ? { kind: "context", id: target.context } : undefined;
}

export function targetOf({ kind, id }: NumberedTarget): Target {
  return kind === "function" ? { kind, function: id } : { kind, context: id };
}
