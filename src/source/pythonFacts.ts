import type { Node } from "web-tree-sitter";
import { appendAll } from "../model/longLists";
import { entryOf } from "../model/maps";
import type { Call, ClassFacts, Definition, Extent, FileFacts } from "./facts";
import { type Capture, sourceOf } from "./grammar";
import { readLiteral } from "./literals";
import { Nesting } from "./nesting";

interface Reading {
  readonly text: string;
  readonly nesting: Nesting;
  readonly definitions: Definition[];
  readonly calls: Call[];
  readonly classes: ClassFacts[];
  readonly includes: string[];
  /** Decorators by the offset of the `def` that they stand above. */
  readonly decorators: Map<number, Node[]>;
}

/** Facts of a Python file from its syntax tree: `def`s, calls, `with` blocks and decorators. */
export function pythonFacts(file: string, hash: string, text: string, captures: readonly Capture[]): FileFacts {
  const reading: Reading = {
    text,
    nesting: new Nesting(text),
    definitions: [],
    calls: [],
    classes: [],
    includes: [],
    decorators: new Map(),
  };
  for (const { as, node } of captures) {
    const extent = { from: node.startIndex, to: node.endIndex };
    reading.nesting.leaveBefore(extent.from);
    if (as === "function") readFunction(reading, node, extent);
    else if (as === "class") readClass(reading, node, extent);
    else if (as === "block") reading.nesting.enter({ kind: "block", ...extent });
    else if (as === "call") readCall(reading, node);
    else if (as === "decorator") readDecorator(reading, node);
    else if (as === "include") appendAll(reading.includes, text.slice(extent.from, extent.to).match(/[\w.]+/g) ?? []);
  }
  const { definitions, calls, classes, includes } = reading;
  const { lineStarts } = reading.nesting;
  return {
    file,
    hash,
    lineStarts,
    language: "python",
    definitions,
    calls,
    classes,
    includes,
    namespaces: new Set(),
    aliases: new Map(),
  };
}

function readFunction(reading: Reading, node: Node, extent: Extent): void {
  const nameNode = node.childForFieldName("name");
  if (nameNode === null) return;
  const { nesting, text } = reading;
  const parameters = (node.childForFieldName("parameters")?.namedChildren ?? []).filter(
    ({ type }) => type !== "comment",
  );
  const names = parameters.map((parameter) => /\w+/.exec(sourceOf(text, parameter))?.[0] ?? "");
  const own = nesting.class() >= 0 && /^(self|cls)$/.test(names[0] ?? "") ? 1 : 0;
  const within = nesting.definition();
  const outer = within < 0 ? undefined : reading.definitions[within];
  const id =
    reading.definitions.push({
      ...extent,
      name: sourceOf(text, nameNode),
      scopes: outer === undefined ? nesting.scopes() : [...outer.scopes.slice(-8), outer.name],
      enclosingClasses: outer === undefined ? nesting.classes() : 0,
      line: nesting.lineAt(nameNode.startIndex),
      at: nameNode.startIndex,
      parameters: names.slice(own),
      parameterNames: names.slice(own),
      required: parameters.slice(own).filter(({ type }) => type === "identifier" || type === "typed_parameter").length,
      variadic: parameters.some(({ type }) => type.includes("splat")),
      local: false,
      lambda: false,
      constant: false,
      templateParameters: [],
      outerTemplateParameters: [],
      types: new Map(),
      within,
    }) - 1;
  nesting.enter({ kind: "definition", id, ...extent });
  for (const decorator of reading.decorators.get(extent.from) ?? []) addDecorator(reading, decorator, id, extent);
}

function readClass(reading: Reading, node: Node, extent: Extent): void {
  const nameNode = node.childForFieldName("name");
  const name = nameNode === null ? "" : sourceOf(reading.text, nameNode);
  const bases = node.childForFieldName("superclasses");
  const baseNames =
    bases === null ? [] : (sourceOf(reading.text, bases).match(/(?<!\w)[A-Za-z_]\w*(?=\s*[,)])/g) ?? []);
  const id = reading.classes.push({ name, bases: baseNames, fields: new Map() }) - 1;
  reading.nesting.enter({ kind: "class", names: [name], id, ...extent });
}

/** A decorator stands before its `def`, so it waits until that is read. */
function readDecorator(reading: Reading, node: Node): void {
  let next = node.nextNamedSibling;
  while (next !== null && next.type !== "function_definition") next = next.nextNamedSibling;
  if (next === null) return;
  entryOf(reading.decorators, next.startIndex, () => []).push(node);
}

/** `@annotate("x")` covers the whole function, `@annotate` is a function mark. */
function addDecorator(reading: Reading, node: Node, within: number, block: Extent): void {
  const inner = node.namedChildren[0];
  if (inner === undefined) return;
  const call = inner.type === "call" ? inner : undefined;
  const callee = call?.childForFieldName("function") ?? inner;
  const described = describe(reading, callee, call?.childForFieldName("arguments") ?? null);
  const line = reading.nesting.lineAt(node.startIndex);
  const kind = described.literals.length > 0 ? "call" : "bare";
  reading.calls.push({ kind, ...described, line, at: node.startIndex, end: node.endIndex, within, block });
}

function readCall(reading: Reading, node: Node): void {
  const callee = node.childForFieldName("function");
  if (callee === null) return;
  const { nesting } = reading;
  const described = describe(reading, callee, node.childForFieldName("arguments"));
  const line = nesting.lineAt(node.startIndex);
  const within = nesting.definition();
  reading.calls.push({
    kind: "call",
    ...described,
    line,
    at: node.startIndex,
    end: node.endIndex,
    within,
    block: nesting.block(),
  });
}

function describe(
  reading: Reading,
  callee: Node,
  list: Node | null,
): Pick<
  Call,
  "callee" | "qualifiers" | "receiver" | "arguments" | "literals" | "names" | "computed" | "givesFunction"
> {
  const parts = sourceOf(reading.text, callee).slice(-400).split(".");
  const given = (list?.namedChildren ?? []).filter(({ type }) => type !== "comment");
  const literals: string[] = [];
  const names: string[] = [];
  for (const node of given) {
    const value = node.type === "keyword_argument" ? (node.childForFieldName("value") ?? node) : node;
    if (value.type === "string" || value.type === "concatenated_string") {
      const literal = readLiteral(sourceOf(reading.text, value));
      if (literal !== undefined) literals.push(literal);
    } else if (value.type === "identifier") names.push(sourceOf(reading.text, value));
  }
  const last = parts.pop() ?? "";
  const receiver = parts[parts.length - 1]?.match(/(?<!\w)\w+$/)?.[0];
  return {
    callee: last,
    qualifiers: [],
    receiver,
    arguments: given.length,
    literals,
    names,
    computed: [],
    givesFunction: false,
  };
}
