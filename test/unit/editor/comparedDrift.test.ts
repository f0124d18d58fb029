import { expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import { CostLenses } from "../../../src/editor/costLenses";
import type { DocumentCostSource, ShownCosts } from "../../../src/editor/documentCosts";
import { DriftStatus } from "../../../src/editor/driftStatus";
import type { ComparedLine, DocumentDifferences } from "../../../src/engine/api";
import type { Session } from "../../../src/session/session";
import { dataSetInfo } from "../session/sampleInfo";

interface Status {
  text?: string;
  severity?: string;
}
const here = vi.hoisted((): { status?: Status; readonly document: unknown } => ({ document: {} }));

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const known = standIn(heardNothing());
  const createLanguageStatusItem = () => (here.status = { dispose: () => (here.status = undefined) } as Status);
  return {
    ...known,
    CodeLens: class {
      constructor(
        readonly range: unknown,
        readonly command: unknown,
      ) {}
    },
    languages: { registerCodeLensProvider: () => ({ dispose: () => undefined }), createLanguageStatusItem },
    window: { activeTextEditor: { document: here.document }, onDidChangeActiveTextEditor: () => undefined },
    RelativePattern: class {},
    Uri: { joinPath: () => ({}) },
    LanguageStatusSeverity: { Warning: "warning", Information: "information" },
  };
});
vi.mock("../../../src/session/sourceFeed", () => ({
  currentSettings: () => ({ codeLensEnabled: true, minimumShare: 0 }),
}));

const uri = { scheme: "file", path: "/a.c", toString: () => "/a.c" };
Object.assign(here.document as object, { uri, lineCount: 9, lineAt: (line: number) => ({ range: line }) });

/** What a document says above its first line, and in its language status, while two recordings are compared. */
async function said(
  drift: Partial<DocumentDifferences["drift"]>,
  lines: readonly ComparedLine[],
  functionsOnly?: string,
) {
  here.status = undefined;
  const found: ShownCosts = {
    compared: { baseline: { dataSet: 1, metric: 0, over: "sum" }, candidate: { dataSet: 2, metric: 0, over: "sum" } },
    differences: {
      lines,
      drift: { newerThanRecording: false, lostLines: 0, movedLines: 0, ...drift },
      functions: lines.map(({ line, share, ...value }) => ({
        line,
        share,
        name: "f",
        side: "candidate",
        function: 0,
        exclusive: value,
        inclusive: value,
      })),
      ...(functionsOnly === undefined ? {} : { functionsOnly }),
    },
  };
  let shown: ((uri: unknown) => void) | undefined;
  const never = () => ({ dispose: () => undefined });
  const source = {
    onDidChange: never,
    scopeKey: "",
    soon: () => Promise.resolve({ found }),
    // Of one recording alone there is nothing to be said.
    of: () => Promise.resolve(undefined),
    shownOf: () => Promise.resolve(found),
  } as unknown as DocumentCostSource;
  const info = dataSetInfo();
  const session = { current: info, dataSets: [info], scope: () => found.compared.candidate } as unknown as Session;
  new DriftStatus(source, ((listener: typeof shown) => (shown = listener)) as unknown as vscode.Event<vscode.Uri>);
  shown?.(uri);
  const lenses = await new CostLenses(session, source).provideCodeLenses(here.document as vscode.TextDocument);
  return {
    lenses: lenses.filter(({ range }) => (range as unknown) === 0).map(({ command }) => command?.title),
    status: statusNow(),
  };
}

function statusNow(): Status | undefined {
  const { status } = here;
  return status && { text: status.text, severity: status.severity };
}

const line: ComparedLine = { line: 5, baseline: 1, candidate: 2, share: 1 };
const NEWER = "this file is newer than the recording: the costs may be those of older code";

it("says in a comparison, too, that a file is newer than what was recorded, before that only functions are compared", async () => {
  expect(await said({ newerThanRecording: true }, [line])).toEqual({
    lenses: [`$(warning) Heatflow: ${NEWER}`],
    status: { text: `Heatflow: ${NEWER}`, severity: "warning" },
  });
  const both = await said({ newerThanRecording: true }, [line], "The texts differ.");
  expect(both.lenses).toEqual([
    `$(warning) Heatflow: ${NEWER}`,
    "$(info) Heatflow: functions are compared, not lines. The texts differ.",
  ]);
  expect((await said({ newerThanRecording: true }, [])).lenses).toEqual([]);
});

it("says in a comparison what became of lines with the edits since, in the language status", async () => {
  expect(await said({ movedLines: 2 }, [line])).toEqual({
    lenses: [],
    status: { text: "Heatflow: 2 lines with cost moved with your edits", severity: "information" },
  });
  expect((await said({}, [line])).status).toBeUndefined();
});
