import { Window, type WindowOptions } from "./window";

/** A suite whose code paths others lead through, too: only with all cases. */
export const inFull: typeof stepsInWindow = process.env.HEATFLOW_FULL ? stepsInWindow : () => undefined;

/** Such a test. */
export const itInFull = process.env.HEATFLOW_FULL ? it : it.skip;

/**
 * Steps that a person takes in one window, each a test. After one that failed the next ones are not tried, since they would
 * start from somewhere else.
 */
export function stepsInWindow(title: string, options: WindowOptions, steps: (here: { window: Window }) => void): void {
  describe(title, function () {
    const here = {} as { window: Window };
    const hasFailed = () => this.tests.some((test) => test.isFailed());
    before(async () => {
      here.window = await Window.open(options);
    });
    beforeEach(function () {
      if (hasFailed()) this.skip();
    });
    afterEach(async function () {
      if (this.currentTest?.isFailed()) await here.window.describe();
    });
    after(() => here.window?.close(hasFailed()));
    steps(here);
  });
}
