import type { SourceLink } from "../model/sourceLinks";
import type { Task } from "../model/task";
import type { GrammarFiles } from "../source/grammar";
import type { DocumentText, Drift, SourceSettings } from "./api";
import type { OpenDataSet } from "./openDataSet";
import type { Placed } from "./placement";

/** What stands in one document, in lines of its text as it is now. */
export interface PlacedInDocument {
  readonly here: readonly Placed[];
  readonly calls: readonly Placed[];
  readonly drift: Drift;
}

const unknown: SourceLink = { places: [], rule: "unknown", reason: "Source links are not built yet.", considered: [] };

/** Links of all open data sets over one index of the source. */
export class Links {
  /** Called when links may lead elsewhere than before. */
  onChange: () => void = () => undefined;

  constructor(readonly grammars: GrammarFiles) {}

  configure(_settings: SourceSettings): void {
    this.onChange();
  }
  setOpenTexts(_texts: readonly DocumentText[]): void {}
  noteOpened(_open: OpenDataSet): void {}
  forget(_dataSet: number): void {}
  async link(_open: OpenDataSet, _context: number, _task: Task): Promise<SourceLink> {
    return unknown;
  }
  fileOf(_open: OpenDataSet, recorded: string): string {
    return recorded;
  }
  async definitions(_open: OpenDataSet, _functions: readonly number[], _task: Task) {
    return new Map<number, { file?: string; className?: string }>();
  }
  async placedIn(_open: OpenDataSet, _document: DocumentText, _task: Task): Promise<PlacedInDocument> {
    return { here: [], calls: [], drift: { newerThanRecording: false, lostLines: 0, movedLines: 0 } };
  }
}
