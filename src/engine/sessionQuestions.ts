/** What only the session asks: it says where source is, and which recordings are open. */
import type { SymbolsOfFile } from "../source/symbols";
import type { OpenRequest } from "./dataSets/dataSetApi";
import type { DocumentText, SourceSettings } from "./lines/lineApi";
import { defineQuestion } from "./defineQuestion";

export const configure = defineQuestion(({ links }, settings: SourceSettings) => links.configure(settings));

/**
 * Texts that differ from the disk (unsaved editors); they replace what was handed in before. A file without text was saved. The answer:
 * whether links may lead elsewhere than before.
 */
export const setOpenTexts = defineQuestion(({ links }, texts: readonly DocumentText[]) => links.setOpenTexts(texts));

/**
 * Files of languages without a grammar here that hold wanted names, as soon as there are any: the window
 * asks language servers, and hands the symbols in. A file is named once until its text changes.
 */
export const wantedSymbols = defineQuestion<void, string[]>(({ links }) => links.wantedSymbols());

/** What language servers said of such files; links may lead elsewhere afterwards. */
export const setSymbols = defineQuestion(({ links }, files: readonly SymbolsOfFile[]) => links.setSymbols(files));

/** Opens recordings; several data sets where the files belong to several runs. @throws FormatError, AmbiguityError */
export const open = defineQuestion((state, request: OpenRequest, task) => state.open(request, task));

export const close = defineQuestion((state, { dataSet }: { readonly dataSet: number }) => state.close(dataSet));
