import { beforeEach, expect, it, vi } from "vitest";
import type { SourceLink } from "../../../src/engine/api";
import { MissingSources } from "../../../src/editor/missingSources";
import type { SourceLocator } from "../../../src/editor/sourceLocator";
import type { Session } from "../../../src/session/session";

const said = vi.hoisted(() => ({ messages: [] as string[], short: [] as string[] }));

vi.mock("vscode", () => ({
  window: {
    showWarningMessage: (text: string, ...buttons: string[]) => {
      said.messages.push([text, ...buttons].join(" | "));
      return Promise.resolve(undefined);
    },
    setStatusBarMessage: (text: string) => said.short.push(text),
  },
}));

const missing = (file: string) => ({
  ...({ places: [], rule: "unknown", reason: "No file of that name is in the folders.", considered: [] } as const),
  missingFile: file,
});
const session = (files: readonly string[]) =>
  ({
    current: { key: "a" },
    scope: () => ({}),
    engine: {
      hotPlaces: () => Promise.resolve(files.map((file) => ({ name: "f", link: missing(file) as SourceLink }))),
    },
  }) as unknown as Session;

beforeEach(() => {
  said.messages.length = said.short.length = 0;
});

it("is said once with the number of all files, then in the status bar, or where somebody wants to go there", async () => {
  const notice = new MissingSources(session(["/b/a.c", "/b/a.c", "/b/b.c", "/b/c.c"]), {} as SourceLocator);
  await notice.say(missing("/b/b.c"), false);
  expect(said.messages).toEqual(["b.c and 2 more source files were not found. | Locate… | All Missing Files…"]);
  await notice.say(missing("/b/b.c"), false);
  await notice.say(missing("/b/c.c"), false);
  expect(said.messages).toHaveLength(1);
  expect(said.short.map((text) => text.slice(0, 25))).toEqual([
    "$(warning) b.c was not fo",
    "$(warning) c.c was not fo",
  ]);
  await notice.say(missing("/b/c.c"), true);
  expect(said.messages[1]).toBe("c.c was not found. | Locate…");
});

it("offers no list where it is the only one", async () => {
  await new MissingSources(session(["/b/a.c"]), {} as SourceLocator).say(missing("/b/a.c"), false);
  expect(said.messages).toEqual(["a.c was not found. | Locate…"]);
});

it("says in the same sentence that it leads to the function", async () => {
  const found = { ...missing("./stdio-common/./stdio-common/fprintf.c"), places: [{ file: "/s/f.c", line: 1 }] };
  await new MissingSources(session(["/b/a.c"]), {} as SourceLocator).say(found, false);
  expect(said.messages[0]).toMatch(/^fprintf\.c and 1 more source file were not found; this is the function\. \|/);
});

it("says of another program's recording what it was recorded from", async () => {
  const reason = "Recorded from work.cu, which is not in these folders.";
  const foreign = { ...missing("/b/work.cu"), reason };
  await new MissingSources(session(["/b/work.cu"]), {} as SourceLocator).say(foreign, true);
  expect(said.messages).toEqual([`${reason} | Locate…`]);
});
