/** Panels of ensembles: what a bundle of their own begins with, which the panels' loads when the first of them is asked for. */
import { ensemble } from "./ensemble/definition";
import { ensembleFor, openEnsembleOf } from "./ensemble/open";
import { ensembleRuns } from "./ensembleRuns/definition";
import type { PanelParts } from "./kit/parts";
import type { PanelHost } from "./lazyPanels";
import { Panels } from "./shared";

/** What the bundle gives. */
export type EnsemblePanels = ReturnType<typeof openEnsembles>;

export function openEnsembles(parts: PanelParts) {
  const { session } = parts;
  const ensembles = new Panels(parts, ensemble);
  const runs = new Panels(parts, ensembleRuns);
  const kinds = { "heatflow.ensemble": ensembles, "heatflow.ensembleRuns": runs } satisfies Partial<PanelHost["kinds"]>;
  const commands = {
    "heatflow.showEnsemble": async (argument) => {
      const dataSet = await ensembleFor(session, argument);
      if (dataSet !== undefined) await ensembles.show(argument, dataSet);
    },
    "heatflow.openEnsemble": async (argument, all) => {
      // Of files that are chosen together, all of them.
      const dataSet = await openEnsembleOf(session, Array.isArray(all) ? all : argument);
      if (dataSet !== undefined) await ensembles.show(undefined, dataSet);
    },
    "heatflow.showEnsembleRuns": async (argument) => {
      const dataSet = await ensembleFor(session, argument);
      if (dataSet !== undefined) await runs.show(argument, dataSet);
    },
  } satisfies Partial<PanelHost["commands"]>;
  return { kinds, commands, dispose: () => Object.values(kinds).forEach((kind) => kind.dispose()) };
}
