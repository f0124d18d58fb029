import type { Node } from "web-tree-sitter";
import type { Call, ClassFacts, Definition, Extent } from "./facts";
import type { Language } from "./languages";
import { type Capture, sourceOf } from "./grammar";
import { readLiteral } from "./literals";
import { operatorLength } from "../model/operators";
import { bareName, operatorName, qualifiedParts, splitOutside } from "./names";
import { Nesting } from "./nesting";
import type { ReadText } from "./recovery";

/** Templates in templates, and characters of what an alias stands for, that are kept. */
const MOST_TEMPLATES = 32;
const MOST_ALIAS = 400;
const none: readonly string[] = [];

/** What is being read: mutable while the captures go by, in the order of the text. */
interface Reading {
  readonly text: string;
  readonly nesting: Nesting;
  readonly definitions: (Definition & { types: Map<string, string> })[];
  readonly calls: Call[];
  readonly classes: (ClassFacts & { fields: Map<string, string> })[];
  readonly namespaces: Set<string>;
  readonly includes: string[];
  readonly aliases: Map<string, string | undefined>;
  /** Templates that the position lies in. */
  readonly templates: { readonly to: number; readonly names: readonly string[] }[];
}

/** Facts of a C or C++ file from its syntax tree. */
export function cFacts(
  file: string,
  hash: string,
  language: Language,
  text: string,
  captures: readonly Capture[],
): ReadText {
  const reading: Reading = {
    text,
    nesting: new Nesting(text),
    definitions: [],
    calls: [],
    classes: [],
    namespaces: new Set(),
    includes: [],
    aliases: new Map(),
    templates: [],
  };
  const lost: number[] = [];
  let errors = 0;
  let errorTo = 0;
  for (const { as, node } of captures) {
    const extent = { from: node.startIndex, to: node.endIndex };
    reading.nesting.leaveBefore(extent.from);
    while ((reading.templates.at(-1)?.to ?? Infinity) <= extent.from) reading.templates.pop();
    if (as !== "error") readers[as]?.(reading, node, extent);
    else if (extent.from >= errorTo) {
      errors++;
      errorTo = extent.to;
      const severalLines = reading.nesting.lineAt(extent.to - 1) > reading.nesting.lineAt(extent.from);
      if (severalLines && reading.nesting.definition() < 0) lost.push(extent.from);
    }
  }
  const { definitions, calls, classes, namespaces, includes, aliases } = reading;
  const { lineStarts } = reading.nesting;
  const facts = { file, hash, lineStarts, language, definitions, calls, classes, namespaces, includes, aliases };
  return { facts, errors, lost };
}

const readers: Record<string, (reading: Reading, node: Node, extent: Extent) => void> = {
  function: readFunction,
  lambda: readLambda,
  block: (reading, _, extent) => reading.nesting.enter({ kind: "block", ...extent }),
  namespace: readNamespace,
  class: readClass,
  field: readField,
  call: readCall,
  declaration: readDeclaration,
  bare: readBare,
  include: readInclude,
  typedef: readTypedef,
  using: readUsing,
  template: readTemplate,
};

function readFunction(reading: Reading, node: Node, extent: Extent): void {
  const declarator = functionDeclarator(node.childForFieldName("declarator"));
  const nameNode = declarator?.type === "function_declarator" ? declarator.childForFieldName("declarator") : declarator;
  if (declarator === null || declarator === undefined || !nameNode) return;
  const written = nameOf(reading.text, nameNode);
  const parts = qualifiedParts(written);
  let name = parts.pop();
  if (name === undefined) return;
  const list = parameterList(declarator);
  const parameters = list === null ? [] : parametersOf(reading.text, list);
  // `KERNEL(axpy) { … }`: a macro makes the head; what it is given names the function.
  if (node.childForFieldName("type") === null && /^[A-Z][A-Z0-9_]+$/.test(name) && parameters.length > 0)
    name = bareName(parameters[0].type);
  const nesting = reading.nesting;
  const at = nameNode.startIndex + Math.max(0, written.lastIndexOf(parts.length > 0 ? name : written));
  const head = reading.text.slice(extent.from, nameNode.startIndex);
  const types = new Map(parameters.flatMap(({ name: own, type }) => (own === "" ? [] : [[own, type] as const])));
  const id = reading.definitions.push({
    ...extent,
    name,
    scopes: [...nesting.scopes(), ...parts],
    enclosingClasses: parts.length === 0 ? nesting.classes() : 0,
    line: nesting.lineAt(at),
    at,
    parameters: parameters.filter(({ type }) => type !== "..." && type !== "void").map(({ type }) => type),
    parameterNames: parameters.map(({ name: own }) => own),
    required: parameters.filter(({ type, optional }) => !optional && type !== "..." && type !== "void").length,
    variadic:
      /\.\.\.\s*\)$/.test(list === null ? "" : sourceOf(reading.text, list)) ||
      parameters.some(({ type }) => type.includes("...")),
    local: nesting.anonymous() || (nesting.class() < 0 && parts.length === 0 && /\bstatic\b/.test(head)),
    lambda: false,
    constant: list !== null && /^\s*const\b/.test(reading.text.slice(list.endIndex, list.endIndex + 20)),
    ...templateParametersAt(reading, extent),
    types,
    within: nesting.definition(),
  });
  nesting.enter({ kind: "definition", id: id - 1, ...extent });
}

