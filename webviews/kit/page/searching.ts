/** Searching: what is looked for, and going from one that was found to the next. */
import type { Showing } from "./showing";
import type { MarkActions } from "./actions";
import type { Interaction } from "./interaction";
import type { PageParts, PageState } from "./state";

export class Searching<Content, ChosenPart, Seen, Part> {
  private readonly state: PageState<Content, ChosenPart>;

  constructor(
    private readonly parts: PageParts<Content, ChosenPart, Seen, Part>,
    private readonly showing: Showing<Content, ChosenPart, Seen, Part>,
    private readonly actions: MarkActions<Content, ChosenPart, Seen, Part>,
    private readonly interaction: Interaction<Content, ChosenPart, Seen, Part>,
  ) {
    this.state = parts.state;
  }

  /** Finds anew: there is another text, or other content. */
  find(): void {
    const { shown } = this.state;
    const { definition, search, stage } = this.parts;
    search.look((text) => {
      if (!shown) return undefined;
      if (definition.sight) return definition.sight.found(shown.content, text);
      const wanted = text.toLowerCase();
      const inNames = () =>
        new Set(stage.scene?.marks.filter(({ name }) => name.toLowerCase().includes(wanted)).map(({ id }) => id));
      const marks = definition.find ? definition.find(shown.content, text) : inNames();
      return marks && { marks };
    });
  }

  /** @param text undefined: the search is closed */
  searchFor(text: string | undefined): void {
    const { search, sights } = this.parts;
    search.text = text;
    search.begin();
    this.state.nextWanted = undefined;
    this.find();
    sights?.ask();
    this.showing.keep();
    this.showing.update();
  }

  /** The focus stays in the search. */
  goToNextFound(backwards: boolean): void {
    const { sights, search, stage } = this.parts;
    const isAnswered = !sights || search.found !== undefined;
    this.state.nextWanted = isAnswered || (search.text ?? "") === "" ? undefined : { backwards };
    const next = search.next(backwards);
    if (next === undefined) return;
    this.state.active = next;
    const place = search.placeOf(next);
    if (place) sights?.follow({ kind: "reveal", place });
    // Of a drawing of which there is more than can be seen, what is gone to is marked for good.
    if (sights) this.actions.use("select", next);
    this.showing.update();
    this.interaction.point(stage.mark(next));
  }
}
