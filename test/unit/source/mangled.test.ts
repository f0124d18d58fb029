import { execFileSync } from "node:child_process";
import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demangleItanium } from "../../../src/source/itanium";
import { demangleRust } from "../../../src/source/rustNames";
import { parseSignature } from "../../../src/source/signature";
import { folderWith } from "./program";

/** A program with every kind of name that the reader knows. */
const program = `#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
namespace { struct Hidden { int go(double) { return 1; } }; int local(const Hidden&, char c) { return c; } }
namespace app { inline namespace v2 {
template <typename T, int N> struct Grid {
  T data[N];
  template <typename F> void each(F&& f) { for (auto& x : data) f(x); }
  operator bool() const { return true; }
  T& operator[](int i) { return data[i]; }
  Grid& operator+=(const Grid&) { return *this; }
};
struct Op {
  virtual ~Op();
  virtual double operator()(int) const;
  operator double() const;
  static int cb(int (*f)(int, double[3]), int (&a)[4]);
};
Op::~Op() {}
double Op::operator()(int) const { return 1; }
Op::operator double() const { return 1; }
int Op::cb(int (*)(int, double[3]), int (&)[4]) { return 1; }
template <typename... A> void many(A&&...) {}
void take(void (Op::*)(int), std::function<void(const std::string&, unsigned long)>, std::map<std::string, std::vector<int>>&) {}
void ref(std::vector<double>&&, long long, unsigned char const*, bool, float, long double, std::nullptr_t) {}
Op operator""_op(unsigned long long) { return Op(); }
template <typename T> T twice(T t) { return t + t; }
enum class Color { Red };
template <Color C> int paint() { return 1; }
template <bool B, unsigned U, long L, char K> int values() { return 1; }
int (*pick(int))(double) { return nullptr; }
}}
int main() {
  app::Grid<double, 3> g{};
  int k = 0;
  g.each([&](double& x) { x += k; });
  app::many(1, 2.0, std::string("x"), k);
  app::twice<double>(1);
  app::paint<app::Color::Red>();
  app::values<true, 3, -4, 'a'>();
  g += g; g[1]; (void)(bool)g;
  std::vector<int> v{3, 1};
  std::sort(v.begin(), v.end(), [](int a, int b) { return a < b; });
  auto p = std::make_shared<app::Op>();
  struct Inner { void run() {} };
  Inner().run();
  Hidden h;
  h.go(1);
  local(h, 'c');
  std::for_each(v.begin(), v.end(), [k](int i) mutable { auto in = [=](long z) { return z + k; }; k += in(i); });
}
`;

function output(tool: string, args: readonly string[], input?: string): string | undefined {
  try {
    return execFileSync(tool, [...args], { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "ignore"] }).toString();
  } catch {
    return undefined; // the tool is not there
  }
}

/** `c++filt` itself writes `>>` and `> >` by turns, and leaves a blank place for an empty pack. */
const spaced = (text: string) =>
  text
    .replaceAll("> >", ">>")
    .replaceAll("> >", ">>")
    .replace(/(?:, )+/g, ", ");
const hasTools = output("c++filt", ["--version"]) !== undefined && output("g++", ["--version"]) !== undefined;

