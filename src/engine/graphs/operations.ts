/** Operations of super graphs as people write them, for what shows and keeps them. */
export { operationText, parseOperation } from "../../supergraph/operationText";
