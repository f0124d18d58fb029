/** Long work in steps. Whoever asks for it decides what happens between them. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export function lastOf<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
