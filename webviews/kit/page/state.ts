/** What a page consists of, and what it knows: shared by the files of this folder. */
import type { FrameMessage, NoticeRow } from "../../../src/protocol/frame";
import type { FromEveryPage, HighlightMessage, Nearness, Problem, SelectionMessage } from "../../../src/protocol/panel";
import type { Host } from "../../shared/host";
import type { AsideList } from "../aside";
import type { PageDefinition, SightTool } from "../definition";
import type { Explanations } from "../explanations";
import type { Frame, ProgressState } from "../frame/model";
import type { Player } from "../player";
import type { Search } from "../search";
import type { Sights } from "../sights";
import type { Choice } from "../stage/choice";
import type { ChosenMarks } from "../stage/scene";
import type { Stage } from "../stage/stage";
import type { Strip } from "../strip";
import type { Tables } from "../table/tables";

/** What one step zooms by. */
export const ZOOM = 1.5;
/** Tools of every panel that shows a part of its drawing. */
export const ZOOMS: readonly SightTool[] = [
  {
    kind: "tool",
    id: "zoom-out",
    name: "Zoom out",
    icon: "zoom-out",
    key: "-",
    tucked: true,
    leaves: 7,
    gesture: { kind: "zoom", factor: 1 / ZOOM },
  },
  {
    kind: "tool",
    id: "zoom-in",
    name: "Zoom in",
    icon: "zoom-in",
    key: "+",
    tucked: true,
    leaves: 6,
    gesture: { kind: "zoom", factor: ZOOM },
  },
];

/** A content, and the revision that messages about its marks name. */
export interface Revised<Content> {
  readonly revision: number;
  readonly content: Content;
  /** It is only near what was asked. */
  readonly near?: Nearness;
}

/** What the page knows from its host, and from who looks at it. */
export class PageState<Content, ChosenPart> {
  framed: FrameMessage | undefined;
  shown: Revised<Content> | undefined;
  /** What takes its place as soon as it is whole, with the mark that is selected in it, and what is highlighted. */
  coming: (Revised<Content> & { selected?: SelectionMessage; highlighted?: HighlightMessage }) | undefined;
  /** What is left of the content by the restriction. */
  chosen: ChosenPart | undefined;
  chosenMarks: ChosenMarks | undefined;
  /** The host has not said yet what is chosen of this content. */
  isNew = true;
  active: number | undefined;
  pointed: number | undefined;
  selected: number | undefined;
  /** Whether the host, or somebody here, has said what is selected in this content. */
  isSelectionKnown = false;
  /** Where Shift and an arrow began. */
  anchor: number | undefined;
  /** Enter was pressed in the search before the host had answered it. */
  nextWanted: { readonly backwards: boolean } | undefined;
  /** A letter that nothing had yet when it was pressed: what the host says of this mark may have it. */
  keyWanted: { readonly mark: number; readonly letter: string } | undefined;
  /** The host asked for the focus before there was anything to give it to. */
  focusWanted = false;
  progress: ProgressState | undefined;
  problem: Problem | undefined;
  said: NoticeRow | undefined;

  constructor(public tableShown: boolean) {}

  select(mark: number | undefined): void {
    if (mark !== this.selected) this.keyWanted = undefined;
    this.selected = mark;
    this.isSelectionKnown = true;
  }

  /** Other content is there: nothing is known yet of its marks. */
  begin(): void {
    this.isNew = true;
    this.isSelectionKnown = false;
    this.keyWanted = undefined;
    this.chosen = this.chosenMarks = this.pointed = this.selected = this.anchor = undefined;
  }
}

/** What a page consists of. */
export interface PageParts<Content, ChosenPart, Seen, Part> {
  readonly definition: PageDefinition<Content, ChosenPart, Seen, Part>;
  readonly state: PageState<Content, ChosenPart>;
  readonly host: Host<FromEveryPage>;
  readonly frame: Frame;
  readonly stage: Stage<Content, Seen>;
  readonly choice: Choice;
  readonly tables: Tables;
  readonly aside: AsideList;
  readonly strip: Strip;
  readonly search: Search;
  /** Absent: all of the drawing is in sight. */
  readonly sights: Sights<Content, Seen> | undefined;
  readonly explanations: Explanations;
  readonly player: Player<Content> | undefined;
}
