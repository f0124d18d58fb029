/** A panel's frame as data (look, section 1): what stands around the drawing, and what people do there. */
import type { Chip, Control, NoticeRow, Step } from "../../../src/protocol/frame";
import type { Gesture } from "../stage/sight";
import type { Tooltip } from "../overlay/tooltip";

/** A button with words: only in empty and problem states. */
export interface WordButton {
  readonly id: string;
  readonly text: string;
  readonly primary?: boolean;
}

/** What stands where the drawing would be, or, for a problem with a drawing that stays, in the notice row. */
export interface EmptyState {
  /** A codicon's name. */
  readonly icon: string;
  readonly title: string;
  readonly text?: string;
  readonly buttons: readonly WordButton[];
  /** Read out at once. */
  readonly alert?: boolean;
}

/** Work that somebody waits for: a bar at once, words and "Cancel" after a second. */
export interface ProgressState {
  /** 0 to 1; undefined where it cannot be told. */
  readonly fraction?: number;
  readonly text?: string;
}

/** An icon button in the details strip. */
export interface DetailAction {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly key?: string;
  /** What it does to what is in sight; absent: the panel does it, or its host half. */
  readonly gesture?: Gesture;
}

/** The strip about what is selected (look, section 1). */
export interface Details {
  readonly name: string;
  /** "solver.cpp:45": a link. */
  readonly place?: string;
  /** Most important first: the last ones leave first. */
  readonly numbers: readonly (readonly [label: string, text: string, share?: string])[];
  readonly actions: readonly DetailAction[];
}

/** Something that the pane names. */
export interface PaneRow {
  /** What it leads to, where that is drawn. */
  readonly mark?: number;
  readonly name: string;
  /** Each in a column. */
  readonly values: readonly string[];
  /** What its tooltip says beside the name. */
  readonly hint?: string;
}

/** What is said of the selected mark in the room that a drawing leaves below itself. */
export interface Pane {
  readonly name: string;
  readonly place?: string;
  /** None: the lists alone are shown. */
  readonly facts: readonly (readonly [label: string, text: string, share?: string])[];
  readonly lists: readonly { readonly title: string; readonly rows: readonly PaneRow[] }[];
}

/** A part of the legend: words, or a small picture made of shapes. The first ones are the most important. */
export interface LegendEntry {
  readonly parts: readonly (string | StrongWords | SVGSVGElement)[];
}

export interface StrongWords {
  readonly strong: string;
  /** Where there is no room for these. */
  readonly short?: string;
}

/** What is named first of all that is drawn, and leads to its line. */
export interface Lead {
  /** What it is, in words: where there is little room, its name says enough. */
  readonly before?: string;
  /** The longest first: the name is cut before the number is. */
  readonly wordings: readonly string[];
  /** Its tooltip. */
  readonly hint: string;
}

export interface SearchState {
  readonly text: string;
  /** "2 of 5"; empty while nothing is searched for. */
  readonly count: string;
}

export interface FrameModel {
  readonly controls: readonly Control[];
  readonly steps: readonly Step[];
  readonly chips: readonly Chip[];
  readonly lead?: Lead;
  /** What is drawn in one line, the longest wording first; the first one that fits is shown, the first is the tooltip. */
  readonly summary: readonly string[];
  /** Those that were not closed; the first is shown, the others wait. */
  readonly notices: readonly NoticeRow[];
  /** Absent: the search is closed. */
  readonly search?: SearchState;
  readonly progress?: ProgressState;
  readonly empty?: EmptyState;
  readonly details?: Details;
  /** With the pixels that the drawing needs above it. */
  readonly pane?: Pane & { readonly top: number };
  /** Their strip is there before anything is selected. */
  readonly keepsDetails?: boolean;
  readonly legend: readonly LegendEntry[];
  /** At the right end of the legend from 900 pixels on. */
  readonly hint?: string;
  /** Whether the drawing's table is open; absent: there is none. */
  readonly table?: boolean;
  /** Text in place of a drawing: there is nothing to search, to save, or to have a legend of. */
  readonly isText?: boolean;
  /** Whether there is a strip above the drawing, and a column beside it from 900 pixels on. */
  readonly strip?: boolean;
  readonly side?: boolean;
}

/** What people do in the frame. */
export interface FrameActions {
  /** A choice of a select, a threshold in percent, or "" for a tool. */
  control(id: string, value: string): void;
  lead(): void;
  step(id: string): void;
  removeStep(id: string): void;
  removeChip(id: string): void;
  noticeLink(id: string): void;
  closeNotice(id: string): void;
  /** Undefined: the search was closed. */
  search(text: string | undefined): void;
  nextFound(backwards: boolean): void;
  toggleTable(): void;
  save(format: "svg" | "png" | "csv"): void;
  fit?(): void;
  /** "What is drawn here". */
  explain(): void;
  cancel(): void;
  button(id: string): void;
  /** The link of the details strip. */
  openPlace(): void;
  detail(id: string): void;
  /** A row of the pane was chosen. */
  goTo(mark: number): void;
}

/** The frame on screen. */
export interface Frame {
  /** Where the drawing goes; the same element for as long as the page lives. */
  readonly stage: HTMLElement;
  readonly strip: HTMLElement;
  readonly side: HTMLElement;
  /** Where the table goes. */
  readonly table: HTMLElement;
  /** The page's one tooltip: for marks, too. */
  readonly tooltip: Tooltip;
  /** Shows a frame; what did not change is not touched, focus and open menus stay. */
  show(model: FrameModel): void;
  openSearch(): void;
  focusToolbar(): void;
}
