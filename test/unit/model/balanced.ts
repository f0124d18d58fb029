const CLOSING: Readonly<Record<string, string>> = { "(": ")", "<": ">", "[": "]", "{": "}" };

/** Whether every bracket of a name is closed, those of operators and arrows apart. */
export function isBalanced(name: string): boolean {
  const open: string[] = [];
  const text = name.replace(/\boperator *(?:->\*?|<=>|<<=?|>>=?|<=?|>=?)/g, "").replaceAll("->", "");
  for (const sign of text) {
    if (sign in CLOSING) open.push(CLOSING[sign]);
    else if (")>]}".includes(sign) && open.pop() !== sign) return false;
  }
  return open.length === 0;
}
