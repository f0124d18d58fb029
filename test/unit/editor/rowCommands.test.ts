import { expect, it, vi } from "vitest";
import type { HotPlace, Scope, SourceLink, Target } from "../../../src/engine/api";
import { registerRowCommands } from "../../../src/editor/rowCommands";
import type { Navigator, Session } from "../../../src/session/session";

const commands = vi.hoisted(() => new Map<string, (argument: unknown) => Promise<void>>());

vi.mock("vscode", async () => {
  const { heardNothing, standIn } = await import("../session/standInForVsCode");
  const known = standIn(heardNothing());
  const registerCommand = (name: string, run: (argument: unknown) => Promise<void>) => commands.set(name, run);
  return { ...known, commands: { registerCommand } };
});

const linkTo = (file: string, line: number): SourceLink => ({
  places: [{ file, line }],
  rule: "recorded-line",
  reason: "",
  considered: [],
});
const [own, header] = [linkTo("/Solver.cc", 512), linkTo("/Vec.h", 87)];

it("go to a row's function and to its hottest line, of the data set that the row is of", async () => {
  const asked: [number, Target | undefined][] = [];
  const gone: SourceLink[] = [];
  const place = { name: "propagate", link: header, definition: own, isInlined: true } as HotPlace;
  const session = {
    dataSets: [],
    selection: { dataSet: 2, target: { kind: "context", context: 5 }, name: "", origin: "" },
    scope: (dataSet = 1) => ({ dataSet, metric: 0, over: "sum" }) satisfies Scope,
    engine: {
      hotPlaces: ({ scope, target }: { scope: Scope; target?: Target }) => {
        asked.push([scope.dataSet, target]);
        return Promise.resolve([place]);
      },
    },
  } as unknown as Session;
  const navigator: Navigator = { go: (link) => Promise.resolve(void gone.push(link)) };
  registerRowCommands(session, navigator);
  await commands.get("heatflow.rows.goToFunction")?.({ function: 3 });
  await commands.get("heatflow.rows.goToHottestLine")?.({ function: 3 });
  // Of a bar: what is selected.
  await commands.get("heatflow.rows.goToFunction")?.({ dataSet: 2, from: 1 });
  expect(gone).toEqual([own, header, own]);
  const row = { kind: "function", function: 3 };
  expect(asked).toEqual([
    [1, row],
    [1, row],
    [2, session.selection?.target],
  ]);
});
