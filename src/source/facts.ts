import type { Language } from "./languages";

/**
 * What one source file says, without its syntax tree: definitions, calls, classes, includes. Positions are offsets into the text
 * (UTF-16 units), lines 1-based.
 */
export interface FileFacts {
  readonly file: string;
  /** Hash of the text that was read. */
  readonly hash: string;
  /** Offset of each line's first character. */
  readonly lineStarts: readonly number[];
  /** `served`: without a grammar; a language server said what is defined. */
  readonly language: Language | "served";
  readonly definitions: readonly Definition[];
  /** In the order of the text. */
  readonly calls: readonly Call[];
  readonly classes: readonly ClassFacts[];
  readonly namespaces: ReadonlySet<string>;
  /** What names stand for by `using` and `typedef`; undefined where it is said in several ways. */
  readonly aliases: ReadonlyMap<string, string | undefined>;
  /** As written, without quotes and brackets. */
  readonly includes: readonly string[];
}

export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** A definition of a function (with a body), or a lambda. */
export interface Definition extends Extent {
  /** Unqualified: `solve`, `operator()`, `~Field`. */
  readonly name: string;
  /** Namespaces and classes around it and before its name, outermost first, without anonymous ones. */
  readonly scopes: readonly string[];
  /** How many of the last scopes are classes for certain (the text encloses it). */
  readonly enclosingClasses: number;
  /** Of the name. */
  readonly line: number;
  /** Offset of the name. */
  readonly at: number;
  /** Types of the parameters as written. */
  readonly parameters: readonly string[];
  readonly parameterNames: readonly string[];
  /** Parameters without a default. */
  readonly required: number;
  readonly variadic: boolean;
  /** Seen in its own file only: `static`, or in an anonymous namespace. */
  readonly local: boolean;
  readonly lambda: boolean;
  /** A member function of a constant object. */
  readonly constant: boolean;
  /** Names of its template's own parameters, a pack as `...Args`, and of those of the templates around it. */
  readonly templateParameters: readonly string[];
  readonly outerTemplateParameters: readonly string[];
  /** Types of parameters and of variables in the body, by name. */
  readonly types: ReadonlyMap<string, string>;
  /** Enclosing definition, -1 where there is none. */
  readonly within: number;
}

/** A call, a declaration that constructs (`Scope s("x")`), or a lone name that may be a macro. */
export interface Call {
  readonly kind: "call" | "construction" | "bare";
  /** Last name: of `a.b->c<int>(x)` it is `c`; of a construction the type. */
  readonly callee: string;
  /** Scopes written before the callee. */
  readonly qualifiers: readonly string[];
  /** The object's last name in `a.b->c()`: `b`. */
  readonly receiver: string | undefined;
  readonly arguments: number;
  /** String literals among the arguments, unescaped. */
  readonly literals: readonly string[];
  /** Plain names among the arguments. */
  readonly names: readonly string[];
  /** First names of the other arguments: `name` of `name.c_str()`. */
  readonly computed: readonly string[];
  /** `__func__` and its like is among the arguments. */
  readonly givesFunction: boolean;
  readonly line: number;
  readonly at: number;
  readonly end: number;
  /** Definition that it stands in, -1 outside of any. */
  readonly within: number;
  /** Enclosing block, `#if` climbed out of. */
  readonly block: Extent;
}

export interface ClassFacts {
  readonly name: string;
  readonly bases: readonly string[];
  /** Types of members, by name. */
  readonly fields: ReadonlyMap<string, string>;
}

export function isInside(inner: Extent, outer: Extent): boolean {
  return inner.from >= outer.from && inner.to <= outer.to;
}

export function holds(extent: Extent, at: number): boolean {
  return at >= extent.from && at < extent.to;
}
