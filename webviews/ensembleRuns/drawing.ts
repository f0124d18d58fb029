/** Which view draws a content. Pure. */
import type { EnsembleRunsContent } from "../../src/protocol/ensembleRuns";
import type { DrawView, Scene } from "../kit/stage/scene";
import { callSitesPage } from "./callSites";
import { commitsPage } from "./commits";
import { distributionPage } from "./distribution";
import { hierarchyPage } from "./hierarchy";
import { metricCorrelationPage } from "./metricCorrelation";
import { pivotPage } from "./pivot";
import { projectionPage } from "./projection";
import { runTablePage } from "./runTable";
import { scalingPage } from "./scaling";
import { unchosenPage } from "./unchosen";
import type { RunsViewPage } from "./view";

const pages = {
  callSites: callSitesPage,
  hierarchy: hierarchyPage,
  distribution: distributionPage,
  correlation: metricCorrelationPage,
  scaling: scalingPage,
  projection: projectionPage,
  runs: runTablePage,
  pivot: pivotPage,
  commits: commitsPage,
  unchosen: unchosenPage,
} as const;

/** The view of a content; it takes contents of this kind only. */
export function pageOf(content: EnsembleRunsContent): RunsViewPage<EnsembleRunsContent> {
  return pages[content.view] as RunsViewPage<EnsembleRunsContent>;
}

export function draw(content: EnsembleRunsContent, view: DrawView): Scene {
  return pageOf(content).draw(content, view);
}
