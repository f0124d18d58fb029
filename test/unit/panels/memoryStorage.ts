import type * as vscode from "vscode";

/** A workspace's state that lasts as long as a test. Like VS Code's it keeps what can be written as JSON. */
export function memoryStorage(): Pick<vscode.Memento, "get" | "update"> {
  const kept = new Map<string, string>();
  return {
    get: <Value>(key: string, standard?: Value) => {
      const text = kept.get(key);
      return text === undefined ? standard : (JSON.parse(text) as Value);
    },
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, JSON.stringify(value))),
  } as Pick<vscode.Memento, "get" | "update">;
}
