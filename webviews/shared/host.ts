/** The line to the extension host: what comes in is checked, what is kept survives a reload of the window. */

interface VsCodeApi {
  postMessage(message: unknown): void;
  setState(state: unknown): void;
  getState(): unknown;
}
declare function acquireVsCodeApi(): VsCodeApi;

export interface Host<Out> {
  post(message: Out): void;
  keep(state: unknown): void;
  kept(): unknown;
}

/**
 * @param parse gives the message where it is one, else undefined: such a message is ignored
 * @param receive hears of every message that was understood
 */
export function connect<In, Out>(
  parse: (message: unknown) => In | undefined,
  receive: (message: In) => void,
): Host<Out> {
  const api = acquireVsCodeApi();
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = parse(data);
    if (message !== undefined) receive(message);
  });
  return {
    post: (message) => api.postMessage(message),
    keep: (state) => api.setState(state),
    kept: () => api.getState(),
  };
}
