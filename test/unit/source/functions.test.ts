import { describe, expect, it } from "vitest";
import type { Frame } from "../../../src/model/frames";
import { fn, linked, lineOf } from "./program";

/** @param expected path of frames → `file:line`, several joined by ` | `, `?` for an unknown place */
async function check(
  files: Record<string, string>,
  expected: readonly (readonly [string | readonly (string | Frame)[], string])[],
) {
  const shown = (path: string | readonly (string | Frame)[], place: unknown) => {
    const names =
      typeof path === "string" ? [path] : path.map((frame) => (typeof frame === "string" ? frame : frame.name));
    return `${names.join(" / ")} → ${String(place)}`;
  };
  const found = await linked(files, expected);
  expect(found.map(([, place], at) => shown(expected[at][0], place))).toEqual(
    expected.map(([path, place]) => shown(path, place)),
  );
}

describe("overloads", () => {
  const fields = `#include "mini.h"
namespace mini {
using Real = double;
typedef unsigned long Count;
void axpy(double a, const Field& x, Field& y) {}
void axpy(double a, const Field& x, double b, Field& y) {}
void scale(Real a, Field& y) {}
void scale(int a, Field& y) {}
void fill(std::string const& name) {}
void fill(std::vector<double> const& values) {}
void fill(std::vector<int> const& values) {}
void count(Count n) {}
void count(char const* text) {}
void move(Field* f, unsigned n) {}
void move(Field& f, unsigned n) {}
void each(void (*visit)(int), int n) {}
void each(double (*visit)(double), int n) {}
int sum(int n, ...) { return n; }
int sum(int n, int m) { return n; }
template <typename T> void put(T value, int n) {}
template <typename T> void put(T* value, int n) {}
struct Field {
    double* data() { return p; }
    const double* data() const { return p; }
    double* p;
};
}
`;
  const at = (text: string) => `fields.cpp:${lineOf(fields, text)}`;
  it("are known by the standard's types where the program declares these for other systems, and no test's macro has their names", () =>
    check(
      {
        "port.h": "#ifdef _WIN32\ntypedef unsigned long long uint64_t;\n#endif\n",
        "paths.cc":
          '#include "port.h"\nvoid shorten(std::string* path, uint64_t* bits) {}\nvoid shorten(char* path, size_t* length, uint64_t* bits) {}\n',
        "paths_test.cc": "TEST(shorten, Samples) {\n}\nTEST(shorten, Folders) {\n}\n",
        ".pc/older.patch/paths.cc": "void shorten(std::string* path, uint64_t* bits) {}\n",
      },
      [
        [
          [
            fn(
              "shorten(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >*, unsigned long*)",
            ),
          ],
          "paths.cc:2",
        ],
        [[fn("shorten(char*, unsigned long*, unsigned long*)")], "paths.cc:3"],
      ],
    ));

  it("are distinguished by number and types of parameters; several that fit are offered", () =>
    check({ "fields.cpp": fields }, [
      [[fn("mini::axpy(double, mini::Field const&, double, mini::Field&)")], "fields.cpp:6"],
      [[fn("mini::axpy(double, mini::Field const&, mini::Field&)")], "fields.cpp:5"],
      [[fn("mini::axpy")], "fields.cpp:5 | fields.cpp:6"],
      [[fn("mini::scale(int, mini::Field&)")], at("scale(int")],
      // What `Real` is, the file does not have to say: it may be a double, and `int` is not.
      [[fn("mini::scale(double, mini::Field&)")], at("scale(Real")],
      [
        [fn("mini::fill(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)")],
        at("fill(std::string"),
      ],
      [[fn("mini::fill(std::vector<int, std::allocator<int> > const&)")], at("fill(std::vector<int>")],
      [[fn("mini::fill(std::vector<double, std::allocator<double> > const&)")], at("fill(std::vector<double>")],
      [[fn("mini::count(unsigned long)")], at("count(Count")],
      [[fn("mini::count(char const*)")], at("count(char")],
      [[fn("mini::move(mini::Field&, unsigned int)")], at("move(Field&")],
      [[fn("mini::move(mini::Field*, unsigned int)")], at("move(Field*")],
      [[fn("mini::each(void (*)(int), int)")], at("void (*visit)(int)")],
      [[fn("mini::each(double (*)(double), int)")], at("double (*visit)(double)")],
      [[fn("mini::sum(int, ...)")], at("sum(int n, ...")],
      [[fn("mini::sum(int, int)")], at("sum(int n, int")],
      [[fn("void mini::put<double>(double, int)")], at("put(T value")],
      [[fn("void mini::put<double>(double*, int)")], at("put(T* value")],
      [[fn("mini::Field::data() const")], at("data() const")],
      [[fn("mini::Field::data()")], at("double* data() {")],
    ]));

  const unsure = `void f(my_index n, double x) {}
void f(other_index n, double x) {}
void g(my_index n) {}
void g(double n) {}
`;
  it("with types that only a typedef explains are all offered", () =>
    check({ "unsure.cpp": unsure }, [
      [[fn("f(unsigned long, double)")], "unsure.cpp:1 | unsure.cpp:2"],
      [[fn("g(unsigned long)")], "unsure.cpp:3"],
      [[fn("g(double)")], "unsure.cpp:4"],
    ]));
});

