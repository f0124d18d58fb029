import { describe, expect, it } from "vitest";
import { classOf } from "../../../../src/supergraph/first/classes";
import { hasNoName } from "../../../../src/supergraph/first/functionNames";
import {
  debugPackage,
  isKernelModule,
  isLibraryModule,
  shortModule,
} from "../../../../src/supergraph/first/loadModules";

describe("load modules", () => {
  it.each([
    ["/usr/lib/x86_64-linux-gnu/libc.so.6", "libc"],
    ["/lib/libc-2.31.so", "libc"],
    ["/usr/lib/libgcc-12-20220319.so.1", "libgcc"],
    ["/lib64/ld-linux-x86-64.so.2", "ld.so"],
    ["/usr/lib/libstdc++.so.6.0.30", "libstdc++"],
    ["/home/a/prog", "prog"],
    ["libthem.so.old_1", "libthem"],
    ["libthem.so-x", "libthem.so-x"],
    ["[vdso]", "[vdso]"],
  ])("%s is called %s", (module, short) => expect(shortModule(module)).toBe(short));

  it.each([
    ["/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0", "libgomp1-dbgsym"],
    ["/lib/x86_64-linux-gnu/libopenblas.so.0", "libopenblas0-dbgsym"],
    ["/usr/lib/x86_64-linux-gnu/libOpenCL.so.1", "libopencl1-dbgsym"],
    ["/usr/lib64/libhwloc2.so.15", "libhwloc2-15-dbgsym"],
    ["/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30", "libstdc++6-dbgsym"],
    ["/usr/lib/x86_64-linux-gnu/libc.so.6", "libc6-dbg"],
    ["/lib/x86_64-linux-gnu/libm-2.31.so", "libc6-dbg"],
    ["/lib64/ld-linux-x86-64.so.2", "libc6-dbg"],
    ["/home/a/libmine.so.1", undefined],
    ["/usr/lib/x86_64-linux-gnu/plugin.so", undefined],
    ["[kernel.kallsyms]", undefined],
  ])("debug symbols of %s are in the package %s", (module, name) => expect(debugPackage(module)).toBe(name));

  it.each([
    ["/usr/lib/libz.so.1", true],
    ["/lib64/libm.so.6", true],
    ["/usr/libexec/valgrind/vgpreload_core-amd64-linux.so", true],
    ["/opt/mpi/libmpi_cxx.so.40", true],
    ["libgomp.so.1", true],
    ["[vdso]", true],
    ["/home/a/libsolver.so", false],
    ["/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus", false],
    ["/usr/bin/perl", false],
  ])("%s is a library: %s", (module, is) => expect(isLibraryModule(module)).toBe(is));

  it.each([
    ["[kernel.kallsyms]", true],
    ["[guest.kernel.kallsyms]", true],
    ["/boot/vmlinux", true],
    ["vmlinux-6.1", true],
    ["/lib/modules/6.1/xfs.ko.xz", true],
    ["/home/a/kernel", false],
  ])("%s is of the kernel: %s", (module, is) => expect(isKernelModule(module)).toBe(is));
});

describe("classes in names", () => {
  it.each([
    ["void heat::Solver::step(int, double)", "heat::Solver"],
    ["heat::Solver::operator()(int) const", "heat::Solver"],
    ["std::vector<heat::Cell>::push_back(heat::Cell&&)", "std::vector<heat::Cell>"],
    ["std::sort<int*>(int*, int*)", "std"],
    ["f(ns::Type)", undefined],
    ["main", undefined],
    ["MPI_Send", undefined],
  ])("%s is of %s", (name, expected) => expect(classOf(name)).toBe(expected));
});

describe("functions without a name", () => {
  it.each(["0x1f2e", "[unknown]", "[unknown] in libc", "<unknown procedure>", "~unknown-proc~", "UNKNOWN", "??", ""])(
    "%j is none",
    (name) => expect(hasNoName(name)).toBe(true),
  );
  it.each(["main", "0xyz", "<module>", "unknown", "operator<"])("%j is one", (name) =>
    expect(hasNoName(name)).toBe(false),
  );
});
