/** What a histogram's page is told beside its numbers. */
import type { About } from "../../src/panels/histogram/histogramMessage";
import type { Controls } from "../../src/protocol/histogram";

/** Controls of the sample's profile. */
export const histogramControls: Controls = {
  type: "controls",
  dataSet: "profile-8ranks.cali",
  metrics: [{ name: "time", unit: "s" }],
  metric: 0,
  over: "mean",
  ranks: 8,
  unit: "ranks",
  units: [{ by: "rank", label: "ranks" }],
  by: "rank",
  value: "exclusive",
  bins: 20,
  order: "id",
  orders: ["id", "value", "metric:time"],
  restore: { files: ["/recordings/profile-8ranks.cali"], value: "exclusive", bins: 20, order: "id" },
};

export const timeOf: About = {
  metric: {
    name: "time",
    recordedName: "sum#sum#time.duration",
    unit: "s",
    kind: "time",
    additive: true,
    reducedOverRanks: false,
    total: 1,
  },
  value: "exclusive",
  subject: "updateConductivity",
  order: "id",
};
