import { isObject } from "./slowJson";

/** Metadata events (`M`): what processes and threads are called. */
export class Metadata {
  readonly processes = new Map<string, string>();
  readonly threads = new Map<string, Map<string, string>>();

  add(kind: string, pid: string, tid: string, values: unknown): void {
    if (!isObject(values)) return;
    const name = values.get("name");
    if (typeof name !== "string") return;
    if (kind === "process_name") this.processes.set(pid, name);
    else if (kind === "thread_name") {
      let threads = this.threads.get(pid);
      if (threads === undefined) this.threads.set(pid, (threads = new Map()));
      threads.set(tid, name);
    }
  }
}
