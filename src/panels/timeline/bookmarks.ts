/** Bookmarks of a timeline: a window with what is selected in it, by a name. */
import { shorten } from "../../model/texts";
import { formatStretch } from "../../model/units";
import type { ToolControl } from "../../protocol/frame";
import { askName } from "../kit/askName";
import type { PanelHandle } from "../kit/definition";
import { chosenNamed, namedMenu } from "../kit/recordingNotes";
import type { TimelineState } from "../../protocol/timeline";
import { placeIn } from "./explaining";
import type { Bookmark, TimelineNotesStore } from "./notes";
import { eventOf, placeOf, type TimelineShown, type TimelineView, traceOf } from "./shown";

type Handle = PanelHandle<TimelineState, TimelineShown>;

/** Keeps the window, and what is selected where a details strip asks for it; and goes to what was kept. */
export function bookmarkControls({ dataSet }: TimelineView, notes: TimelineNotesStore): ToolControl[] {
  const { bookmarks } = notes.of(dataSet.key);
  const tool = { kind: "tool", icon: "bookmark", leaves: 10, tucked: true } as const;
  return [
    { ...tool, id: "bookmark", name: "Keep this window as a bookmark", key: "B" },
    {
      ...tool,
      id: "bookmarks",
      name: "Bookmarks",
      dot: bookmarks.length > 0,
      ...(bookmarks.length === 0
        ? { disabled: "Nothing was kept yet: B keeps the window, with what is selected." }
        : {}),
      menu: namedMenu(bookmarks.map((one) => ({ name: one.name, title: titleOf(one) }))),
    },
  ];
}

function titleOf({ window, selected }: Bookmark): string {
  const when = window ? formatStretch(window.from, window.to) : "the whole run";
  return [when, ...(selected ? [selected.name] : [])].join(" · ");
}

/** What a choice in the bookmarks' menu does. */
export async function useBookmark(value: string, panel: Handle, notes: TimelineNotesStore): Promise<void> {
  const { view } = panel;
  if (!view) return;
  const { key } = view.dataSet;
  const chosen = chosenNamed(value);
  if (chosen.isRemoved) {
    await notes.removeBookmark(key, chosen.name);
    return panel.change({});
  }
  const bookmark = notes.of(key).bookmarks.find(({ name }) => name === chosen.name);
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
  const { startSeconds, endSeconds, depth } = found;
  await panel.goTo(placeIn(shown, { lane, event, startSeconds, endSeconds, depth }));
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
  const options = {
    title: "Keep as a Bookmark",
    prompt: "A name for this window, kept with the recording",
    value: [...(event ? [shorten(event.name, 100)] : []), when].join(" · "),
  };
  const given = await askName(options, known);
  if (given === undefined) return;
  await notes.addBookmark(key, { name: given, ...(window ? { window } : {}), ...(selected ? { selected } : {}) });
  await panel.change({});
  panel.notice(`Kept as ${given}.`);
}
