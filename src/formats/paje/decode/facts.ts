/** What is known of a link once both of its sides were read, or the trace has ended. One object serves all links. */
export interface LinkFact {
  type: number;
  /** The container that the link was recorded in: an ancestor of both ends. */
  container: number;
  /** Container that it starts from; NONE where only its end was recorded. */
  from: number;
  /** Container that it leads to; NONE where only its start was recorded. */
  to: number;
  startSeconds: number;
  endSeconds: number;
  /** NONE where it has none. */
  value: number;
  /** NaN where no size was recorded. */
  bytes: number;
  tag: number;
  key: () => string;
}

/**
 * What a trace says, once it is known: the simulation turns lines (push, pop, start, end) into these. Numbers of containers,
 * values and places are those of `Entities`; a track is one type in one container.
 */
export interface PajeFacts {
  container(container: number): void;
  /** The container was destroyed, or the trace has ended: its end is known. */
  containerEnded(container: number): void;
  /**
   * A state begins.
   *
   * @param level how many states it lies in
   * @param place where in the source, NONE where that is not recorded
   * @returns what {@link closed} is given back
   */
  opened(track: number, seconds: number, value: number, place: number, level: number): number;
  /** A state ends; every {@link opened} one does, at the latest with the trace. */
  closed(handle: number, track: number, startSeconds: number, endSeconds: number, value: number, level: number): void;
  event(track: number, seconds: number, value: number, place: number): void;
  /** A variable had this value for this long; the last one lasts until its container ends. */
  variable(track: number, startSeconds: number, endSeconds: number, value: number): void;
  link(link: Readonly<LinkFact>): void;
}
