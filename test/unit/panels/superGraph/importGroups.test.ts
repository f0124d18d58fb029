import { beforeEach, expect, it, vi } from "vitest";
import type * as vscode from "vscode";

/** A window with a workspace, as far as the command sees it. */
const heard = vi.hoisted(() => ({
  text: "",
  size: 100,
  hasWorkspace: true,
  settings: new Map<string, unknown>(),
  messages: [] as string[],
  /** Label of the button that is pressed on a message with it. */
  press: undefined as string | undefined,
}));

class FileUri {
  constructor(readonly path: string) {}
}

vi.mock("vscode", () => {
  const message = (text: string, ...rest: unknown[]) => {
    heard.messages.push(text);
    return Promise.resolve(rest.find((button) => button === heard.press));
  };
  return {
    Uri: FileUri,
    ConfigurationTarget: { Global: "user", Workspace: "workspace" },
    window: { showErrorMessage: message, showInformationMessage: message, showWarningMessage: message },
    workspace: {
      get workspaceFolders() {
        return heard.hasWorkspace ? [{}] : undefined;
      },
      fs: {
        stat: async () => ({ size: heard.size }),
        readFile: async () => new TextEncoder().encode(heard.text),
      },
      getConfiguration: () => ({
        inspect: (name: string) => ({
          workspaceValue: heard.settings.get(`workspace ${name}`),
          globalValue: heard.settings.get(`user ${name}`),
        }),
        update: async (name: string, value: unknown, target: string) =>
          void heard.settings.set(`${target} ${name}`, value),
      }),
    },
  };
});

const log = { info: () => undefined } as unknown as vscode.LogOutputChannel;

async function imported(content: unknown, press?: string) {
  const { importGroups } = await import("../../../../src/panels/superGraph/importGroups");
  heard.text = typeof content === "string" ? content : JSON.stringify(content);
  heard.press = press;
  heard.messages.length = 0;
  await importGroups(new FileUri("/work/lulesh.heatflow-groups.json"), log);
}

beforeEach(() => {
  heard.settings.clear();
  heard.hasWorkspace = true;
  heard.size = 100;
});

it("puts the groups of a file into the workspace's settings, and says so", async () => {
  await imported({ io: ["write", "read*"], MPI: ["/^MPI_/"] });
  expect([...heard.settings]).toEqual([["workspace groups", { io: ["write", "read*"], MPI: ["/^MPI_/"] }]]);
  expect(heard.messages).toEqual([
    "2 groups with 3 names or patterns of lulesh.heatflow-groups.json are now in the workspace settings.",
  ]);
});

it("puts them into the user's settings where no folder is open", async () => {
  heard.hasWorkspace = false;
  await imported({ io: ["write"] });
  expect([...heard.settings.keys()]).toEqual(["user groups"]);
});

it("asks before it overwrites, and leaves everything where the answer is no", async () => {
  const before = { old: ["f"], older: ["g"] };
  heard.settings.set("workspace groups", before);
  await imported({ io: ["write"] });
  expect(heard.messages).toEqual(["Replace the 2 groups in the workspace settings?"]);
  expect(heard.settings.get("workspace groups")).toBe(before);
  await imported({ io: ["write"] }, "Replace");
  expect(heard.settings.get("workspace groups")).toEqual({ io: ["write"] });
});

it("says what of a configuration of CallFlow is not taken, and starts graphs with its filter where that is wanted", async () => {
  const config = { experiment: "x", schema: { filter_perc: 5, group_by: "module", module_map: { A: ["f"] } } };
  await imported(config, "Group by Them, Filter 5 %");
  expect(heard.messages).toEqual([
    "1 group with 1 name or pattern of lulesh.heatflow-groups.json are now in the workspace settings. Not taken: " +
      "experiment: recordings are opened by themselves, and nothing else of these is needed.",
  ]);
  expect([...heard.settings]).toEqual([
    ["workspace groups", { A: ["f"] }],
    ["workspace superGraph.groupBy", "map"],
    ["workspace superGraph.filter", 5],
  ]);
});

it("says what is wrong with a file, and changes nothing", async () => {
  await imported({ io: "write" });
  expect(heard.messages).toEqual([
    'lulesh.heatflow-groups.json: Group "io" needs a list of function names, globs or /regular expressions/.',
  ]);
  heard.size = 20e6;
  await imported({ io: ["write"] });
  expect(heard.messages).toEqual(["lulesh.heatflow-groups.json: a file of 20 MB is no list of groups"]);
  expect(heard.settings.size).toBe(0);
});
