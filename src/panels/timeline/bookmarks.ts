/** Bookmarks of a timeline: a window with what is selected in it, by a name. */
import * as vscode from "vscode";
import { shorten } from "../../model/texts";
import { formatStretch } from "../../model/units";
import type { Choice, ToolControl } from "../../protocol/frame";
import type { PanelHandle } from "../kit/definition";
import type { TimelineState } from "../../protocol/timeline";
import { placeIn } from "./explaining";
import type { Bookmark, TimelineNotesStore } from "./notes";
import { eventOf, placeOf, type TimelineShown, type TimelineView, traceOf } from "./shown";

type Handle = PanelHandle<TimelineState, TimelineShown>;

const GO = "go ";
const REMOVE = "remove ";

/** Keeps the window, and what is selected where a details strip asks for it; and goes to what was kept. */
export function bookmarkControls({ dataSet }: TimelineView, notes: TimelineNotesStore): ToolControl[] {
  const { bookmarks } = notes.of(dataSet.key);
  const choice = (id: string, { name, window, selected }: Bookmark, group: string): Choice => ({
    ...{ value: `${id}${name}`, label: id === GO ? name : `Remove ${name}`, group },
    title: [
      window ? formatStretch(window.from, window.to) : "the whole run",
      ...(selected ? [selected.name] : []),
    ].join(" · "),
  });
  const tool = { kind: "tool", icon: "bookmark", leaves: 10, tucked: true } as const;
  return [
    { ...tool, id: "bookmark", name: "Keep this window as a bookmark", key: "B" },
    {
      ...{ ...tool, id: "bookmarks", name: "Bookmarks", dot: bookmarks.length > 0 },
      ...(bookmarks.length === 0
        ? { disabled: "Nothing was kept yet: B keeps the window, with what is selected." }
        : {}),
      // A menu has a hundred entries at most.
      menu: [
        ...bookmarks.map((one) => choice(GO, one, "go")),
        ...bookmarks.slice(0, 100 - bookmarks.length).map((one) => choice(REMOVE, one, "remove")),
      ],
    },
  ];
}

/** What a choice in the bookmarks' menu does. */
export async function useBookmark(value: string, panel: Handle, notes: TimelineNotesStore): Promise<void> {
  const { view } = panel;
  if (!view) return;
  const { key } = view.dataSet;
  if (value.startsWith(REMOVE)) {
    await notes.removeBookmark(key, value.slice(REMOVE.length));
    return panel.change({});
  }
  const bookmark = notes.of(key).bookmarks.find(({ name }) => value === `${GO}${name}`);
  if (bookmark) await goTo(bookmark, view, panel);
}

async function goTo({ window, selected }: Bookmark, view: TimelineView, panel: Handle): Promise<void> {
  const { session } = view;
  panel.showWindow(window);
  const shown = panel.onScreen?.shown;
  if (!selected || !shown) return;
  const { lane, event, name } = selected;
  const isThere = event < (shown.facts.lanes.at(lane)?.events ?? 0);
  const found = isThere ? await session.engine.timelineEvent({ ...traceOf(view), lane, event }) : undefined;
  if (found?.name !== name)
    return panel.notice(
      `${shorten(name, 200)}, which was selected, is not there any more: the recording was made anew.`,
    );
  const { startSeconds, endSeconds } = found;
  await panel.goTo(placeIn(shown, { lane, event, startSeconds, endSeconds }));
}

/** Asks for a name, and keeps the window with an event; without one: the window alone. */
export async function keepBookmark(
  shown: TimelineShown | undefined,
  mark: number | undefined,
  panel: Handle,
  notes: TimelineNotesStore,
): Promise<void> {
  const { view } = panel;
  if (!view) return;
  const { key } = view.dataSet;
  const { window } = view;
  const event = mark === undefined || !shown ? undefined : await eventOf(shown, mark, view);
  const selected =
    event && shown && mark !== undefined ? { ...placeOf(shown, mark), name: shorten(event.name, 4096) } : undefined;
  const known = notes.of(key).bookmarks;
  const when = window ? formatStretch(window.from, window.to) : "the whole run";
  const name = await vscode.window.showInputBox({
    title: "Keep as a Bookmark",
    prompt: "A name for this window, kept with the recording",
    value: [...(event ? [shorten(event.name, 100)] : []), when].join(" · "),
    validateInput: (text) =>
      known.some((one) => one.name === text.trim())
        ? { message: "Takes the place of what has this name.", severity: vscode.InputBoxValidationSeverity.Info }
        : text.length > 200
          ? "At most 200 characters."
          : undefined,
  });
  const given = name?.trim();
  if (!given) return;
  await notes.addBookmark(key, { name: given, ...(window ? { window } : {}), ...(selected ? { selected } : {}) });
  await panel.change({});
  panel.notice(`Kept as ${given}.`);
}