/** A template ends with what it declares; the others around it are those of its classes. */
function templateParametersAt({ templates }: Reading, { to }: Extent) {
  const own = templates.filter((template) => template.to === to).at(-1)?.names ?? none;
  const outer = templates.filter((template) => template.to !== to).flatMap(({ names }) => names);
  return { templateParameters: own, outerTemplateParameters: outer.length === 0 ? none : outer };
}

function readTemplate(reading: Reading, node: Node, { to }: Extent): void {
  const list = node.childForFieldName("parameters");
  if (list === null || reading.templates.length >= MOST_TEMPLATES) return;
  const names = list.namedChildren.flatMap((parameter) => {
    const written = sourceOf(reading.text, parameter).replace(/=[^]*$/, "");
    const name = /(?<!\w)([A-Za-z_]\w*)\s*$/.exec(written)?.[1];
    return name === undefined ? [] : [written.includes("...") ? `...${name}` : name];
  });
  reading.templates.push({ to, names });
}

function readTypedef(reading: Reading, node: Node): void {
  const type = node.childForFieldName("type");
  if (type === null) return;
  for (const declarator of node.childrenForFieldName("declarator")) {
    const written = sourceOf(reading.text, declarator);
    const name = declaredName(written);
    const own = node.namedChildren.filter((child) => child.type === "type_qualifier");
    const whole = `${own.map((child) => `${sourceOf(reading.text, child)} `).join("")}${sourceOf(reading.text, type)} ${written}`;
    if (name !== undefined) addAlias(reading, name, withoutName(whole, name, whole.length - written.length));
  }
}

function readUsing(reading: Reading, node: Node): void {
  const name = node.childForFieldName("name");
  const type = node.childForFieldName("type");
  // What an alias of a template stands for depends on what it is given.
  const inTemplate = reading.templates.some(({ to }) => to === node.endIndex);
  if (name !== null && type !== null)
    addAlias(reading, sourceOf(reading.text, name), inTemplate ? undefined : sourceOf(reading.text, type));
}

function addAlias({ aliases }: Reading, name: string, type: string | undefined): void {
  const short = type === undefined || type.length > MOST_ALIAS ? undefined : type;
  aliases.set(name, aliases.has(name) && aliases.get(name) !== short ? undefined : short);
}

function readLambda(reading: Reading, node: Node, extent: Extent): void {
  const { nesting } = reading;
  const within = nesting.definition();
  const outer = within < 0 ? undefined : reading.definitions[within];
  const declarator = node.childForFieldName("declarator");
  const list = declarator === null ? null : parameterList(declarator);
  const parameters = list === null ? [] : parametersOf(reading.text, list);
  const id = reading.definitions.push({
    ...extent,
    name: "operator()",
    scopes: outer === undefined ? nesting.scopes() : [...outer.scopes, outer.name],
    enclosingClasses: 0,
    line: nesting.lineAt(extent.from),
    at: extent.from,
    parameters: parameters.map(({ type }) => type),
    parameterNames: parameters.map(({ name }) => name),
    required: parameters.length,
    variadic: false,
    local: true,
    lambda: true,
    constant: true,
    templateParameters: none,
    outerTemplateParameters: none,
    types: new Map(parameters.map(({ name, type }) => [name, type])),
    within,
  });
  nesting.enter({ kind: "definition", id: id - 1, ...extent });
}

function readNamespace(reading: Reading, node: Node, extent: Extent): void {
  const name = node.childForFieldName("name");
  const names =
    name === null
      ? []
      : sourceOf(reading.text, name)
          .split("::")
          .map((part) => part.replace("inline", "").trim());
  for (const part of names) reading.namespaces.add(part);
  reading.nesting.enter({ kind: "namespace", names, ...extent });
}

