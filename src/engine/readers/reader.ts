/** A thread that reads files, one after the other. Started by readerPool.ts. */
import { parentPort, workerData } from "node:worker_threads";
import type { ByteSource } from "../../formats/byteSource";
import { jobOf } from "../../formats/jobs";
import { stateOf } from "../../formats/laterTrace";
import { withContext } from "../../formats/readContext";
import type { Task } from "../../model/task";
import { plainError } from "../thread/calls";
import type { ReadCall, ReaderStart, ReadReply } from "./readerMessages";
import { transplantOf } from "./transplant";

/** Progress is reported at most this often. */
const REPORT_EVERY_MS = 20;

const port = parentPort;
if (!port) throw new Error("reader.ts runs as a worker thread only");
const { unpackedRatio } = workerData as ReaderStart;

port.on("message", (call: ReadCall) => void answer(call));

async function answer({ index, job: id, file, hierarchy }: ReadCall): Promise<void> {
  const job = jobOf(id);
  const task = taskOf(index);
  const sources: { readonly file: string; readonly state: string; readonly source: ByteSource }[] = [];
  const opened = () => sources.map(({ file, state, source }) => ({ file, state, isCut: source.isCut === true }));
  const options = { hierarchy, unpackedRatio, outlineOnly: true };
  try {
    const result = await withContext(options, task, (context) => {
      const open = async (name: string) => {
        const source = await context.open(name);
        sources.push({ file: name, state: stateOf(source), source });
        return source;
      };
      return job.read(file, { ...context, open }, task);
    });
    const { transplant, transfer } = transplantOf(result, job.classes);
    port?.postMessage({ kind: "read", index, opened: opened(), result: transplant } satisfies ReadReply, transfer);
  } catch (error) {
    port?.postMessage({
      kind: "read",
      index,
      opened: opened(),
      result: { error: plainError(error) },
    } satisfies ReadReply);
  }
}

/** Cancelling ends the whole thread, which closes what it has open. */
function taskOf(index: number): Task {
  let reported = 0;
  return {
    check: () => undefined,
    progress(fraction = 0) {
      const now = performance.now();
      if (now - reported < REPORT_EVERY_MS) return;
      reported = now;
      const bytes = process.memoryUsage().external;
      port?.postMessage({ kind: "progress", index, fraction, bytes } satisfies ReadReply);
    },
  };
}