describe("mangled names of C++", () => {
  it.runIf(hasTools)("of a compiled program and of the standard library read as c++filt reads them", () => {
    const folder = folderWith({ "names.cpp": program });
    output("g++", ["-std=c++17", "-c", `${folder}/names.cpp`, "-o", `${folder}/names.o`]);
    const library = output("g++", ["-print-file-name=libstdc++.so"])?.trim() ?? "";
    const listed = [["-P", `${folder}/names.o`]];
    if (fs.existsSync(library)) listed.push(["-D", "-P", library]);
    const symbols = listed.flatMap((args) => (output("nm", args) ?? "").match(/^_Z[\w.]+/gm) ?? []);
    const names = [...new Set(symbols)];
    expect(names.length).toBeGreaterThan(80);
    const wanted = (output("c++filt", [], `${names.join("\n")}\n`) ?? "").trimEnd().split("\n");
    const wrong = names.filter((name, at) => {
      const read = demangleItanium(name);
      return read !== undefined && spaced(read) !== spaced(wanted[at]);
    });
    const unread = names.filter((name) => demangleItanium(name) === undefined);
    // Names that tell generic lambdas apart, and conditions on template parameters.
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(names.length / 1000);
    expect(unread.length, unread.join("\n")).toBeLessThanOrEqual(Math.max(4, names.length / 1000));
  });

  it.each([
    ["_Z4axpydRKN4mini5FieldEdRS0_", "axpy(double, mini::Field const&, double, mini::Field&)"],
    ["_ZN4mini5Field4dataEv", "mini::Field::data()"],
    ["_ZNK4mini5Field4dataEv", "mini::Field::data() const"],
    ["_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f(int)"],
    ["_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const"],
    ["_ZZ4mainENKUliE0_clEi", "main::{lambda(int)#2}::operator()(int) const"],
    ["_ZSt4sortIPiEvT_S1_", "void std::sort<int*>(int*, int*)"],
    ["_ZN1AcvbEv", "A::operator bool()"],
    ["_ZN1AD2Ev", "A::~A()"],
    ["_ZN1AC1ERKS_", "A::A(A const&)"],
    ["_ZlsRSoRK1A", "operator<<(std::basic_ostream<char, std::char_traits<char> >&, A const&)"],
    ["_Z1fPFviE", "f(void (*)(int))"],
    ["_Z1fRA4_i", "f(int (&) [4])"],
    ["_Z1fM1AFviE", "f(void (A::*)(int))"],
    ["_Z3runi.isra.0.cold", "run(int) [clone .isra.0] [clone .cold]"],
    ["_ZTV1A", "vtable for A"],
    ["_ZThn8_N1AD1Ev", "non-virtual thunk to A::~A()"],
    ["__Z3runi", "run(int)"],
  ])("%s", (symbol, name) => {
    expect(demangleItanium(symbol)).toBe(name);
  });

  it.each(["", "_Z", "main", "_ZN", "_ZN4mini", "_Z999a", "_ZS_", "_ZT_", "_Z1fIXadL_Z1gvEEEvv"])(
    "%j is not made up where it cannot be read",
    (symbol) => {
      expect(demangleItanium(symbol)).toBeUndefined();
    },
  );
});

describe("mangled names of Rust", () => {
  it.each([
    ["_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE", "core::fmt::Formatter::write_str"],
    [
      "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
      "<Test + 'static as foo::Bar<Test>>::bar",
    ],
    ["_RNvC6_123foo3bar", "123foo::bar"],
    ["_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y", "utf8_idents::საჭმელად_გემრიელი_სადილი"],
    ["_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}"],
    [
      "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std",
      "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>",
    ],
    ["_RMC0INtC8arrayvec8ArrayVechKj7b_E", "<arrayvec::ArrayVec<u8, 123>>"],
    ["_RNvMs_NtCs1234_7mycrate6solverNtB4_6Solver4step", "<mycrate::solver::Solver>::step"],
  ])("%s", (symbol, name) => {
    expect(demangleRust(symbol)).toBe(name);
  });

  it("of a real library read as c++filt reads them", () => {
    const symbols = ["_RNvC6_123foo3bar", "_RINvNtC3std3mem8align_ofjdE", "_RNvNtCs1_5crate3mod1f.llvm.123"];
    const read = output("c++filt", [], `${symbols.join("\n")}\n`);
    // Before binutils 2.36 it knew the old form only.
    if (read?.includes("_R") !== false) return;
    const wanted = read
      .trimEnd()
      .split("\n")
      .map((name) => name.replace(/\[[0-9a-f]+\]/g, ""));
    expect(symbols.map(demangleRust)).toEqual(wanted);
  });

  it("name the function for the index", () => {
    const { name, scopes } = parseSignature("_RNvMs_NtCs1234_7mycrate6solverNtB4_6Solver4step");
    expect([...scopes, name]).toEqual(["mycrate", "solver", "Solver", "step"]);
    expect(parseSignature("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_").name).toBe("spawn");
    expect(parseSignature("core::ptr::drop_in_place::<alloc::string::String>").name).toBe("drop_in_place");
  });
});

describe("any mangled text", () => {
  it("is read or refused, in bounded time", () => {
    const letters = fc.constantFrom(..."_ZNKSTRPIJEXLtsabdiv0123456789".split(""));
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 200 }), fc.constantFrom("_Z", "_R", "_ZN"), (text, start) => {
        const symbol = start + text.join("");
        expect(typeof parseSignature(symbol).name).toBe("string");
        demangleItanium(symbol);
        demangleRust(symbol);
      }),
      { numRuns: 500 },
    );
    // Each step doubles the text that substitutions stand for.
    const doubling = `_Z1f${Array.from({ length: 40 }, (_, at) => `1AI${at === 0 ? "i" : `S${(at - 1).toString(36).toUpperCase()}_`}S_E`).join("")}`;
    demangleItanium(doubling);
    demangleItanium(`_Z1f${"P".repeat(15_000)}i`);
    demangleRust(`_RNvC1a1b${"B_".repeat(5_000)}`);
  });
});