describe("names that C++ makes up", () => {
  const program = `namespace {
void f(int) {}
struct Local { void run() {} };
}
namespace app {
struct Op {
    Op& operator+=(const Op& other) { return *this; }
    double operator()(int i) const { return i; }
    operator double() const { return 1; }
    explicit operator bool() const { return true; }
    void* operator new(unsigned long n);
    ~Op() {}
    template <typename U> Op& operator<<(U const& u) { return *this; }
};
bool operator==(const Op& a, const Op& b) { return true; }
Op operator""_op(unsigned long long v) { return Op(); }
std::ostream& operator<<(std::ostream& out, const Op& op) { return out; }
template <typename T> class Box {
public:
    template <typename F> void each(F f) { f(1); }
    T get() { return T(); }
    class Iterator { public: T& operator*() { return t; } T* operator->() { return &t; } T t; };
};
void run(int n) {
    auto first = [](int i) { return i; };
    auto second = [&](double d) {
        auto inner = [](int k) { return k; };
        return inner(1);
    };
    first(1);
}
auto global = [](int z) { return z; };
}
int main() {
    auto one = [](int i) { return i; };
    return one(2);
}
`;
  const at = (text: string, occurrence = 1) => `app.cpp:${lineOf(program, text, occurrence)}`;
  it("lead to their definitions", () =>
    check({ "app.cpp": program }, [
      [[fn("(anonymous namespace)::f(int)")], at("void f(int)")],
      [[fn("_ZN12_GLOBAL__N_11fEi")], at("void f(int)")],
      [[fn("(anonymous namespace)::Local::run()")], at("struct Local")],
      [[fn("app::Op::operator+=(app::Op const&)")], at("operator+=")],
      [[fn("app::Op::operator()(int) const")], at("operator()")],
      [[fn("app::Op::operator double() const")], at("operator double")],
      [[fn("app::Op::operator bool() const")], at("operator bool")],
      [[fn("app::Op::~Op()")], at("~Op()")],
      [[fn("app::Op& app::Op::operator<< <int>(int const&)")], at("operator<<(U")],
      [[fn("app::operator<<(std::ostream&, app::Op const&)")], at("operator<<(std::ostream")],
      [[fn("app::operator==(app::Op const&, app::Op const&)")], at("operator==")],
      [[fn('app::operator"" _op(unsigned long long)')], at("_op")],
      [[fn("app::Box<double>::get()")], at("T get()")],
      [
        [
          fn(
            "void app::Box<std::pair<int, app::Op> >::each<app::run(int)::{lambda(int)#1}>(app::run(int)::{lambda(int)#1})",
          ),
        ],
        at("void each"),
      ],
      [[fn("app::Box<int>::Iterator::operator*()")], at("class Iterator")],
      [[fn("app::run(int)::{lambda(int)#1}::operator()(int) const")], at("auto first")],
      [[fn("app::run(int)::{lambda(double)#1}::operator()(double) const")], at("auto second")],
      [
        [fn("app::run(int)::{lambda(double)#1}::operator()(double) const::{lambda(int)#1}::operator()(int) const")],
        at("auto inner"),
      ],
      [[fn("app::run(int)::{lambda(int)#1}::_FUN(int)")], at("auto first")],
      [[fn("app::{lambda(int)#1}::operator()(int) const")], at("auto global")],
      [[fn("app::global::{lambda(int)#1}::operator()(int) const")], at("auto global")],
      [[fn("main::{lambda(int)#1}::operator()(int) const")], at("auto one")],
      [[fn("main::{lambda(int)#1}::operator()")], at("auto one")],
      [[fn("main::'lambda'(int)::operator()(int) const")], at("auto one")],
      [[fn("main::$_0::operator()(int) const")], at("auto one")],
      [[fn("app::run(int)")], at("void run(int n)")],
      [[fn("app::run(int) [clone .cold]")], at("void run(int n)")],
      [[fn("app::run(int) [clone ._omp_fn.0] [clone .isra.3]")], at("void run(int n)")],
      [[fn("_ZN3app3runEi.isra.0.cold")], at("void run(int n)")],
      [[fn("app::run(int) (.part.0)")], at("void run(int n)")],
      [[fn("app::run(int) (.isra.0) (.cold)")], at("void run(int n)")],
      [[fn("non-virtual thunk to app::Op::~Op()")], at("~Op()")],
      [[fn("app::Op::Op()")], "?"],
    ]));
});

