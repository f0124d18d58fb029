/** What the host says: it changes what the page knows, and what is drawn. */
import type { HighlightMessage, Problem, SelectionMessage, ToPage } from "../../../src/protocol/panel";
import { isLost } from "../keptFocus";
import { isPassing } from "../problems";
import type { Showing } from "./showing";
import type { Interaction } from "./interaction";
import type { Searching } from "./searching";
import type { PageParts, PageState, Revised } from "./state";

export class Messages<Content, ChosenPart, Seen, Part> {
  private readonly state: PageState<Content, ChosenPart>;

  constructor(
    private readonly parts: PageParts<Content, ChosenPart, Seen, Part>,
    private readonly showing: Showing<Content, ChosenPart, Seen, Part>,
    private readonly interaction: Interaction<Content, ChosenPart, Seen, Part>,
    private readonly searching: Searching<Content, ChosenPart, Seen, Part>,
  ) {
    this.state = parts.state;
  }

  receive(message: ToPage<Content, ChosenPart, Part>): void {
    switch (message.type) {
      case "frame":
        this.state.framed = message;
        this.showing.keep();
        break;
      case "content":
        this.take({ ...message, content: this.withKept(message.content) });
        break;
      case "near":
        this.state.coming = nearIn(this.state.coming, message);
        this.state.shown = nearIn(this.state.shown, message);
        break;
      case "part":
        this.add(message.revision, message.part);
        break;
      case "chosen":
        this.heardChosen(message.revision, message.choice, message.chosen);
        break;
      case "selection":
        if (message.revision === this.state.coming?.revision) this.state.coming.selected = message;
        if (message.revision !== this.state.shown?.revision) return;
        this.followSelection(message);
        break;
      case "highlight":
        if (message.revision === this.state.coming?.revision) this.state.coming.highlighted = message;
        if (message.revision !== this.state.shown?.revision) return;
        this.highlight(message);
        break;
      case "explained":
        if (message.revision !== this.state.shown?.revision) return;
        this.parts.explanations.hear(message.mark, message);
        this.interaction.explained(message.mark);
        break;
      case "progress":
        this.state.progress = { fraction: message.fraction, text: message.message };
        this.state.problem = undefined;
        break;
      case "problem":
        this.showProblem(message);
        break;
      case "focus":
        this.state.focusWanted = true;
        this.giveFocus();
        return;
      case "window":
        this.parts.sights?.show(message.window);
        return;
      case "notice":
        this.state.said = { id: "said", severity: "info", text: message.message };
        break;
    }
    this.showing.update();
  }

  private withKept(content: Content): Content {
    const { shown } = this.state;
    return (shown && this.parts.definition.later?.keeps?.(content, shown.content)) ?? content;
  }

  /** What is not whole yet waits: until then the content before stays. */
  private take({ revision, content, near }: Revised<Content>): void {
    const taken = { revision, content, near };
    this.state.coming = taken;
    if (this.parts.definition.later?.isWhole(content) === false) return;
    this.state.coming = undefined;
    this.show(taken);
  }

  private add(revision: number, part: Part): void {
    const { coming, shown } = this.state;
    const { definition, stage } = this.parts;
    const of = [coming, shown].find((one) => one?.revision === revision);
    const content = of && definition.later?.add(of.content, part);
    if (!of || content === undefined) return;
    if (of === coming) {
      this.take({ ...of, content });
      const { selected, highlighted } = of as NonNullable<typeof coming>;
      if (this.state.coming) Object.assign(this.state.coming, { selected, highlighted });
      else {
        if (selected) this.followSelection(selected);
        if (highlighted) this.highlight(highlighted);
      }
      return;
    }
    // Made with the content, it is there already.
    if (content === of.content) return;
    this.state.shown = { ...of, content };
    stage.redraw();
  }

