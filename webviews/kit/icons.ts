/** Codicons by their names. Only those that are named here are bundled: the host and the page ask for no others. */
import { svg } from "../shared/dom";
import arrowLeft from "@vscode/codicons/src/icons/arrow-left.svg";
import arrowRight from "@vscode/codicons/src/icons/arrow-right.svg";
import arrowSwap from "@vscode/codicons/src/icons/arrow-swap.svg";
import bookmark from "@vscode/codicons/src/icons/bookmark.svg";
import check from "@vscode/codicons/src/icons/check.svg";
import chevronDown from "@vscode/codicons/src/icons/chevron-down.svg";
import chevronRight from "@vscode/codicons/src/icons/chevron-right.svg";
import chevronUp from "@vscode/codicons/src/icons/chevron-up.svg";
import chromeMaximize from "@vscode/codicons/src/icons/chrome-maximize.svg";
import clearAll from "@vscode/codicons/src/icons/clear-all.svg";
import close from "@vscode/codicons/src/icons/close.svg";
import copy from "@vscode/codicons/src/icons/copy.svg";
import dashboard from "@vscode/codicons/src/icons/dashboard.svg";
import debugPause from "@vscode/codicons/src/icons/debug-pause.svg";
import discard from "@vscode/codicons/src/icons/discard.svg";
import ellipsis from "@vscode/codicons/src/icons/ellipsis.svg";
import error from "@vscode/codicons/src/icons/error.svg";
import exportIcon from "@vscode/codicons/src/icons/export.svg";
import eye from "@vscode/codicons/src/icons/eye.svg";
import eyeClosed from "@vscode/codicons/src/icons/eye-closed.svg";
import filter from "@vscode/codicons/src/icons/filter.svg";
import flame from "@vscode/codicons/src/icons/flame.svg";
import fold from "@vscode/codicons/src/icons/fold.svg";
import gitBranch from "@vscode/codicons/src/icons/git-branch.svg";
import gitCompare from "@vscode/codicons/src/icons/git-compare.svg";
import goToFile from "@vscode/codicons/src/icons/go-to-file.svg";
import graph from "@vscode/codicons/src/icons/graph.svg";
import graphScatter from "@vscode/codicons/src/icons/graph-scatter.svg";
import history from "@vscode/codicons/src/icons/history.svg";
import info from "@vscode/codicons/src/icons/info.svg";
import layers from "@vscode/codicons/src/icons/layers.svg";
import layout from "@vscode/codicons/src/icons/layout.svg";
import linkExternal from "@vscode/codicons/src/icons/link-external.svg";
import listSelection from "@vscode/codicons/src/icons/list-selection.svg";
import listTree from "@vscode/codicons/src/icons/list-tree.svg";
import milestone from "@vscode/codicons/src/icons/milestone.svg";
import play from "@vscode/codicons/src/icons/play.svg";
import pulse from "@vscode/codicons/src/icons/pulse.svg";
import question from "@vscode/codicons/src/icons/question.svg";
import redo from "@vscode/codicons/src/icons/redo.svg";
import refresh from "@vscode/codicons/src/icons/refresh.svg";
import references from "@vscode/codicons/src/icons/references.svg";
import save from "@vscode/codicons/src/icons/save.svg";
import screenFull from "@vscode/codicons/src/icons/screen-full.svg";
import search from "@vscode/codicons/src/icons/search.svg";
import server from "@vscode/codicons/src/icons/server.svg";
import settingsGear from "@vscode/codicons/src/icons/settings-gear.svg";
import splitHorizontal from "@vscode/codicons/src/icons/split-horizontal.svg";
import splitVertical from "@vscode/codicons/src/icons/split-vertical.svg";
import symbolColor from "@vscode/codicons/src/icons/symbol-color.svg";
import symbolMethod from "@vscode/codicons/src/icons/symbol-method.svg";
import symbolRuler from "@vscode/codicons/src/icons/symbol-ruler.svg";
import sync from "@vscode/codicons/src/icons/sync.svg";
import table from "@vscode/codicons/src/icons/table.svg";
import target from "@vscode/codicons/src/icons/target.svg";
import unfold from "@vscode/codicons/src/icons/unfold.svg";
import typeHierarchySub from "@vscode/codicons/src/icons/type-hierarchy-sub.svg";
import typeHierarchySuper from "@vscode/codicons/src/icons/type-hierarchy-super.svg";
import warning from "@vscode/codicons/src/icons/warning.svg";
import watch from "@vscode/codicons/src/icons/watch.svg";
import zoomIn from "@vscode/codicons/src/icons/zoom-in.svg";
import zoomOut from "@vscode/codicons/src/icons/zoom-out.svg";

const sources: Readonly<Record<string, string>> = {
  "arrow-left": arrowLeft,
  "arrow-right": arrowRight,
  "arrow-swap": arrowSwap,
  bookmark,
  check,
  "chevron-down": chevronDown,
  "chevron-right": chevronRight,
  "chevron-up": chevronUp,
  "chrome-maximize": chromeMaximize,
  "clear-all": clearAll,
  close,
  copy,
  dashboard,
  "debug-pause": debugPause,
  discard,
  ellipsis,
  error,
  export: exportIcon,
  eye,
  "eye-closed": eyeClosed,
  filter,
  flame,
  fold,
  unfold,
  "git-branch": gitBranch,
  "git-compare": gitCompare,
  "go-to-file": goToFile,
  graph,
  "graph-scatter": graphScatter,
  history,
  info,
  layers,
  layout,
  "link-external": linkExternal,
  "list-selection": listSelection,
  "list-tree": listTree,
  milestone,
  play,
  pulse,
  question,
  redo,
  refresh,
  references,
  save,
  "screen-full": screenFull,
  search,
  server,
  "settings-gear": settingsGear,
  "split-horizontal": splitHorizontal,
  "split-vertical": splitVertical,
  "symbol-color": symbolColor,
  "symbol-method": symbolMethod,
  "symbol-ruler": symbolRuler,
  sync,
  table,
  target,
  "type-hierarchy-sub": typeHierarchySub,
  "type-hierarchy-super": typeHierarchySuper,
  warning,
  watch,
  "zoom-in": zoomIn,
  "zoom-out": zoomOut,
};

const parsed = new Map<string, SVGElement>();

/** A new element that takes its colour from the text around it; names that are not bundled are the question mark. */
export function icon(name: string): SVGElement {
  let known = parsed.get(name);
  if (!known) {
    const source = Object.hasOwn(sources, name) ? sources[name] : question;
    const { documentElement } = new DOMParser().parseFromString(source, "image/svg+xml");
    const viewBox = documentElement.getAttribute("viewBox") ?? undefined;
    known = svg("svg", { class: "icon", viewBox, fill: "currentColor", "aria-hidden": "true" }, [
      ...documentElement.childNodes,
    ]);
    parsed.set(name, known);
  }
  const copy = known.cloneNode(true);
  return copy instanceof SVGElement ? copy : known;
}
