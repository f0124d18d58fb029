/** The page of a recording: what it is, hottest lines, metrics, metadata, warnings, and ways to its views. */
import * as v from "valibot";
import type { HotPlace } from "../../engine/api";
import type { Control } from "../../protocol/frame";
import type { RecordingContent } from "../../protocol/recording";
import { superGraphMessage } from "../../session/notRecorded";
import type { PanelDefinition, PanelHandle } from "../kit/definition";
import { shorten } from "../../model/texts";
import { recordingOf } from "./content";

/** Hot lines on the page. */
const HOT_LINES = 10;

const ways = {
  superGraph: { name: "Super Graph", icon: "type-hierarchy-sub" },
  hotFunctions: { name: "Hot Functions", icon: "flame" },
  callingContexts: { name: "Calling Contexts", icon: "list-tree" },
  dataSets: { name: "Data Sets", icon: "layers" },
  text: { name: "Show as Text", icon: "go-to-file" },
} as const;
export type Way = keyof typeof ways;
const isWay = (id: string): id is Way => Object.hasOwn(ways, id);

type Shown = readonly HotPlace[];

/** @param go leads to another view of the recording, or to its text */
export function recordingDefinition(
  go: (way: Way, panel: PanelHandle<object, Shown>) => Promise<void>,
): PanelDefinition<object, Shown, RecordingContent, never> {
  return {
    id: "recording",
    title: "Recording",
    saved: "recording",
    state: v.object({}),
    start: {},
    needsMetric: false,
    unmeasured: () => undefined,
    controls: ({ dataSet }) =>
      Object.entries(ways).map(([id, way], at): Control => {
        const disabled = id === "superGraph" ? superGraphMessage(dataSet) : undefined;
        return {
          kind: "tool",
          id,
          ...way,
          leaves: at,
          ...(disabled === undefined ? {} : { disabled: shorten(disabled, 400) }),
        };
      }),
    async choose(_, id, __, panel) {
      if (isWay(id)) await go(id, panel);
      return undefined;
    },
    links: { text: (panel) => go("text", panel) },
    asked: ({ scope }) => scope,
    // Nothing that adds up: facts and what happened in time are there all the same.
    ask: ({ session, scope }, task) =>
      scope.metric < 0 ? Promise.resolve([]) : session.engine.hotPlaces({ scope, limit: HOT_LINES }, task),
    content: (hot, { dataSet, scope }) => recordingOf(dataSet, scope.metric < 0 ? undefined : scope, hot),
    subject(hot, mark) {
      const place = mark === undefined ? undefined : hot.at(mark);
      return place && { target: { kind: "context", context: place.context }, name: place.name, link: place.link };
    },
  };
}