function readClass(reading: Reading, node: Node, extent: Extent): void {
  if (node.childForFieldName("body") === null) return; // only named, as in `struct Field* next`
  const nameNode = node.childForFieldName("name");
  const name = nameNode === null ? "" : (qualifiedParts(sourceOf(reading.text, nameNode)).pop() ?? "");
  const bases = node.namedChildren.find((child) => child.type === "base_class_clause");
  const baseList = bases === undefined ? "" : sourceOf(reading.text, bases).replace(/^\s*:/, "");
  const id = reading.classes.push({
    name,
    bases: splitOutside(baseList, ",").flatMap(
      (base) => qualifiedParts(base.replace(/\b(public|private|protected|virtual)\b/g, "")).pop() ?? [],
    ),
    fields: new Map(),
  });
  reading.nesting.enter({ kind: "class", names: name === "" ? [] : [name], id: id - 1, ...extent });
}

function readField(reading: Reading, node: Node): void {
  const owner = reading.nesting.class();
  const type = node.childForFieldName("type");
  if (owner < 0 || type === null) return;
  for (const declarator of node.childrenForFieldName("declarator")) {
    const own = declaredName(sourceOf(reading.text, declarator));
    if (own !== undefined && declarator.type !== "function_declarator")
      reading.classes[owner].fields.set(own, sourceOf(reading.text, type));
  }
}

function readCall(reading: Reading, node: Node, extent: Extent): void {
  const callee = node.childForFieldName("function");
  const list = node.childForFieldName("arguments");
  if (callee === null) return;
  addCall(reading, "call", sourceOf(reading.text, callee), list?.namedChildren ?? [], extent);
}

function readDeclaration(reading: Reading, node: Node, extent: Extent): void {
  const typeNode = node.childForFieldName("type");
  if (typeNode === null) return;
  const type = sourceOf(reading.text, typeNode);
  const within = reading.nesting.definition();
  // `REGION_FUNCTION int x = 3;` with the macro's `;` inside its definition: the macro is taken for the type.
  if (within >= 0 && typeNode.type === "type_identifier" && /^[A-Z][A-Z0-9_]+$/.test(type))
    addBare(reading, type, { from: extent.from, to: typeNode.endIndex });
  for (const declarator of node.childrenForFieldName("declarator")) {
    const written = sourceOf(reading.text, declarator);
    const own = declaredName(written);
    if (own !== undefined && within >= 0) reading.definitions[within].types.set(own, type);
    if (typeNode.type === "primitive_type" || typeNode.type === "placeholder_type_specifier") continue;
    const value = declarator.childForFieldName("value");
    if (value !== null && (value.type === "argument_list" || value.type === "initializer_list"))
      addCall(reading, "construction", type, value.namedChildren, extent);
    else if (declarator.type === "function_declarator") {
      const list = declarator.childForFieldName("parameters");
      if (list !== null && within >= 0) addCall(reading, "construction", type, list.namedChildren, extent);
    }
  }
}

function readBare(reading: Reading, node: Node, extent: Extent): void {
  addBare(reading, sourceOf(reading.text, node), extent);
}

function addBare(reading: Reading, callee: string, extent: Extent): void {
  addCall(reading, "bare", callee, [], extent);
}

function addCall(reading: Reading, kind: Call["kind"], written: string, list: readonly Node[], extent: Extent): void {
  const { text, nesting } = reading;
  const { callee, qualifiers, receiver } = calleeOf(written);
  const given = list.filter((node) => node.type !== "comment");
  const names: string[] = [];
  const literals: string[] = [];
  const computed: string[] = [];
  let givesFunction = false;
  for (const node of given) {
    const long = node.endIndex - node.startIndex > 400 && !node.type.includes("string");
    const argument = long ? "" : sourceOf(text, node);
    const literal = readLiteral(argument);
    if (literal !== undefined) literals.push(literal);
    else if (/^[A-Za-z_]\w*$/.test(argument)) names.push(argument);
    else computed.push(/[A-Za-z_]\w*/.exec(argument)?.[0] ?? "");
    if (/\b(__func__|__FUNCTION__|__PRETTY_FUNCTION__)\b/.test(argument)) givesFunction = true;
  }
  reading.calls.push({
    kind,
    callee,
    qualifiers,
    receiver,
    arguments: given.length,
    literals,
    names,
    computed,
    givesFunction,
    line: nesting.lineAt(extent.from),
    at: extent.from,
    end: extent.to,
    within: nesting.definition(),
    block: nesting.block(),
  });
}

