import type { DataSet } from "../model/dataSet";
import type { SourceLink } from "../model/sourceLinks";
import type { DocumentText } from "./api";
import type { Placed } from "./placement";

export class LineMaps {
  keepIn(_storage: string | undefined): void {}
  setOpenTexts(_texts: readonly DocumentText[]): string[] {
    return [];
  }
  async rememberRecorded(_dataSet: DataSet, _mapFile: (recorded: string) => string | undefined): Promise<void> {}
  async current(_dataSet: DataSet, link: SourceLink): Promise<SourceLink> {
    return link;
  }
  async mapOf(_dataSet: DataSet, _document: DocumentText) {
    return { newerThanRecording: false, lineOf: (placed: Placed): number | undefined => placed.line };
  }
}
