/** Moves the window that all views over time show, step by step, while somebody watches. */
import type { Stretch } from "../../src/protocol/panel";
import type { ToolControl } from "../../src/protocol/frame";

/** What a page says of its steps. */
export interface PlayerSpec<Content> {
  /** The window after the one that is shown; undefined: that was the last one. @param begins from the first one on, if need be */
  next(content: Content, begins: boolean): Stretch | undefined;
  /** What a step is: "sector". */
  readonly step: string;
}

export const PLAY = "play";
const PACE_MS = 1000;
const LESS_MOTION = "(prefers-reduced-motion: reduce)";

export class Player<Content> {
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly spec: PlayerSpec<Content>,
    private readonly content: () => Content | undefined,
    private readonly move: (window: Stretch) => void,
    /** It has begun, or ended. */
    private readonly changed: () => void,
  ) {}

  /** Who asked for less motion steps by hand. */
  tool(): ToolControl {
    const isPlaying = this.timer !== undefined;
    const what = movesByItself()
      ? {
          name: isPlaying ? "Pause" : `Play: a ${this.spec.step} each second`,
          icon: isPlaying ? "debug-pause" : "play",
          on: isPlaying,
        }
      : { name: `Next ${this.spec.step}`, icon: "arrow-right" };
    return { kind: "tool", id: PLAY, leaves: 3, ...what };
  }

  toggle(): void {
    if (this.timer !== undefined) return this.pause();
    if (!this.step(true) || !movesByItself()) return;
    this.timer = setInterval(() => {
      if (!this.step(false)) this.pause();
    }, PACE_MS);
    this.changed();
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.changed();
  }

  /** @returns whether there was a window to go to */
  private step(begins: boolean): boolean {
    const content = this.content();
    const window = content === undefined ? undefined : this.spec.next(content, begins);
    if (window) this.move(window);
    return window !== undefined;
  }
}

function movesByItself(): boolean {
  return !matchMedia(LESS_MOTION).matches;
}
