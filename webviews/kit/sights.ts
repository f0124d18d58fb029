/** What of a drawing is in sight, and when the host is asked for more of it. */
import type { Stretch } from "../../src/protocol/panel";
import type { SightSpec } from "./definition";
import type { DrawView } from "./stage/scene";
import type { Gesture } from "./stage/sight";

/** What sights need of the page. */
export interface SightPage<Content> {
  readonly content: Content | undefined;
  readonly view: DrawView;
  readonly search: string;
  readonly hasTable: boolean;
  /** Shows the tables. */
  openTable(): void;
  /** Another part is in sight. */
  redraw(): void;
  post(look: unknown): void;
  /** Other views show this stretch of the run, too. */
  tell(window: Stretch | undefined): void;
}

/** Milliseconds between two words to other views, which ask for what they show. */
const PACE = 100;

export class Sights<Content, Seen> {
  private asked = "";
  private isPending = false;
  private isMoving = false;
  /** Told to or heard from other views last, as text; undefined: neither yet. */
  private agreed: string | undefined;
  private isTelling = false;

  /** @param seen what was kept for a reload */
  constructor(
    readonly spec: SightSpec<Content, Seen>,
    private readonly page: SightPage<Content>,
    public seen: Seen | undefined,
  ) {}

  /** Does what people want to see. @param how `tellsAtOnce`: other views are told before anything else is said */
  follow(gesture: Gesture, { tellsAtOnce = false }: { readonly tellsAtOnce?: boolean } = {}): void {
    const { content, view } = this.page;
    if (content === undefined) return;
    if (gesture.kind === "list" || gesture.kind === "baseline") this.page.openTable();
    const next = this.spec.moved(content, this.seen, gesture, view);
    if (next === this.seen) return;
    this.seen = next;
    this.ask();
    if (tellsAtOnce) this.tell();
    else this.tellSoon();
    // The pointer may move and turn several times before the next frame; a key's next meaning may depend on the drawing.
    const isContinuous = ["pan", "zoom", "window", "measure"].includes(gesture.kind);
    if (isContinuous) this.isMoving ||= Boolean(requestAnimationFrame(() => this.move()));
    else this.page.redraw();
  }

  private move(): void {
    this.isMoving = false;
    this.page.redraw();
  }

  /** Another view has moved what is shown of the run. */
  show(window: Stretch | undefined): void {
    this.agreed = JSON.stringify(window ?? null);
    if (this.isThere()) return;
    this.moveTo(window);
    if (this.page.content !== undefined) this.page.redraw();
  }

  /** In other content the same stretch is shown; what was kept for a reload is told, unless somebody has said something else since. */
  showAgain(): void {
    if (this.agreed === undefined) this.tell();
    else if (!this.isThere()) this.moveTo((JSON.parse(this.agreed) as Stretch | null) ?? undefined);
  }

  private isThere(): boolean {
    return this.window() === this.agreed;
  }

  private moveTo(window: Stretch | undefined): void {
    const { content, view } = this.page;
    if (content === undefined) return;
    this.seen = this.spec.moved(content, this.seen, { kind: "show", ...(window ? { window } : {}) }, view);
    this.ask();
  }

  private window(): string | undefined {
    const { content } = this.page;
    return content === undefined ? undefined : JSON.stringify(this.spec.window?.(content, this.seen) ?? null);
  }

  private tellSoon(): void {
    if (!this.spec.window || this.isTelling) return;
    this.isTelling = true;
    setTimeout(() => {
      this.isTelling = false;
      this.tell();
    }, PACE);
  }

  private tell(): void {
    const { content } = this.page;
    const window = this.window();
    if (!this.spec.window || content === undefined || window === (this.agreed ?? "null")) return;
    this.agreed = window;
    this.page.tell(this.spec.window(content, this.seen));
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
      const { content, view, search, hasTable } = this.page;
      const look =
        content === undefined || view.width === 0
          ? undefined
          : this.spec.look(content, this.seen, view, search, hasTable);
      const asked = look === undefined ? "" : JSON.stringify(look);
      if (asked !== "" && asked !== this.asked) this.page.post(look);
      this.asked = asked;
    });
  }
}
