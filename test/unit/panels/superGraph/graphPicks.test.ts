import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { GraphBar, SuperGraph } from "../../../../src/engine/api";
import { pickEntrySets } from "../../../../src/panels/superGraph/graphPicks";

/** A list as VS Code shows it, and what a person does in it. */
class FakePick {
  items: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  title = "";
  shown = false;
  disposed = false;
  private readonly accepted: (() => void)[] = [];
  private readonly hidden: (() => void)[] = [];
  onDidAccept = (listener: () => void) => this.accepted.push(listener);
  onDidHide = (listener: () => void) => this.hidden.push(listener);
  show = () => void (this.shown = true);
  dispose = () => void (this.disposed = true);
  /** VS Code's window hears of it later, and its answer later still. */
  hide = () =>
    setTimeout(() => {
      this.shown = false;
      this.hidden.forEach((listener) => listener());
    });

  choose(...labels: string[]): void {
    this.selectedItems = this.items.filter(({ label }) => labels.includes(label));
    this.accepted.forEach((listener) => listener());
  }

  get labels(): string[] {
    return this.items.map(({ label }) => label);
  }
}

const made = vi.hoisted(() => ({ picks: [] as FakePick[] }));
vi.mock("vscode", () => ({
  window: {
    createQuickPick: () => {
      const pick = new FakePick();
      made.picks.push(pick);
      return pick;
    },
  },
}));

const entry = (name: string, inclusive: number) => ({ name, inclusive, exclusive: 0 });
const bar = { group: "MPI", visit: 1, entries: [entry("send", 3), entry("wait", 2), entry("sum", 1)] };
const graph = { metric: "time", unit: "s" };

describe("entry functions, set after set", () => {
  beforeEach(() => {
    made.picks = [];
  });
  const begin = () => {
    const sets = pickEntrySets(bar as unknown as GraphBar, graph as unknown as SuperGraph);
    return { sets, pick: made.picks[0] };
  };

  it("are asked for in one list that stays open, until none is chosen", async () => {
    const { sets, pick } = begin();
    expect(pick.title).toBe("Split MPI by Entry Function: Set 1");
    expect(pick.labels).toEqual(["send", "wait", "sum"]);
    pick.choose("wait");
    expect(pick.title).toBe("Split MPI by Entry Function: Set 2");
    expect(pick.labels).toEqual(["send", "sum"]);
    expect([...pick.selectedItems]).toEqual([]);
    expect(pick.shown).toBe(true);
    pick.choose();
    expect(await sets).toEqual([["wait"]]);
    await vi.waitFor(() => expect(pick.disposed).toBe(true));
    expect(made.picks).toHaveLength(1);
  });

  it("end where none is left", async () => {
    const { sets, pick } = begin();
    pick.choose("sum");
    pick.choose("send", "wait");
    // A second Enter, before the list has closed.
    pick.choose("send", "wait");
    expect(await sets).toEqual([["sum"], ["send", "wait"]]);
  });

  it("are not asked for where there are none", async () => {
    const none = { ...bar, entries: [] };
    expect(await pickEntrySets(none as unknown as GraphBar, graph as unknown as SuperGraph)).toBeUndefined();
    expect(made.picks).toHaveLength(0);
  });

  it("are none where nothing was chosen, or the user went back", async () => {
    const first = begin();
    first.pick.choose();
    expect(await first.sets).toBeUndefined();
    made.picks = [];
    const second = begin();
    second.pick.choose("send");
    second.pick.hide();
    expect(await second.sets).toBeUndefined();
  });
});
