/**
 * Names of functions as samplers write them (demangled, with signature) against names of regions as people write them.
 */
import { isMpiSymbol, mpiFunction } from "../../../model/mpiNames";

/**
 * The function's own name: without return type, namespaces, classes, template arguments, signature and linker suffixes.
 * `mini::ConjugateGradient<mini::HeatOperator>::solve(mini::Field const&)` → `solve`. All names of one function of MPI
 * (`PMPI_Send`, `mpi_send_`, `MPI_Send_c`) have one result.
 */
export function ownName(name: string): string {
  const plain = name.replaceAll("(anonymous namespace)::", "").replace(/@@?[\w.]+$/, "");
  const operator = /(?:^|::|\s)(operator\s*(?:\(\)|\[\]|[^\s(]+|\s\w[^(]*))/.exec(plain);
  if (operator) return operator[1];
  let depth = 0;
  let start = 0;
  let end = plain.length;
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at];
    if (sign === "(" && depth === 0) {
      end = at;
      break;
    }
    if (sign === "<" || sign === "(" || sign === "{" || sign === "[") depth++;
    else if (sign === ">" || sign === ")" || sign === "}" || sign === "]") depth--;
    else if (depth === 0 && sign === " ") start = at + 1;
    else if (depth === 0 && sign === ":" && plain[at + 1] === ":") start = at + 2;
  }
  const own = plain.slice(start, end);
  const template = own.indexOf("<");
  const bare = (template > 0 ? own.slice(0, template) : own).replace(
    /\.(?:part|cold|constprop|isra|_omp_fn)\b[^]*/,
    "",
  );
  return isMpiSymbol(bare) ? `MPI_${mpiFunction(bare)}` : bare;
}
