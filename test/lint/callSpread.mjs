/**
 * The rule `heatflow/no-call-spread`: an argument for each element of a list overflows the stack beyond about a hundred thousand
 * elements, and the length of most lists comes from a recording. Allowed are lists whose length the code itself says: array literals
 * without a spread, a choice between such literals, and the rest parameter of a function around the call, which is forwarded.
 */
const MESSAGE =
  "A spread in a call makes an argument of each element: long lists overflow the stack. Use append, largest or smallest of model/longLists.ts, hand the list over as one argument, or loop.";

/** Functions whose rest parameter may be forwarded. */
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** @returns {boolean} whether the source says how many elements there are */
function isOfKnownLength(node) {
  const open = [node];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.type === "TSAsExpression" || one.type === "TSSatisfiesExpression") open.push(one.expression);
    else if (one.type === "ConditionalExpression") open.push(one.consequent, one.alternate);
    else if (one.type !== "ArrayExpression" || one.elements.some((element) => element?.type === "SpreadElement"))
      return false;
  }
  return true;
}

/** @returns {boolean} whether a name is the rest parameter of a function around it */
function isForwarded(node) {
  if (node.type !== "Identifier") return false;
  for (let around = node.parent; around; around = around.parent) {
    if (!FUNCTIONS.has(around.type)) continue;
    const last = around.params.at(-1);
    if (last?.type === "RestElement" && last.argument.type === "Identifier" && last.argument.name === node.name)
      return true;
  }
  return false;
}

const noCallSpread = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const check = (node) => {
      for (const argument of node.arguments)
        if (argument.type === "SpreadElement" && !isOfKnownLength(argument.argument) && !isForwarded(argument.argument))
          context.report({ node: argument, message: MESSAGE });
    };
    return { CallExpression: check, NewExpression: check };
  },
};

export default { meta: { name: "heatflow" }, rules: { "no-call-spread": noCallSpread } };