/** `a.b->c<int>` → `c` of `b`; `mini::f` → `f` in `mini`. */
function calleeOf(written: string): Pick<Call, "callee" | "qualifiers" | "receiver"> {
  const text = written.length > 400 ? written.slice(-400) : written;
  const member = lastMember(text);
  const parts = qualifiedParts(text.slice(member));
  const callee = parts.pop() ?? "";
  const receiver =
    member > 0
      ? /(?<!\w)([A-Za-z_]\w*)\s*(?:(?:\[[^[\]]*\]|\(\s*\))\s*)?(?:\.|->)\s*$/.exec(text.slice(0, member))?.[1]
      : undefined;
  return { callee, qualifiers: parts, receiver };
}

/** Where the last member's name begins: after the last `.` or `->` outside brackets; 0 where there is none. */
function lastMember(text: string): number {
  let depth = 0;
  let after = 0;
  for (let at = 0; at < text.length; at++) {
    const operator = operatorLength(text, at);
    if (operator > 0) at += operator - 1;
    else if (depth === 0 && text[at] === ".") after = at + 1;
    else if (depth === 0 && text[at] === "-" && text[at + 1] === ">") after = ++at + 1;
    else if ("([{<".includes(text[at])) depth++;
    else if (")]}>".includes(text[at])) depth = Math.max(0, depth - 1);
  }
  return after;
}

function readInclude(reading: Reading, node: Node): void {
  const path = node.childForFieldName("path");
  const written = path === null ? undefined : /^["<](.+)[">]$/.exec(sourceOf(reading.text, path).trim())?.[1];
  if (written !== undefined) reading.includes.push(written);
}

/** Goes through pointers and references to the function's own declarator, or a conversion operator's. */
function functionDeclarator(node: Node | null): Node | null {
  let inner = node;
  for (let steps = 0; inner !== null && steps < 12; steps++) {
    if (inner.type === "function_declarator") {
      const within = inner.childForFieldName("declarator");
      if (within?.type !== "parenthesized_declarator") return inner;
      inner = within;
    } else if (inner.type === "operator_cast") return inner;
    else if (inner.type === "qualified_identifier") return endsInConversion(inner) ? inner : null;
    else
      inner =
        inner.childForFieldName("declarator") ??
        inner.namedChildren.find((child) => child.type.endsWith("declarator") || child.type === "operator_cast") ??
        null;
  }
  return null;
}

function endsInConversion(node: Node): boolean {
  let last: Node | null = node;
  for (let steps = 0; last?.type === "qualified_identifier" && steps < 50; steps++)
    last = last.childForFieldName("name");
  return last?.type === "operator_cast";
}

function nameOf(text: string, node: Node): string {
  const written = sourceOf(text, node);
  const conversion = /\boperator\s+[\w:]/.exec(written);
  if (conversion === null) return written;
  // `operator bool() const`: the parameter list belongs to the node.
  const end = conversion.index + operatorLength(written, conversion.index);
  return written.slice(0, conversion.index) + operatorName(written.slice(conversion.index, end));
}

function parameterList(declarator: Node): Node | null {
  return (
    declarator.childForFieldName("parameters") ??
    declarator.childForFieldName("declarator")?.childForFieldName("parameters") ??
    null
  );
}

function parametersOf(text: string, list: Node): { type: string; name: string; optional: boolean }[] {
  return list.namedChildren
    .filter((node) => node.type !== "comment" && node.type !== "ERROR")
    .map((node) => {
      const declarator = node.childForFieldName("declarator");
      const own = declarator === null ? undefined : declaredName(sourceOf(text, declarator));
      const from = declarator === null ? 0 : declarator.startIndex - node.startIndex;
      const written = sourceOf(text, node);
      const optional = node.type === "optional_parameter_declaration";
      const type = optional ? written.slice(0, written.indexOf("=")) : written;
      return { type: own === undefined ? type : withoutName(type, own, from), name: own ?? "", optional };
    });
}

/**
 * `const Field& x` → `const Field&`; of an array the brackets become a pointer. `void (*visit)(int)` → `void (*)(int)`.
 *
 * @param from where the declarator begins
 */
function withoutName(written: string, name: string, from: number): string {
  const at = Math.max(written.indexOf(name, from), 0);
  const [head, tail] = [written.slice(0, at), written.slice(at + name.length)];
  if (/^[^(]*\)/.test(tail)) return `${head}${tail}`.trim();
  return `${head}${"*".repeat((tail.match(/\[/g) ?? []).length)}`.trim();
}

function declaredName(declarator: string): string | undefined {
  return /^(?:[\s*&(]|const\b|\.\.\.|__restrict(?:__)?\b|restrict\b)*([A-Za-z_]\w*)/.exec(declarator)?.[1];
}