describe("kernels of a GPU", () => {
  const program = `#include <cuda_runtime.h>
static __device__ double heart(void) { return 1; }
namespace { __device__ void top(volatile double* x, int i) { *x = heart(); } }
__global__ void kernmain() { double x; top(&x, 1); }
__global__ void vectorAdd(const float* A, const float* B, float* C, int n) { C[0] = A[0]; }
template <typename T> __global__ void vectorAdd(const T* A, int n) {}
int main() { kernmain<<<1, 1>>>(); }
`;
  it("and their launch stubs lead to the kernel", () =>
    check({ "recursion.cu": program }, [
      [[fn("kernmain()", { kind: "kernel" })], "recursion.cu:4"],
      [[fn("__device_stub__Z8kernmainv()")], "recursion.cu:4"],
      [[fn("__device_stub__Z9vectorAddPKfS0_Pfi(float const*, float const*, float*, int)")], "recursion.cu:5"],
      [[fn("_Z35__device_stub__Z9vectorAddPKfS0_PfiPKfS0_Pfi")], "recursion.cu:5"],
      [[fn("__device_stub__kernmain()")], "recursion.cu:4"],
      [[fn("vectorAdd(float const*, float const*, float*, int) [clone .kd]", { kind: "kernel" })], "recursion.cu:5"],
      [[fn("$_Z8kernmainv$_ZN39_INTERNAL_453c3326_12_recursion_cu_main5heartEv")], "recursion.cu:2"],
      [[fn("$_Z8kernmainv$_ZN39_INTERNAL_453c3326_12_recursion_cu_main3topEPVdi")], "recursion.cu:3"],
      [[fn("$_Z8kernmainv$__cuda_sm20_div_f64_slowpath_v2")], "?"],
      [[fn("void vectorAdd<double>(double const*, int)", { kind: "kernel" })], "recursion.cu:6"],
    ]));
});

describe("inlined frames, loops and calls", () => {
  const program = `double square(double x)
{
    return x * x;
}
double norm(const double* v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += square(v[i]);
    return sum;
}
int main()
{
    double v[3] = {1, 2, 3};
    return norm(v, 3) > 1;
}
`;
  const file = "/build/src/small.cpp";
  const main = fn("main", { file, line: 12 });
  const norm = fn("norm(double const*, int)", { file, line: 5 });
  const loop: Frame = { name: "loop at small.cpp: 8", kind: "loop", file, line: 8 };
  const square: Frame = { name: "square(double)", kind: "inlined", file, line: 1 };
  const line = (n: number): Frame => ({ name: `small.cpp:${n}`, kind: "line", file, line: n });
  it("stand where their own code is", () =>
    check({ "src/small.cpp": program }, [
      [[main, line(15), norm], "src/small.cpp:5"],
      [[main, line(15)], "src/small.cpp:15"],
      [[main, line(15), norm, loop], "src/small.cpp:8"],
      [[main, line(15), norm, loop, line(9), square], "src/small.cpp:1"],
      [[main, line(15), norm, loop, line(9), square, line(3)], "src/small.cpp:3"],
    ]));
});

