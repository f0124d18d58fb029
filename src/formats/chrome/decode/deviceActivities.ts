import { NONE } from "../../../model/ids";
import type { TraceSink } from "../../trace/traceSink";
import type { EventClass } from "./categories";
import type { EventScanner } from "../scan/eventScanner";
import type { Launches } from "./links";
import type { Thread } from "./places";

/** Bytes a second in a GB/s as CUPTI counts them. */
const GIGA = 1e9;

/** Directions of a transfer between the host and the device that carried it out. */
const FROM_HOST = new Set(["HtoD", "HtoA"]);
const TO_HOST = new Set(["DtoH", "AtoH"]);

/** What devices do: kernels, transfers and memory sets, joined to the calls that started them. */
export class DeviceActivities {
  constructor(
    private readonly sink: TraceSink,
    private readonly launches: Launches,
  ) {}

  add(
    of: EventClass,
    scanner: EventScanner,
    { device, resource }: Thread,
    lane: number,
    startSeconds: number,
    endSeconds: number,
    frame: number,
    name: () => string,
    context: number = NONE,
  ): void {
    if (of === "gpuMark") return;
    const correlation = scanner.number("correlation");
    if (Number.isSafeInteger(correlation)) this.launches.activity(correlation, resource, startSeconds);
    if (of === "kernel") return;
    const direction = of === "memset" ? "memset" : (/^Mem\w*\s+(\w+)/.exec(name())?.[1] ?? name());
    const from = scanner.number("fromDevice");
    const to = scanner.number("toDevice");
    const onHost = direction === "HtoH";
    this.sink.transfer({
      lane,
      startSeconds,
      endSeconds,
      bytes: scanner.number("bytes"),
      direction: this.sink.transferDirection(direction.slice(0, 64)),
      fromDevice: Number.isSafeInteger(from)
        ? from
        : onHost || FROM_HOST.has(direction) || of === "memset"
          ? NONE
          : device,
      toDevice: Number.isSafeInteger(to) ? to : onHost || TO_HOST.has(direction) ? NONE : device,
      bandwidth: scanner.number("bandwidth") * GIGA,
      frame,
      context,
    });
  }
}
