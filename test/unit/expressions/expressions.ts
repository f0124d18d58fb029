import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

/** A regular expression in the sources. */
export interface Expression {
  /** `file:line`, relative to the project. */
  readonly place: string;
  /** As it is written, with its flags. */
  readonly text: string;
  readonly expression: RegExp;
  /** It is the separator of a `split`, which looks at every position. */
  readonly splits: boolean;
}

/** Every regular expression that stands in a folder's sources, or in one file; `new RegExp` of constant texts too. */
export function expressionsIn(root: string, rooms: readonly string[]): Expression[] {
  return rooms.flatMap((room) => sourcesIn(path.join(root, room))).flatMap((file) => expressionsOf(root, file));
}

function sourcesIn(place: string): string[] {
  if (!fs.statSync(place).isDirectory()) return /\.tsx?$/.test(place) ? [place] : [];
  return fs.readdirSync(place).flatMap((name) => (name === "node_modules" ? [] : sourcesIn(path.join(place, name))));
}

function expressionsOf(root: string, file: string): Expression[] {
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const expression = written(node);
    if (expression !== undefined) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const called = ts.isCallExpression(node.parent) ? node.parent.expression : undefined;
      found.push({
        place: `${path.relative(root, file)}:${line}`,
        text: String(expression),
        expression,
        splits: called !== undefined && ts.isPropertyAccessExpression(called) && called.name.text === "split",
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function written(node: ts.Node): RegExp | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
  }
  if (!ts.isNewExpression(node) || node.expression.getText() !== "RegExp") return undefined;
  const pattern = constantText(node.arguments?.[0]);
  const flags = constantText(node.arguments?.[1]) ?? "";
  return pattern === undefined ? undefined : new RegExp(pattern, flags);
}

function constantText(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [constantText(node.left), constantText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}
