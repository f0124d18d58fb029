import { NONE } from "../../model/ids";
import type { Location } from "../../model/locations";

/** The name that the processes of all readers have, so that what several files say of one is joined. */
export function processName(rank: number): string {
  return rank === NONE ? "process" : `rank ${rank}`;
}

export function placeName({ rank, thread }: Location): string {
  return thread === NONE ? processName(rank) : `${processName(rank)}, thread ${thread}`;
}

/** `rank 3, worker`; a thread that was named after its process is not called so twice: `rank 3 worker`. @param called what threads may be named after */
export function threadName(process: string, thread: string, called = process): string {
  const isTold = called !== "" && thread.toLowerCase().startsWith(called.toLowerCase());
  return isTold && !/^[\p{L}\p{N}]/u.test(thread.slice(called.length)) ? thread : `${process}, ${thread}`;
}
