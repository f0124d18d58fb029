/** Load modules whose code is the kernel's (semantics 2, rule 7). */

const KERNEL = /^\[(?:kernel|guest\.kernel)|^vmlinux|\/vmlinux|\.ko(?:\.[a-z0-9]+)?$/;

export function isKernelModule(module: string): boolean {
  return KERNEL.test(module);
}
