import { describe, expect, it } from "vitest";
import { caliper } from "../../../src/formats/caliper/format";
import { callgrind } from "../../../src/formats/callgrind/format";
import { chromeTrace } from "../../../src/formats/chrome/format";
import { dmtracker } from "../../../src/formats/dmtracker/format";
import { hpctoolkitV2 } from "../../../src/formats/hpctoolkit/v2/format";
import { hpctoolkitV4 } from "../../../src/formats/hpctoolkit/v4/format";
import { paje } from "../../../src/formats/paje/format";
import { perf } from "../../../src/formats/perf/format";
import { tracker } from "../../../src/formats/tracker/format";
import { howToRecord, type Missing } from "../../../src/session/howToRecord";
import {
  hardwareMessage,
  metricsMessage,
  overviewMessage,
  resourcesMessage,
  statesMessage,
  timelineMessage,
} from "../../../src/session/notRecorded";
import { dataSetInfo } from "./sampleInfo";

/** What no recording of the format can lack, or what no setting of its tool records. */
const IMPOSSIBLE = new Set(["chrome-trace events", "kineto events", "dmtracker events", "heatflow hardware"]);
/** Formats that data sets have, beside those of the registry. */
const MORE = ["kineto", "ensemble", "caliper-json-split", "caliper run"];
const formats = [caliper, callgrind, chromeTrace, dmtracker, hpctoolkitV2, hpctoolkitV4, paje, perf, tracker];
const ids = [...new Set([...formats.map(({ id }) => id), ...MORE])];
const ofFormat = (id: string) => dataSetInfo({ format: { id, label: id }, trace: undefined, resources: [] });

describe("a view without what it shows", () => {
  it.each(ids)("says how %s records it", (id) => {
    const info = ofFormat(id);
    for (const missing of ["events", "hardware"] satisfies Missing[]) {
      if (IMPOSSIBLE.has(`${id} ${missing}`) || (id === "ensemble" && missing === "hardware")) continue;
      expect(howToRecord(missing, info), `${id} ${missing}`).toMatch(/^\S.{20,}\.$/);
    }
    for (const message of [timelineMessage, statesMessage, metricsMessage, overviewMessage, resourcesMessage])
      expect(message(info)).toContain(howToRecord("events", info));
    expect(hardwareMessage(info)).toContain(howToRecord("hardware", info));
  });

  it("says it between what is missing and where the rest is", () => {
    expect(timelineMessage(ofFormat("hpctoolkit-v4"))).toBe(
      "No events were recorded, so there is nothing to show over time. HPCToolkit records samples over time with hpcrun -t. Data Sets lists what was recorded.",
    );
    expect(hardwareMessage(ofFormat("paje"))).toContain(" known. SimGrid records hosts and links with ");
  });

  it("says nothing more of a format that it does not know", () => {
    expect(timelineMessage(ofFormat("unheard of"))).toBe(
      "No events were recorded, so there is nothing to show over time. Data Sets lists what was recorded.",
    );
  });
});
