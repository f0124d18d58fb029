/** What a panel asks for after its content. */
import type { LaterPart, OnScreen, View } from "./definition";
import { Latest, type Run } from "./latest";

/** What comes sooner is not announced; milliseconds. */
const LONG_MS = 300;

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
      if (key !== undefined) void this.finish(run, part, answer, view);
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

  private async finish(
    run: Run,
    part: LaterPart<State, Shown, Part>,
    { shown, revision }: OnScreen<Shown>,
    view: View<State>,
  ): Promise<void> {
    let pending: ReturnType<NonNullable<typeof part.pending>>;
    const announced = setTimeout(() => {
      pending = run.superseded ? undefined : part.pending?.(shown, view);
      if (pending) this.send(revision, pending.meanwhile);
    }, LONG_MS);
    try {
      const found = await part.ask(shown, view, run.task);
      if (!run.superseded) this.send(revision, found);
    } catch (error) {
      if (run.superseded) return;
      if (pending) this.send(revision, pending.failed);
      this.failed(error);
    } finally {
      clearTimeout(announced);
    }
  }
}
