/** A link, after both of its sides were read or the trace has ended. One object is reused for all links. */
export interface LinkFact {
  type: number;
  /** The container that the link was recorded in: an ancestor of both ends. */
  container: number;
  /** Container that it starts from. NONE if only its end was recorded. */
  from: number;
  /** Container that it leads to. NONE if only its start was recorded. */
  to: number;
  startSeconds: number;
  endSeconds: number;
  /** NONE if the link has no value. */
  value: number;
  /** NaN if no size was recorded. */
  bytes: number;
  tag: number;
  key: () => string;
}

/**
 * Receiver of a trace's facts, which the simulation makes from lines (push, pop, start, end). Numbers of containers, values and places are
 * those of `Entities`. A track is one type in one container.
 */
export interface PajeFacts {
  container(container: number): void;
  /** A container was destroyed, or the trace has ended. */
  containerEnded(container: number): void;
  /**
   * A state begins.
   *
   * @param level number of open states around it
   * @param place in the source, NONE if not recorded
   * @returns a number, which {@link closed} receives
   */
  opened(track: number, seconds: number, value: number, place: number, level: number): number;
  /** A state ends. Each {@link opened} one does, at the latest with the trace. */
  closed(handle: number, track: number, startSeconds: number, endSeconds: number, value: number, level: number): void;
  event(track: number, seconds: number, value: number, place: number): void;
  /** A variable had this value from start to end. The last value lasts until its container ends. */
  variable(track: number, startSeconds: number, endSeconds: number, value: number): void;
  link(link: Readonly<LinkFact>): void;
}
