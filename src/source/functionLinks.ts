import path from "node:path";
import { servedLanguageOf } from "./languages";
import { scopesFit } from "./names";
import type { Pace } from "./pace";
import { type ParametersFit, parametersFit, parseSignature, type Signature } from "./signature";
import type { Site, SiteFinder } from "./sites";
import type { KnownType } from "./typeFit";
import type { TypeNames } from "./typeNames";
import { largestIn } from "../model/longLists";

/** Definitions that a recorded function name leads to, and those of the same name that it does not. */
export interface FunctionSites {
  readonly sites: readonly Site[];
  readonly others: readonly { readonly site: Site; readonly reason: string }[];
  readonly onlyNear: boolean;
  /** Why there is none. */
  readonly reason?: string;
  /** Reason why files that hold the name gave no answer, as a clause. */
  readonly missing?: string;
  /** What distinguished several of the name: a clause. */
  readonly because?: string;
}

/** Load modules of the system: their functions are not those of the folders, whatever the names. */
export const systemModule =
  /^\/(usr\/)?lib(32|64|exec)?\/|^\[|(^|\/)(?:(?:libc|libm|libpthread|libstdc\+\+|libgomp)[-.\d]*|(?:ld-linux|libmpi)[^/]*)\.so/;

/**
 * The definitions of a function that the data names: scopes first, then number and types of parameters, which tells overloads
 * apart.
 *
 * @param module load module of the function, where the data has it
 * @param types what the names of types stand for
 */
export async function functionSites(
  finder: SiteFinder,
  recorded: string,
  module: string | undefined,
  near: () => ReadonlySet<string>,
  types: TypeNames,
  pace: Pace,
): Promise<FunctionSites> {
  const none = (reason: string): FunctionSites => ({ sites: [], others: [], onlyNear: false, reason });
  if (module !== undefined && systemModule.test(module))
    return none(`it comes from ${path.basename(module)}, not from the folders`);
  const signature = parseSignature(recorded);
  if (signature.name === "") return none("the recorded name holds no function's name");
  const named = await finder.definitionSites(signature.name, near, pace);
  const renamed = named.sites.length > 0 ? undefined : await finder.renamedSites(signature.name, near, pace);
  const { sites, onlyNear, missing } = renamed ?? named;
  if (sites.length === 0) {
    const fortran = await finder.fortranSites(recorded, near, pace);
    if (fortran.sites.length > 0) return { sites: fortran.sites, others: [], onlyNear: fortran.onlyNear };
    const served = missing ?? fortran.missing;
    const reason =
      onlyNear && served === undefined
        ? "too many files hold the name, and none of those near defines it"
        : "no file in the folders defines it";
    return { ...none(served === undefined ? reason : `${reason}; ${served}`), onlyNear, missing: served };
  }
  const scored = sites.map((site) => ({ site, scope: scopeOf(finder, signature, site) }));
  const scopeBest = largestIn(scored.map(({ scope }) => scope));
  const inScope = scored.flatMap(({ site, scope }) => (scope === scopeBest && scope > 0 ? [site] : []));
  const { chosen, others, because } = choose(signature, inScope, types);
  const elsewhere = scored
    .filter(({ site }) => !inScope.includes(site))
    .map(({ site }) => ({ site, reason: "another scope" }));
  const rejected = [...elsewhere, ...others];
  if (chosen.length === 0)
    return {
      sites: [],
      others: rejected,
      onlyNear,
      reason: "definitions of that name differ in scope or parameters",
    };
  const rename = renamed && `a #define turns ${renamed.name} into ${signature.name}`;
  const clauses = [rename, because].filter((clause) => clause !== undefined);
  return {
    sites: chosen,
    others: rejected,
    onlyNear,
    because: clauses.length > 0 ? clauses.join(", and ") : undefined,
  };
}

/** How well the scopes fit, see {@link scopesFit}; larger is better, 0 is another scope. */
function scopeOf(finder: SiteFinder, signature: Signature, site: Site): number {
  const defined = site.definition?.scopes ?? [];
  const scope = scopesFit(signature.scopes, defined);
  // Scopes that the definition's text does not show (a `using`, a macro) must at least be spoken of in its file.
  const unseen = signature.scopes.slice(0, Math.max(0, signature.scopes.length - defined.length));
  const id = finder.index.idOf(site.place.file) ?? -1;
  const spoken = (part: string) =>
    finder.index.words.filesWith(part).includes(id) || isModuleOf(finder, part, site.place.file);
  if (scope > 0 && scope < 3 && !unseen.every(spoken)) return 0;
  // A name without any scope and parameter list may be shortened; with a list it is complete.
  if (scope === 2 && signature.scopes.length === 0 && signature.parameters !== undefined) return 0;
  // Of two that both leave scopes out, the one that says more of them.
  return scope === 0 ? 0 : scope + Math.min(defined.length, signature.scopes.length, 50) / 100;
}

/** Rust's modules are named by files and folders, and crates by their manifest. */
function isModuleOf(finder: SiteFinder, part: string, file: string): boolean {
  if (servedLanguageOf(file) !== "Rust") return false;
  const { sources } = finder.index;
  if (file.replace(/\.rs$/, "").split(/[\\/]/).includes(part)) return true;
  return (sources.byBaseName.get("Cargo.toml") ?? []).some((manifest) => {
    const folder = path.dirname(manifest);
    const name = /^[ \t]*name[ \t]*=[ \t]*"([\w-]+)"/m.exec(sources.read(manifest)?.text ?? "")?.[1];
    return file.startsWith(`${folder}${path.sep}`) && name?.replaceAll("-", "_") === part;
  });
}

interface Choice {
  readonly chosen: readonly Site[];
  readonly others: readonly { readonly site: Site; readonly reason: string }[];
  /** What distinguished them: a clause. */
  readonly because?: string;
}

/**
 * Tells overloads apart: a number of parameters or a type that cannot be the recorded one rules a definition out; those whose types are
 * all the recorded ones go before those where an unknown name may hide one. More than one may be left.
 */
function choose(signature: Signature, sites: readonly Site[], types: TypeNames): Choice {
  const fitOf = (site: Site, known: (name: string) => KnownType) =>
    site.definition === undefined ? "same" : parametersFit(signature, site.definition, known);
  const alone = sites.map((site) => ({ site, fit: fitOf(site, () => undefined) }));
  const undecided = alone.filter(({ fit }) => fit === "same" || fit === "perhaps").length > 1;
  // What names stand for is looked up in included files: only where it can distinguish definitions.
  const fits = undecided ? sites.map((site) => ({ site, fit: fitOf(site, types.of(site.place.file)) })) : alone;
  const of = (wanted: ParametersFit) => fits.flatMap(({ site, fit }) => (fit === wanted ? [site] : []));
  const [same, perhaps, other, number] = [of("same"), of("perhaps"), of("other"), of("number")];
  const others = number.map((site) => ({ site, reason: "another number of parameters" }));
  const otherTypes = other.map((site) => ({ site, reason: "other parameter types" }));
  if (same.length > 0) {
    const less = perhaps.map((site) => ({ site, reason: "its parameter types agree only if names stand for them" }));
    const narrowed = narrow(signature, same);
    const because =
      others.length + otherTypes.length + less.length > 0 ? "its parameters are the recorded ones" : undefined;
    return {
      ...narrowed,
      others: [...others, ...otherTypes, ...less, ...narrowed.others],
      because: narrowed.because ?? because,
    };
  }
  if (perhaps.length > 0) {
    const narrowed = narrow(signature, perhaps);
    const because = otherTypes.length > 0 ? "the others take other parameters" : undefined;
    return {
      ...narrowed,
      others: [...others, ...otherTypes, ...narrowed.others],
      because: narrowed.because ?? because,
    };
  }
  // Nothing else has this name and number of parameters: the source is probably newer than the recording.
  if (other.length > 0)
    return { chosen: other, others, because: "but with other parameter types than the recorded ones" };
  return { chosen: [], others };
}

/** Of definitions that take the same: the member of a constant object, or the lambda of the recorded number. */
function narrow(signature: Signature, sites: readonly Site[]): Choice {
  if (sites.length < 2) return { chosen: sites, others: [] };
  const reject = (chosen: readonly Site[], reason: string, because: string): Choice => ({
    chosen,
    others: sites.filter((site) => !chosen.includes(site)).map((site) => ({ site, reason })),
    because,
  });
  if (signature.lambda > 0) {
    const lambdas = sites.filter((site) => site.definition?.lambda === true);
    const oneFunction =
      new Set(lambdas.map(({ place, definition }) => `${place.file}:${definition?.within}`)).size === 1;
    const own = [...lambdas].sort((a, b) => a.extent.from - b.extent.from)[signature.lambda - 1];
    if (oneFunction && lambdas.length === sites.length && own !== undefined)
      return reject([own], "another lambda of the same function", `it is lambda ${signature.lambda} of its function`);
  }
  const constant = sites.filter(({ definition }) => definition?.constant === signature.constant);
  if (signature.parameters === undefined || constant.length === 0 || constant.length === sites.length)
    return { chosen: sites, others: [] };
  return reject(
    constant,
    signature.constant ? "a member of objects that change" : "a member of constant objects",
    signature.constant ? "it is the member of constant objects" : "it is the member of objects that change",
  );
}
