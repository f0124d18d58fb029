/** What of a drawing is in sight, and when the host is asked for more of it. */
import type { SightSpec } from "./definition";
import type { DrawView } from "./stage/scene";
import type { Gesture } from "./stage/sight";

/** What sights need of the page. */
export interface SightPage<Content> {
  readonly content: Content | undefined;
  readonly view: DrawView;
  readonly search: string;
  /** Another part is in sight. */
  redraw(): void;
  post(look: unknown): void;
}

export class Sights<Content, Seen> {
  private asked = "";
  private isPending = false;
  private isMoving = false;

  /** @param seen what was kept for a reload */
  constructor(
    readonly spec: SightSpec<Content, Seen>,
    private readonly page: SightPage<Content>,
    public seen: Seen | undefined,
  ) {}

  /** Does what people want to see. */
  follow(gesture: Gesture): void {
    const { content, view } = this.page;
    if (content === undefined) return;
    const next = this.spec.moved(content, this.seen, gesture, view);
    if (next === this.seen) return;
    this.seen = next;
    this.ask();
    // The pointer may move and turn several times before the next frame; a key's next meaning may depend on the drawing.
    const isContinuous = ["pan", "zoom", "window", "measure"].includes(gesture.kind);
    if (isContinuous) this.isMoving ||= Boolean(requestAnimationFrame(() => this.move()));
    else this.page.redraw();
  }

  private move(): void {
    this.isMoving = false;
    this.page.redraw();
  }

  /** Other content is there: what was asked for before may be wanted again. */
  begin(): void {
    this.asked = "";
  }

  /** Asks for what is in sight and not there; once a frame, since many things change at once while zooming. */
  ask(): void {
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      const { content, view, search } = this.page;
      const look =
        content === undefined || view.width === 0 ? undefined : this.spec.look(content, this.seen, view, search);
      const asked = look === undefined ? "" : JSON.stringify(look);
      if (asked !== "" && asked !== this.asked) this.page.post(look);
      this.asked = asked;
    });
  }
}
