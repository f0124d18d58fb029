/** What is done with marks, whether they are drawn or have a row in a table alone. */
import { openMenu } from "../overlay/menu";
import type { Point } from "../stage/scene";
import type { Showing } from "./showing";
import type { PageParts, PageState } from "./state";

/** What a message may hold. */
const MOST_COPIED = 100_000;

export class MarkActions<Content, ChosenPart, Seen, Part> {
  private readonly state: PageState<Content, ChosenPart>;

  constructor(
    private readonly parts: PageParts<Content, ChosenPart, Seen, Part>,
    private readonly showing: Showing<Content, ChosenPart, Seen, Part>,
  ) {
    this.state = parts.state;
  }

  canChoose(mark: number): boolean {
    const { shown } = this.state;
    const { definition } = this.parts;
    return shown !== undefined && definition.members?.can(shown.content, mark) === true;
  }

  /** Whether a click does something else with a mark than to select it. */
  doesOther(mark: number): boolean {
    const { shown } = this.state;
    return shown !== undefined && this.parts.definition.does?.(shown.content, mark) !== undefined;
  }

  /** Zooms to a mark. */
  fill(mark: number): void {
    const { shown } = this.state;
    const { sights } = this.parts;
    const place = shown && sights?.spec.placeOf(shown.content, mark);
    if (place) sights?.follow({ kind: "fill", place });
  }

  /** Whether a mark stands for several, so that a click shows these apart. */
  isSeveral(mark: number): boolean {
    return this.state.shown !== undefined && this.parts.sights?.spec.isSeveral(this.state.shown.content, mark) === true;
  }

  /** What a double click that begins on a mark does at its end. */
  opening(mark: number): (() => void) | undefined {
    if (this.isSeveral(mark)) return this.parts.sights?.spec.selectsSeveral ? () => this.fill(mark) : undefined;
    const now = this.lasting(mark);
    return () => {
      const meant = now();
      if (meant !== undefined) this.use("open", meant);
    };
  }

  /** What a mark is by then: other content may have come, which has other marks. */
  private lasting(mark: number): () => number | undefined {
    const { stage, definition } = this.parts;
    const revision = this.state.shown?.revision;
    const key = stage.mark(mark)?.key;
    return () => {
      if (this.state.shown?.revision === revision) return mark;
      const marks = definition.lasting && key !== undefined ? (stage.scene?.marks ?? []) : [];
      return marks.find((known) => known.key === key)?.id;
    };
  }

  /** Something is done with a mark, or with all that is drawn. The whole of a part is selected; the line that this leads to is the part's. */
  use(action: string, mark: number | undefined): void {
    const { shown } = this.state;
    if (!shown) return;
    const isPlain = action === "select" || action === "open";
    const instead = isPlain && mark !== undefined ? this.parts.definition.does?.(shown.content, mark) : undefined;
    if (instead !== undefined) return this.use(instead, mark);
    const whole = mark === undefined ? undefined : (this.parts.stage.mark(mark)?.within ?? mark);
    if (isPlain) this.state.select(whole);
    // There is nothing that the host could say of several.
    if (mark !== undefined && this.parts.sights?.spec.selectsSeveral && this.isSeveral(mark))
      return this.showing.update();
    this.parts.host.post({
      type: "mark",
      action,
      revision: shown.revision,
      ...(mark === undefined ? {} : { mark }),
    });
    this.showing.update();
  }

  /** Opens a mark's menu. @param returnTo what has the focus after it */
  menuOf(mark: number, name: string, at: Point, returnTo: { focus(): void }): void {
    const { shown, chosenMarks } = this.state;
    const { definition, frame, host, choice, sights } = this.parts;
    if (!shown || !definition.menu) return;
    frame.tooltip.hide();
    const { revision } = shown;
    const items = definition.menu(shown.content, mark, chosenMarks).map(({ does, mark: other, ...entry }) => {
      const now = this.lasting(other ?? mark);
      const run = () => {
        const meant = now();
        if (typeof does === "string") return meant === undefined ? undefined : this.use(does, meant);
        if ("copy" in does) return host.post({ type: "copy", text: does.copy.slice(0, MOST_COPIED) });
        if (this.state.shown?.revision !== revision) return;
        if ("choose" in does) choice.set(does.choose);
        else sights?.follow(does.gesture);
      };
      return { ...entry, run };
    });
    openMenu(name.slice(0, 200), items, at, returnTo);
  }
}
