/** When the evaluation of the bundle began, in milliseconds: extension.ts imports this before anything else. */
export const bundleStartedAt = performance.now();
