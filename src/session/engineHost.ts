/** Keeps at most one engine running, started when it is first needed, and the numbers that it gave to data sets. */
import type { EngineClient, EngineOptions, QuestionAtWork } from "../engine/thread/client";
import { RequestError } from "../model/errors";
import { dataSetsIn, type Directory, type Resolved } from "./stableEngine";

/** Starts a worker; `onExit` says that it ended without being asked to. */
export type StartEngine = (onExit: EngineOptions["onExit"]) => EngineClient;

/** What a worker was working on when it ended. */
export interface Work {
  readonly dataSets: readonly number[];
  /** It may have been reading a recording. */
  readonly reading: boolean;
}

interface Slot {
  readonly ready: Promise<number>;
  readonly opened: (engineId: number) => void;
  readonly failed: (error: Error) => void;
  engineId?: number;
  /** Neither opened nor failed yet: questions may be waiting. */
  pending: boolean;
}

export class EngineHost implements Directory {
  private client: EngineClient | undefined;
  private readonly slots = new Map<number, Slot>();

  /**
   * @param onStart called with every new worker, before its first question
   * @param onEnd called for every worker that ended by itself
   */
  constructor(
    private readonly start: StartEngine,
    private readonly onStart: (engine: EngineClient) => void,
    private readonly onEnd: (reason: string, work: Work) => void,
  ) {}

  get running(): EngineClient | undefined {
    return this.client;
  }

  engine(): EngineClient {
    if (this.client) return this.client;
    const client = this.start((reason, atWork) => {
      if (this.client !== client) return;
      this.client = undefined;
      this.onEnd(reason, this.workOn(atWork));
    });
    this.client = client;
    this.onStart(client);
    return client;
  }

  async resolve(dataSet: number): Promise<Resolved> {
    const slot = this.slots.get(dataSet);
    if (!slot) throw new RequestError("This data set is no longer open.");
    const engineId = await slot.ready;
    return { engine: this.engine(), engineId };
  }

  /** The number that a worker gave to a data set when it was opened last; undefined while it is being opened. */
  engineIdOf(dataSet: number): number | undefined {
    return this.slots.get(dataSet)?.engineId;
  }

  /**
   * Questions about this data set wait from now on, until it is {@link opened} or {@link failed}; those that wait already
   * go on waiting.
   */
  expect(dataSet: number): void {
    if (this.slots.get(dataSet)?.pending) return;
    let opened: (engineId: number) => void = () => undefined;
    let failed: (error: Error) => void = () => undefined;
    const ready = new Promise<number>((resolve, reject) => {
      opened = resolve;
      failed = reject;
    });
    ready.catch(() => undefined); // every question gets the error; there may be none
    this.slots.set(dataSet, { ready, opened, failed, pending: true });
  }

  opened(dataSet: number, engineId: number): void {
    if (!this.slots.has(dataSet)) return;
    // Those who got an error before have it; others ask the engine from now on.
    this.expect(dataSet);
    const slot = this.slots.get(dataSet);
    if (!slot) return;
    slot.pending = false;
    slot.engineId = engineId;
    slot.opened(engineId);
  }

  /** Questions fail from now on; the number that an earlier worker gave may be another data set's in the present one. */
  failed(dataSet: number, error: Error): void {
    this.expect(dataSet);
    const slot = this.slots.get(dataSet);
    if (!slot) return;
    slot.pending = false;
    slot.failed(error);
  }

  /** Replaces the number of a data set that was read again. */
  replaced(dataSet: number, engineId: number): void {
    this.expect(dataSet);
    this.opened(dataSet, engineId);
  }

  forget(dataSet: number): void {
    this.failed(dataSet, new RequestError("This data set was closed."));
    this.slots.delete(dataSet);
  }

  private workOn(atWork: QuestionAtWork | undefined): Work {
    const ids = new Set(dataSetsIn(atWork?.argument));
    const dataSets = [...this.slots].flatMap(([dataSet, { engineId }]) =>
      engineId !== undefined && ids.has(engineId) ? dataSet : [],
    );
    return { dataSets, reading: atWork === undefined || atWork.question === "open" };
  }

  async dispose(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.dispose();
  }
}
