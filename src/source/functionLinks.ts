import path from "node:path";
import type { Pace } from "./pace";
import { parametersFit, parseSignature, scopesFit } from "./signature";
import type { Site, SiteFinder } from "./sites";

/** Definitions that a recorded function name leads to, and those of the same name that it does not. */
export interface FunctionSites {
  readonly sites: readonly Site[];
  readonly others: readonly { readonly site: Site; readonly reason: string }[];
  readonly onlyNear: boolean;
  /** Why there is none. */
  readonly reason?: string;
}

/** Load modules of the system: their functions are not those of the folders, whatever the names. */
const systemModule =
  /^\/(usr\/)?lib(32|64|exec)?\/|^\[|(^|\/)(libc|libm|libpthread|libstdc\+\+|ld-linux[^/]*|libgomp|libmpi[^/]*)[-.\d]*\.so/;

/**
 * The definitions of a function that the data names: scopes first, then number and types of parameters, which tells overloads
 * apart.
 *
 * @param module load module of the function, where the data has it
 */
export async function functionSites(
  finder: SiteFinder,
  recorded: string,
  module: string | undefined,
  near: () => ReadonlySet<string>,
  pace: Pace,
): Promise<FunctionSites> {
  const none = (reason: string): FunctionSites => ({ sites: [], others: [], onlyNear: false, reason });
  if (module !== undefined && systemModule.test(module))
    return none(`it comes from ${path.basename(module)}, not from the folders`);
  const signature = parseSignature(recorded);
  if (signature.name === "") return none("the recorded name holds no function's name");
  const { sites, onlyNear } = await finder.definitionSites(signature.name, near, pace);
  if (sites.length === 0)
    return {
      ...none(
        onlyNear
          ? "too many files hold the name, and none of those near defines it"
          : "no file in the folders defines it",
      ),
      onlyNear,
    };
  const { words } = finder.index;
  const scored = sites.map((site) => {
    const defined = site.definition?.scopes ?? [];
    let scope: number = scopesFit(signature.scopes, defined);
    // Scopes that the definition's text does not show (a `using`, a macro) must at least be spoken of in its file.
    const unseen = signature.scopes.slice(0, Math.max(0, signature.scopes.length - defined.length));
    const id = finder.index.idOf(site.place.file) ?? -1;
    if (scope > 0 && scope < 3 && !unseen.every((part) => words.filesWith(part).includes(id))) scope = 0;
    // A name without any scope and parameter list may be shortened; with a list it is complete.
    if (scope === 2 && signature.scopes.length === 0 && signature.parameters !== undefined) scope = 0;
    return { site, scope, fit: site.definition === undefined ? 0 : parametersFit(signature, site.definition) };
  });
  const scopeBest = Math.max(...scored.map(({ scope }) => scope));
  const inScope = scored.filter(({ scope }) => scope === scopeBest && scope > 0);
  const takesThem = inScope.filter(({ fit }) => fit >= 0);
  const best = Math.max(...takesThem.map(({ fit }) => fit));
  const chosen = takesThem.filter(({ fit }) => fit === best).map(({ site }) => site);
  const others = scored
    .filter(({ site }) => !chosen.includes(site))
    .map(({ site, scope, fit }) => ({
      site,
      reason:
        scope < scopeBest || scope === 0
          ? "another scope"
          : fit < 0
            ? "another number of parameters"
            : "other parameter types",
    }));
  if (chosen.length === 0)
    return { sites: [], others, onlyNear, reason: "definitions of that name differ in scope or parameters" };
  return { sites: chosen, others, onlyNear };
}
