/** A Fortran procedure as its name was recorded, in small letters. */
export interface FortranName {
  readonly name: string;
  /** Undefined where the recorded name does not say; "" where it is in none. */
  readonly module: string | undefined;
}

/**
 * What a symbol of a Fortran compiler may stand for, likeliest first: `__solver_MOD_step` (GNU), `solver_mp_step_` (Intel),
 * `_QMsolverPstep` (LLVM), `step$solver_` (Cray), `solver_step_` (NVIDIA), `step_` (outside of modules), `MAIN__` (the program).
 */
export function fortranNames(recorded: string): FortranName[] {
  const text = recorded.trim();
  if (!/^[\w$.]+$/.test(text) || text.length > 500) return [];
  const symbol = text.replace(/(?:\.(?:_omp_fn|isra|part|constprop|cold|\d+))+$/, "").toLowerCase();
  const gnu = /^__(\w+?)_mod_(\w+)$/.exec(symbol) ?? /^(\w+?)_mp_(\w+?)_?$/.exec(symbol);
  if (gnu !== null) return [{ module: gnu[1], name: gnu[2] }];
  const cray = /^(\w+)\$(\w+?)_?$/.exec(symbol);
  if (cray !== null) return [{ module: cray[2], name: cray[1] }];
  // LLVM writes its marks in capitals and all names small.
  const llvm = /^_Q(?:M([a-z0-9_]+?))?(?:F[a-z0-9_]+?)*P([a-z0-9_]+)$/.exec(text.split(".", 1)[0]);
  if (llvm !== null) return [{ module: llvm[1] ?? "", name: llvm[2] }];
  const plain = symbol.replace(/__?$/, "");
  if (!/^[a-z]\w*$/.test(plain)) return [];
  const names: FortranName[] = [{ module: undefined, name: plain }];
  if (symbol.endsWith("_"))
    for (let at = plain.indexOf("_", 1); at > 0 && at < plain.length - 1; at = plain.indexOf("_", at + 1))
      names.push({ module: plain.slice(0, at), name: plain.slice(at + 1) });
  return names;
}