describe("recorded lines of a function", () => {
  const clock = `#ifdef __WIN32
double now() {
  return ticks();
}
#else
double now() {
  return seconds();
}
#endif
bool Solver::done() {
  return trail.size() == most;
}
int main() { return 0; }
`;
  const files = { "src/clock.cpp": clock, "src/clock.h": "double now();\nstruct Solver { bool done(); };\n" };
  const line = (file: string, line: number): Frame => ({ name: `${file}:${line}`, kind: "line", file, line });
  const at = (text: string, occurrence = 1) => `src/clock.cpp:${lineOf(clock, text, occurrence)}`;
  const vector = "/usr/include/c++/12/bits/stl_vector.h";

  it("tell its definition from one that was not compiled, whichever context they were recorded in", () => {
    const now = fn("now()", { file: "/build/src/clock.cpp" });
    return check(files, [
      [[now], at("double now", 2)],
      [[fn("main"), now], at("double now", 2)],
      [[fn("main"), now, line("/build/src/clock.cpp", 7)], at("seconds")],
    ]);
  });

  it("are of both where nothing decides", () =>
    check(files, [[[fn("now()", { file: "/build/src/clock.cpp" })], `${at("double now")} | ${at("double now", 2)}`]]));

  it("lead to it where the recording names the file of the inlined code that it begins with", () => {
    const done = fn("Solver::done()", { file: vector });
    return check(files, [
      [[done], at("bool Solver::done")],
      [[done, line("/build/src/clock.cpp", 11)], at("trail.size()")],
      // The line of the header is not here: it stands on the function.
      [[done, line(vector, 988)], at("bool Solver::done")],
    ]);
  });

  it("leave a function alone whose own file is not here", () =>
    check(files, [
      [[fn("main", { file: "/usr/src/other/tool.cpp" })], "?"],
      [[fn("main", { file: "/usr/src/other/tool.cpp" }), line("/build/src/clock.cpp", 7)], at("seconds")],
      [[line("/build/src/clock.h", 1)], "src/clock.h:1"],
    ]));
});

describe("recorded lines of a function that the recording names without a file", () => {
  const NAMES = ["src/flat.cpp", "src/lib/slow.cpp", "src/test/check.cpp"];
  /** Three lines of a body below its head, in each of the files. */
  const files = Object.fromEntries(
    NAMES.map((name, at) => [
      name,
      `${"\n".repeat(at)}static double work(double x) {\n  x += ${at};\n  x *= 2;\n  return x;\n}\ndouble call${at}() { return work(1); }\n`,
    ]),
  );
  const headOf = (at: number) => at + 1;
  const line = (at: number, below: number): Frame => {
    const file = `/build/${NAMES[at]}`;
    return { name: `${file}:${headOf(at) + below}`, kind: "line", file, line: headOf(at) + below };
  };
  const shapes: Readonly<Record<string, Frame>> = {
    "perf's": fn("work", { module: "/build/solve" }),
    "perf's, inlined": { name: "work", kind: "inlined", module: "/build/solve" },
    "Caliper's, with parameters": fn("work(double)"),
  };

  it.each(Object.entries(shapes))("lead to the definitions that hold them: %s", async (_, work) => {
    // Every subset of the definitions has run.
    for (let subset = 0; subset < 2 ** NAMES.length; subset++) {
      const ran = NAMES.map((_, at) => at).filter((at) => (subset >> at) % 2 === 1);
      const expected = (ran.length === 0 ? NAMES.map((_, at) => at) : ran).map((at) => `${NAMES[at]}:${headOf(at)}`);
      await check(files, [
        [[fn("call0"), work], expected.join(" | ")],
        ...ran.map(
          (at) =>
            [[fn(`call${at}`), work, line(at, 1 + (at % 3))], `${NAMES[at]}:${headOf(at) + 1 + (at % 3)}`] as const,
        ),
        // Names and files of the program, so that the recording is of the folder.
        [[fn("call1")], `${NAMES[1]}:${headOf(1) + 5}`],
        [[fn("call2")], `${NAMES[2]}:${headOf(2) + 5}`],
      ]);
    }
  });

  it("lead to the branch of #if that has lines of its own, if both share the end of the body", () => {
    const shared = `#ifdef FAST
int step(int n) {
  n += 1;
#else
int step(int n)
{
  n -= 1;
#endif
  return n;
}
int more() { return 1; }
int less() { return 2; }
`;
    const at = (text: string) => `src/step.cpp:${lineOf(shared, text)}`;
    const of = (n: number): Frame => ({ name: `step.cpp:${n}`, kind: "line", file: "/build/src/step.cpp", line: n });
    const known = [
      [[fn("more")], at("int more")],
      [[fn("less")], at("int less")],
    ] as const;
    const both = `${at("int step(int n) {")} | src/step.cpp:5`;
    // The text of the first definition goes on behind the second one's begin: a line there may be of either.
    return Promise.all([
      check({ "src/step.cpp": shared }, [[[fn("step"), of(9)], "src/step.cpp:9"], [[fn("step")], both], ...known]),
      check({ "src/step.cpp": shared }, [
        [[fn("step"), of(9)], "src/step.cpp:9"],
        [[fn("step"), of(7)], "src/step.cpp:7"],
        [[fn("step")], both],
        ...known,
      ]),
      check({ "src/step.cpp": shared }, [
        [[fn("step"), of(3)], "src/step.cpp:3"],
        [[fn("step"), of(9)], "src/step.cpp:9"],
        [[fn("step")], at("int step(int n) {")],
        ...known,
      ]),
    ]);
  });
});
