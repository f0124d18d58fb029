/** Codes of the Itanium C++ ABI: built-in types (5.1.5.2), operators (5.1.3), standard names (5.1.10). */

const builtins: Readonly<Record<string, string>> = {
  v: "void",
  w: "wchar_t",
  b: "bool",
  c: "char",
  a: "signed char",
  h: "unsigned char",
  s: "short",
  t: "unsigned short",
  i: "int",
  j: "unsigned int",
  l: "long",
  m: "unsigned long",
  x: "long long",
  y: "unsigned long long",
  n: "__int128",
  o: "unsigned __int128",
  f: "float",
  d: "double",
  e: "long double",
  g: "__float128",
  z: "...",
  Dd: "decimal64",
  De: "decimal128",
  Df: "decimal32",
  Dh: "half",
  Di: "char32_t",
  Ds: "char16_t",
  Du: "char8_t",
  Da: "auto",
  Dc: "decltype(auto)",
  Dn: "decltype(nullptr)",
};

/** The built-in type at this place, with the number of characters that say it. */
export function builtinType(text: string, at: number): { name: string; length: number; vendor: boolean } | undefined {
  const sized = /DF(\d+)(_|x|b)/y;
  sized.lastIndex = at;
  const float = sized.exec(text);
  if (float !== null)
    return {
      name: float[2] === "b" ? "std::bfloat16_t" : `_Float${float[1]}${float[2] === "x" ? "x" : ""}`,
      length: float[0].length,
      vendor: false,
    };
  const vendor = /u(\d{1,3})/y;
  vendor.lastIndex = at;
  const named = vendor.exec(text);
  if (named !== null) {
    const from = at + named[0].length;
    const length = Number(named[1]);
    return { name: text.slice(from, from + length), length: named[0].length + length, vendor: true };
  }
  for (const length of [1, 2]) {
    const name = builtins[text.slice(at, at + length)];
    if (name !== undefined) return { name, length, vendor: false };
  }
  return undefined;
}

export const operators: Readonly<Record<string, string>> = {
  nw: "new",
  na: "new[]",
  dl: "delete",
  da: "delete[]",
  aw: "co_await",
  ps: "+",
  ng: "-",
  ad: "&",
  de: "*",
  co: "~",
  pl: "+",
  mi: "-",
  ml: "*",
  dv: "/",
  rm: "%",
  an: "&",
  or: "|",
  eo: "^",
  aS: "=",
  pL: "+=",
  mI: "-=",
  mL: "*=",
  dV: "/=",
  rM: "%=",
  aN: "&=",
  oR: "|=",
  eO: "^=",
  ls: "<<",
  rs: ">>",
  lS: "<<=",
  rS: ">>=",
  eq: "==",
  ne: "!=",
  lt: "<",
  gt: ">",
  le: "<=",
  ge: ">=",
  ss: "<=>",
  nt: "!",
  aa: "&&",
  oo: "||",
  pp: "++",
  mm: "--",
  cm: ",",
  pm: "->*",
  pt: "->",
  cl: "()",
  ix: "[]",
  qu: "?",
};

/** Names of the standard library that have a code of their own. */
export const standardNames: Readonly<Record<string, string>> = {
  t: "std",
  a: "std::allocator",
  b: "std::basic_string",
  s: "std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
  i: "std::basic_istream<char, std::char_traits<char> >",
  o: "std::basic_ostream<char, std::char_traits<char> >",
  d: "std::basic_iostream<char, std::char_traits<char> >",
};
