/** Files of groups, for what imports them. */
export { type GroupFile, readGroupFile } from "../../supergraph/groupFile";
