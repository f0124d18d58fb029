/**
 * What panels of a bundle of their own take from the panels' bundle, where it is and stays: nothing with a state is there twice. They
 * import it from here, which the build leaves to `dist/panels.js`.
 */
export { onLine } from "./kit/memberLine";
export { cutToFit } from "./kit/names";
export { Panels } from "./kit/panels";
export { isPinOf, pinned, pinSelection } from "./kit/pins";
export { problemOf } from "./kit/problems";
export { askTarget } from "./kit/save";
export { valueControl } from "./kit/scopeControls";
export { askGraphs } from "./superGraph/askedGraphs";
export { chooseGroups, GROUP_CONTROL, groupControl, stepRow, undoTools } from "./superGraph/graphControls";
export { type ChoiceBasis, shownFilter, startQuery } from "./superGraph/graphStart";
export { type GraphSteps, operationsDone, setStart } from "./superGraph/graphSteps";
export { learnedChoice } from "./superGraph/keptChoices";
export { layoutSize } from "./superGraph/layoutPart";
export { barOperations, becomes, moveInSteps, operate, problemsOf, stepsOf } from "./superGraph/steps";
