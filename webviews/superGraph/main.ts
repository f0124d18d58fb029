/** The super graph's page: groups of functions as bars, calls between them as flows. */
import { superGraphContent, superGraphPart, type SuperGraphPart } from "../../src/protocol/superGraph";
import type { PageDefinition } from "../kit/definition";
import { startPage } from "../kit/page";
import { placeOf } from "../kit/stage/viewport";
import { aside } from "./aside";
import { menu } from "./barMenu";
import { details, lead, overText, summary } from "./describe";
import { type Graph, heaviestFrom, hottestBar, isLaidOut, withPart } from "./graph";
import { legend } from "./legend";
import { draw } from "./scene";
import { found } from "./search";
import { moved, type Seen, seen } from "./seen";
import { GraphStage } from "./stage";
import { tables } from "./tables";

const definition: PageDefinition<Graph, never, Seen, SuperGraphPart> = {
  title: "Super Graph",
  content: superGraphContent,
  later: { schema: superGraphPart, add: withPart, isWhole: isLaidOut },
  draw,
  stage: (hooks) => new GraphStage(hooks),
  lasting: true,
  madeFrom: heaviestFrom,
  firstMark: hottestBar,
  tables,
  aside,
  legend,
  hint: () => "click selects · double-click opens the line",
  lead,
  summary,
  name: (graph) => `super graph · ${overText(graph)}`,
  nouns: () => ["bar", "bars"],
  sight: {
    schema: seen,
    moved,
    look: () => undefined,
    placeOf: (_, mark) => placeOf(mark),
    found,
    isSeveral: () => false,
    crumbs: () => [],
  },
  menu,
  details,
  hasPlaces: true,
  explanation: {
    name: "Super graph",
    facts: [
      ["bar", "a group of functions; its height is its inclusive cost, its colour its exclusive cost"],
      ["flow", "calls from one group into another, as wide as their inclusive cost"],
      ["segment", "an entry function of the group, as high as its inclusive cost"],
      ["hatched", "hidden by the filter"],
      ["columns", "distribution of a bar over ranks; a click opens it as a histogram"],
      ["arrow keys", "follow the heaviest flow, and go down through entry functions; Tab reaches all of these"],
      ["Space, Enter", "selects, goes to the hottest line"],
      ["wheel, Ctrl+wheel", "moves, zooms; 0 fits"],
    ],
  },
};

startPage(definition);
