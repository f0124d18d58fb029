/**
 * What the window and the command line may ask of the engine, and what it answers. Everything is plain data, so the same
 * questions are asked in this thread (command line, tests) and across a worker thread (the window). Units: values in the
 * metric's unit, shares 0 to 1, lines 1-based. Types only: the engine itself imports none of this file.
 */
export type { Hierarchy, Warning } from "../model/dataSet";
export type { LinkRule, Place, SourceLink } from "../model/sourceLinks";
export type { FileSymbol, SymbolsOfFile } from "../source/symbols";
export type { BoxPlot } from "../analysis/ensembles/boxPlot";
export type { GroupStatistics } from "../analysis/ensembles/runGroups";
export type { ScalingKind } from "../analysis/ensembles/scaling";
export type { MemberStatistics } from "../analysis/rankStatistics";
export type { Chosen, LocationUnit } from "../model/members";
export type { MetricKind, OverRanks, Unit } from "../model/metrics";
export type { TraceOutline } from "../model/trace";
export type { Renamed } from "../model/jointFunctions";
export type { FinerLevel } from "../supergraph/levels";
export type { FirstChoice } from "../supergraph/first/naming";
export type { ChosenStart } from "../supergraph/superGraph";
export type { GraphLayout, LayoutGraph, LayoutSize, NearLayout, StackedLayout } from "../supergraph/layout";
export type { GraphOperation, GroupBy, GroupMap, GroupRef, StartingGroups } from "../supergraph/query";
export type { AnswerOf, ArgumentOf, Engine, QuestionName, SessionQuestionName } from "./questions";
export type * from "./scope";
export type * from "./application/applicationApi";
export type * from "./comparisons/comparisonApi";
export type * from "./dataSets/dataSetApi";
export type { ComputingImbalance } from "../model/imbalance";
export type { ImbalanceQuery } from "./dataSets/computingImbalance";
export type { RunTotals } from "./dataSets/runTotals";
export type * from "./code/codeApi";
export type * from "./ensembles/barSpreads";
export type * from "./ensembles/ensembleApi";
export type { FunctionGroups } from "./ensembles/functionGroups";
export type { RunsCsv, RunsCsvQuery } from "./ensembles/runsCsv";
export type { RunPresence } from "./ensembles/runPresence";
export type * from "./flames/flameApi";
export type * from "./graphs/graphApi";
export type * from "./hardware/hardwareApi";
export type * from "./lines/hotPathApi";
export type * from "./lines/lineApi";
export type * from "./members/correlationApi";
export type * from "./members/distributionApi";
export type * from "./members/memberLineApi";
export type * from "./members/spreadApi";
export type * from "./overview/overviewApi";
export type * from "./resources/resourceApi";
export type * from "./traces/counterApi";
export type * from "./traces/movementApi";
export type * from "./traces/phasesApi";
export type * from "./traces/summaryApi";
export type * from "./traces/hotStatesApi";
export type * from "./traces/timelineApi";
export type * from "./traces/timelineListApi";
export type * from "./traces/traceApi";
export type * from "./trees/treeApi";
