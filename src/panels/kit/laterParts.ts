/** What a panel asks for after its content. */
import type { LaterPart, OnScreen, View } from "./definition";
import { Latest, type Run } from "./latest";

export class LaterParts<State, Shown, Part> {
  /** What each was asked with. */
  private readonly asked: { readonly latest: Latest; of?: OnScreen<Shown>; depends?: string }[];

  /** @param send gets what has come, with the revision that it is part of */
  constructor(
    private readonly parts: readonly LaterPart<State, Shown, Part>[],
    private readonly send: (revision: number, part: Part) => void,
    private readonly failed: (error: unknown) => void,
  ) {
    this.asked = parts.map(() => ({ latest: new Latest() }));
  }

  /** Asks for what depends on something that has changed. */
  ask(answer: OnScreen<Shown>, view: View<State>): void {
    this.parts.forEach((part, at) => {
      const asked = this.asked[at];
      const depends = part.depends(view, answer.shown);
      const key = depends === undefined ? undefined : JSON.stringify(depends);
      if (asked.of === answer && asked.depends === key) return;
      asked.of = answer;
      asked.depends = key;
      const run = asked.latest.start();
      if (key !== undefined) void this.finish(run, answer.revision, () => part.ask(answer.shown, view, run.task));
    });
  }

  /** Another part of the same drawing is in sight: what does not depend on that is there. */
  lookedAt(before: OnScreen<Shown>, answer: OnScreen<Shown>, view: View<State>): void {
    for (const asked of this.asked) if (asked.of === before) asked.of = answer;
    this.ask(answer, view);
  }

  abandon(): void {
    for (const { latest } of this.asked) latest.abandon();
  }

  private async finish(run: Run, revision: number, ask: () => Promise<Part> | Part): Promise<void> {
    try {
      const part = await ask();
      if (!run.superseded) this.send(revision, part);
    } catch (error) {
      if (!run.superseded) this.failed(error);
    }
  }
}