  private show(coming: Revised<Content>): void {
    const { revision, content } = coming;
    const { stage, choice, search, explanations, sights, frame, definition } = this.parts;
    const hadFocus = stage.element.contains(document.activeElement);
    const isSame = revision === this.state.shown?.revision;
    const { active } = this.state;
    const before = active === undefined ? undefined : stage.mark(active)?.key;
    const last = this.state.shown?.revision;
    this.state.shown = coming;
    this.state.progress = this.state.problem = this.state.said = undefined;
    if (!isSame) {
      choice.begin();
      this.state.begin();
      search.begin();
      explanations.begin();
      sights?.begin();
      frame.tooltip.hide();
    }
    if (!isSame) sights?.showAgain();
    stage.redraw();
    this.searching.find();
    sights?.ask();
    const marks = stage.scene?.marks ?? [];
    if (!isSame) {
      const same = marks.find(({ key }) => key === before)?.id;
      const made =
        active === undefined || last === undefined ? undefined : definition.madeFrom?.(content, last, active);
      this.state.active = same ?? made ?? this.showing.firstMark;
    }
    stage.emphasise(this.showing.emphasis);
    if (hadFocus && !isSame && this.state.active !== undefined) stage.focus(this.state.active);
    // Content may come late: a menu or a field that was opened meanwhile keeps the focus.
    if (isLost()) this.giveFocus();
    else this.state.focusWanted = false;
    // What another view shows, and this one shows from now on, is there again after a reload.
    if (!isSame) this.showing.keep();
    if (this.state.nextWanted) this.searching.goToNextFound(this.state.nextWanted.backwards);
  }

  /** A key of the window's led to the page: where nothing in it had the focus, keys would do nothing. */
  pageFocused(): void {
    if (!isLost()) return;
    this.state.focusWanted = true;
    this.giveFocus();
  }

  /** The panel was opened by its command: the mark that keys begin at has the focus, as soon as there is one. */
  private giveFocus(): void {
    const first = this.state.active ?? this.showing.firstMark;
    if (!this.state.focusWanted || !this.state.shown || first === undefined) return;
    this.state.focusWanted = false;
    this.state.active = first;
    this.parts.stage.focus(first);
  }

  private highlight({ name, places, kinds }: HighlightMessage): void {
    const { stage, sights } = this.parts;
    const before = stage.view.highlighted;
    stage.highlight(name === undefined ? undefined : { name, places: new Set(places), kinds: new Set(kinds) });
    // It comes again with each answer: whoever has scrolled away from it stays there.
    const isKnown = before?.name === name && places.every((place) => before?.places.has(place));
    if (places.length > 0 && !isKnown) sights?.follow({ kind: "rows", rows: places });
  }

  private followSelection({ mark, place }: SelectionMessage): void {
    if (place && mark !== this.state.selected) this.parts.sights?.follow({ kind: "reveal", place });
    this.state.select(mark !== undefined && (place || this.parts.stage.mark(mark)) ? mark : undefined);
    this.state.active = this.state.selected ?? this.state.active;
  }

  private heardChosen(revision: number, choice: number, chosen: ChosenPart | undefined): void {
    const { shown } = this.state;
    const { definition, stage } = this.parts;
    if (revision !== shown?.revision || !definition.members) return;
    const marks = chosen === undefined ? undefined : definition.members.marks(shown.content, chosen);
    if (!this.parts.choice.heard(choice, marks?.keys() ?? [], this.state.isNew)) return;
    this.state.isNew = false;
    this.state.chosen = chosen;
    this.state.chosenMarks = marks;
    stage.emphasise(this.showing.emphasis);
  }

  /** Shows what is being chosen from what the page has: the host's word comes later. */
  showChoice(marks: ReadonlySet<number>): void {
    const { shown } = this.state;
    const { definition } = this.parts;
    if (!shown || !definition.members) return;
    this.state.chosen = definition.members.part(shown.content, marks);
    this.state.chosenMarks =
      this.state.chosen === undefined ? undefined : definition.members.marks(shown.content, this.state.chosen);
    this.showing.update();
  }

  private showProblem(problem: Problem): void {
    this.state.progress = undefined;
    this.state.problem = problem;
    // What was shown stays on screen, except where it is of something that is no longer asked for.
    if (isPassing(problem)) return;
    this.state.shown = this.state.coming = undefined;
    this.parts.frame.tooltip.hide();
    this.parts.stage.redraw();
  }
}

/** What the message is about stays near what was asked. */
function nearIn<Known extends Revised<unknown>>(
  known: Known | undefined,
  of: Pick<Revised<unknown>, "revision" | "near">,
) {
  return known?.revision === of.revision ? { ...known, near: of.near } : known;
}
