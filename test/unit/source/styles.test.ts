import { describe, expect, it } from "vitest";
import type { Frame } from "../../../src/model/frames";
import { linked } from "./program";

const fn = (name: string, more: Partial<Frame> = {}): Frame => ({ name, kind: "function", ...more });

async function check(
  files: Record<string, string>,
  expected: readonly (readonly [string | readonly (string | Frame)[], string])[],
) {
  expect(await linked(files, expected)).toEqual(expected.map(([names, place]) => [names, place]));
}

describe("C with begin and end macros", () => {
  const timers = `#ifndef TIMERS_H
#define TIMERS_H
#ifdef HAVE_CALIPER
#include <caliper/cali.h>
#define PROF_OPEN(tag) CALI_MARK_BEGIN(tag)
#define PROF_CLOSE(tag) CALI_MARK_END(tag)
#define TIC(tag) PROF_OPEN(tag)
#define TOC(tag) PROF_CLOSE(tag)
#define FUNC_IN \\
    CALI_MARK_FUNCTION_BEGIN
#define FUNC_OUT CALI_MARK_FUNCTION_END
#else
#define TIC(tag)
#define TOC(tag)
#define FUNC_IN
#define FUNC_OUT
#endif
#endif
`;
  const solver = `#include "timers.h"
#include <mpi.h>

static double reduce(double x)
{
    double sum;
    FUNC_IN;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    FUNC_OUT;
    return sum;
}

int cg(double *x, int n)
{
    int it;
    FUNC_IN;
    TIC("setup");
    MPI_Barrier(MPI_COMM_WORLD);
    TOC("setup");
    for (it = 0; it < n; it++) {
        TIC("iteration");
        if (reduce(x[it]) < 0) {
            TOC("iteration");
            break;
        }
        MPI_Barrier(MPI_COMM_WORLD);
        TOC("iteration");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    FUNC_OUT;
    return it;
}
`;
  const main = `#include "timers.h"
int cg(double *x, int n);
int main(int argc, char **argv)
{
    double x[8];
    TIC("run");
    cg(x, 8);
    TOC("run");
    return 0;
}
`;
  it("follows every #define of every branch, and ends regions where they end", () =>
    check({ "inc/timers.h": timers, "src/solver.c": solver, "src/main.c": main }, [
      ["run", "src/main.c:6"],
      ["run/cg", "src/solver.c:13"],
      ["run/cg/setup", "src/solver.c:17"],
      ["run/cg/setup/MPI_Barrier", "src/solver.c:18"],
      ["run/cg/iteration", "src/solver.c:21"],
      ["run/cg/iteration/MPI_Barrier", "src/solver.c:26"],
      ["run/cg/MPI_Barrier", "src/solver.c:29"],
      ["run/cg/iteration/reduce", "src/solver.c:4"],
      ["run/cg/iteration/reduce/MPI_Allreduce", "src/solver.c:8"],
    ]));
});

describe("RAII scopes", () => {
  const scope = `#pragma once
#include <caliper/cali.h>
#include <string>
namespace perf {
struct Scope {
    explicit Scope(const char* name) { cali_begin_region(name); }
    ~Scope() { pop(); }
    void pop();
};
class Timer {
public:
    Timer(const std::string& what, bool on = true);
    ~Timer();
};
}
`;
  const timer = `#include "scope.h"
namespace perf {
Timer::Timer(const std::string& what, bool on) { if (on) cali_begin_region(what.c_str()); }
Timer::~Timer() {}
void begin(const char* label) { CALI_MARK_BEGIN(label); }
}
`;
  const flow = `#include "scope.h"
#include <cstdio>
using perf::Scope;

void report() { std::printf("%s\\n", __func__); }

void Grid_advect(int n) {
    Scope s(__func__);
    report();
}

void diffuse(int n) {
    perf::Scope scope{__FUNCTION__};
    {
        perf::Timer t("diffuse inner", true);
        Grid_advect(n);
    }
    Grid_advect(n);
    perf::begin("tail");
}

void step() {
    const perf::Timer timer("step");
    diffuse(3);
}
`;
  it("finds constructions with __func__ and classes and functions that hand a name on", () =>
    check({ "scope.h": scope, "timer.cpp": timer, "flow.cpp": flow }, [
      ["step", "flow.cpp:23"],
      ["step/diffuse", "flow.cpp:12"],
      ["step/diffuse/diffuse inner", "flow.cpp:15"],
      ["step/diffuse/Grid_advect", "flow.cpp:7"],
      ["step/diffuse/tail", "flow.cpp:19"],
    ]));
});

describe("names that several places have", () => {
  const mark = `#define MARK CALI_CXX_MARK_FUNCTION\n`;
  it("tells two regions of one name in two files by their parents", () =>
    check(
      {
        "mark.h": mark,
        "a.cpp": `#include "mark.h"
void fluid() {
    MARK;
    CALI_MARK_BEGIN("update");
    MPI_Send(0, 0, 0, 0, 0, 0);
    CALI_MARK_END("update");
}
`,
        "b.cpp": `#include "mark.h"
void solid() {
    MARK;

    CALI_MARK_BEGIN("update");
    MPI_Send(0, 0, 0, 0, 0, 0);
    CALI_MARK_END("update");
}
`,
        "main.cpp": `void fluid(); void solid();
int main() { fluid(); solid(); }
`,
      },
      [
        ["fluid/update", "a.cpp:4"],
        ["solid/update", "b.cpp:5"],
        ["solid/update/MPI_Send", "b.cpp:6"],
        ["update", "a.cpp:4 | b.cpp:5"],
      ],
    ));

  it("takes the marked function, not the unmarked one of the same name", () =>
    check(
      {
        "mark.h": mark,
        "view.cpp": `namespace view { void apply(int n) { } }\n`,
        "op.cpp": `#include "mark.h"\nnamespace op {\nvoid apply(int n) {\n    MARK\n    int x = n;\n}\n}\n`,
        "main.cpp": `int main() { CALI_MARK_BEGIN("main"); op::apply(1); view::apply(2); CALI_MARK_END("main"); }\n`,
      },
      [["main/apply", "op.cpp:3"]],
    ));

  it("tells marked functions of one name by caller's file, arguments and class", () =>
    check(
      {
        "one.c": `#define IN CALI_MARK_FUNCTION_BEGIN
static void kernel(int n) { IN; }
void first(void) { IN; kernel(1); }
`,
        "two.c": `static void kernel(int n) {
  IN;
}
void second(void) {
  IN;
  kernel(2);
}
`,
        "shapes.cpp": `struct Disc { void area(int n) { IN; } };
struct Cube {
  void area(int n) { IN; }
};
void third(int n) {
  IN;
  Cube cube;
  cube.area(n);
}
struct Box { Disc disc_; void fourth(); };
void Box::fourth() {
  IN;
  this->disc_.area(3);
}
void sum(double a) { IN; }
void sum(double a, double b) { IN; }
void fifth() { IN; sum(1.0, 2.0); }
`,
      },
      [
        ["first/kernel", "one.c:2"],
        ["second/kernel", "two.c:1"],
        ["third/area", "shapes.cpp:3"],
        ["fourth/area", "shapes.cpp:1"],
        ["fifth/sum", "shapes.cpp:16"],
      ],
    ));

  it("finds a region below functions that are no regions, nearest first", () =>
    check(
      {
        "deep.cpp": `#include "mark.h"
void middle();
void outer() { MARK; middle(); }
void inner() {
    CALI_MARK_BEGIN("work");
    CALI_MARK_END("work");
}
void lower() { inner(); }
void middle() { lower(); }
void elsewhere() {
    CALI_MARK_BEGIN("work");
    CALI_MARK_END("work");
}
`,
        "mark.h": mark,
      },
      [["outer/work", "deep.cpp:5"]],
    ));

  it("tells two places by the regions they hold", () =>
    check(
      {
        "x.cpp": `void x() {
    CALI_MARK_BEGIN("phase");
    CALI_MARK_BEGIN("pack");
    CALI_MARK_END("pack");
    CALI_MARK_END("phase");
}
void y() {
    CALI_MARK_BEGIN("phase");
    CALI_MARK_BEGIN("unpack");
    CALI_MARK_END("unpack");
    CALI_MARK_END("phase");
}
`,
      },
      [
        ["phase/unpack", "x.cpp:9"],
        ["phase", "x.cpp:8"],
      ],
    ));

  it("offers both branches of an #ifdef", () =>
    check(
      {
        "branches.cpp": `void exchange() {
    CALI_CXX_MARK_FUNCTION;
#ifdef NONBLOCKING
    MPI_Waitall(1, 0, 0);
#else
    MPI_Waitall(2, 0, 0);
#endif
}
#if USE_FAST
void kernel(int n) {
    CALI_CXX_MARK_FUNCTION;
}
#else
void kernel(long n) {
    CALI_CXX_MARK_FUNCTION;
}
#endif
`,
      },
      [
        ["exchange/MPI_Waitall", "branches.cpp:4 | branches.cpp:6"],
        ["kernel", "branches.cpp:10 | branches.cpp:14"],
      ],
    ));
});

describe("calls inside their parent", () => {
  it("offers a few equal calls, and sums up many", () => {
    const sends = Array.from({ length: 26 }, (_, n) => `    MPI_Isend(buf, ${n}, 0, 0, 0, 0, 0);`).join("\n");
    return check(
      {
        "comm.cc": `#define TIMED CALI_CXX_MARK_FUNCTION
void CommSBN(double* buf) {
    TIMED;
${sends}
    MPI_Waitall(26, 0, 0);
    if (buf) MPI_Waitall(26, 0, 0);
}
`,
      },
      [
        ["CommSBN/MPI_Isend", "26 calls in CommSBN @ comm.cc:2"],
        ["CommSBN/MPI_Waitall", "comm.cc:30 | comm.cc:31"],
      ],
    );
  });

  it("follows wrappers and macros to the call, but not into regions of their own", () =>
    check(
      {
        "wrap.h": `#pragma once
#define SEND(b, n) MPI_Send(b, n, MPI_INT, 0, 0, MPI_COMM_WORLD)
struct Comm {
    void barrier() { MPI_Barrier(comm); }
    int comm;
};
`,
        "use.cpp": `#include "wrap.h"
void own(Comm& c) {
    CALI_CXX_MARK_FUNCTION;
    MPI_Barrier(1);
}
void user(Comm& c) {
    CALI_CXX_MARK_FUNCTION;
    own(c);
    c.barrier();
    SEND(0, 1);
}
`,
      },
      [
        ["user/MPI_Barrier", "wrap.h:4"],
        ["user/MPI_Send", "use.cpp:10"],
        ["user/own/MPI_Barrier", "use.cpp:4"],
      ],
    ));
});

describe("functions by their recorded names", () => {
  const shapes = `#include <vector>
namespace geo {
template <typename T> struct Point { T x, y; };
inline namespace v2 {
class Mesh {
public:
    Mesh();
    explicit Mesh(int n) : n_(n) {}
    ~Mesh() { clear(); }
    double operator[](int i) const { return i; }
    bool operator<(const Mesh& other) const { return n_ < other.n_; }
    operator bool() const { return n_ > 0; }
    template <typename F> void each(F&& f) { for (int i = 0; i < n_; ++i) f(i); }
    static Mesh load(const char* path, unsigned long size = 0);
    void clear();
private:
    int n_;
};
Mesh::Mesh() : n_(0) {
}
Mesh Mesh::load(const char* path, unsigned long size) { return Mesh(); }
void Mesh::clear() {
    auto twice = [this](int i) { return 2 * i; };
    n_ = twice(0);
}
}
namespace detail { namespace deep { void leaf(int*) {} } }
namespace detail::deep { void leaf(const int*, double x[3]) {} }
template <typename T, int N>
T norm(const Point<T> (&p)[N]) { return p[0].x; }
}
namespace { void helper(std::vector<double>& v) {} }
void helper(std::vector<float>& v, int n) {}
extern "C" void solve_(double* a) {}
`;
  it("reads scopes, overloads, operators, templates, lambdas and copies", () =>
    check(
      { "shapes.cpp": shapes, "other.cpp": `namespace other { class Mesh { void clear() {} }; void leaf(int*) {} }\n` },
      [
        [[fn("geo::v2::Mesh::Mesh(int)")], "shapes.cpp:8"],
        [[fn("geo::Mesh::Mesh()")], "shapes.cpp:19"],
        [[fn("geo::v2::Mesh::~Mesh()")], "shapes.cpp:9"],
        [[fn("geo::v2::Mesh::operator[](int) const")], "shapes.cpp:10"],
        [[fn("geo::v2::Mesh::operator<(geo::v2::Mesh const&) const")], "shapes.cpp:11"],
        [[fn("geo::v2::Mesh::operator bool() const")], "shapes.cpp:12"],
        [[fn("void geo::v2::Mesh::each<main::{lambda(int)#1}>(main::{lambda(int)#1}&&)")], "shapes.cpp:13"],
        [[fn("geo::v2::Mesh::load(char const*, unsigned long)")], "shapes.cpp:21"],
        [[fn("geo::v2::Mesh::clear()")], "shapes.cpp:22"],
        [[fn("geo::v2::Mesh::clear()::{lambda(int)#1}::operator()(int) const")], "shapes.cpp:23"],
        [[fn("geo::detail::deep::leaf(int*)")], "shapes.cpp:27"],
        [[fn("geo::detail::deep::leaf(int const*, double*)")], "shapes.cpp:28"],
        [[fn("double geo::norm<double, 3>(geo::Point<double> const (&) [3])")], "shapes.cpp:30"],
        [[fn("(anonymous namespace)::helper(std::vector<double, std::allocator<double> >&)")], "shapes.cpp:32"],
        [[fn("helper(std::vector<float, std::allocator<float> >&, int) [clone .constprop.0]")], "shapes.cpp:33"],
        [[fn("solve_.isra.0.part.2")], "shapes.cpp:34"],
        [[fn("other::Mesh::clear()")], "other.cpp:1"],
        [[fn("_ZN3geo2v24Mesh5clearEv")], "shapes.cpp:22"],
        [[fn("std::vector<double, std::allocator<double> >::clear()")], "?"],
        [[fn("boost::Mesh::clear()")], "?"],
        [[fn("exp@@GLIBC_2.29")], "?"],
        [[fn("clear", { module: "/usr/lib/libc.so.6" })], "?"],
      ],
    ));

  it("uses a file with syntax errors", () =>
    check(
      {
        "broken.cpp": `#include <x>
template <typename T
API_EXPORT int API_CALL whole(int n) {
    CALI_CXX_MARK_FUNCTION;
    return n +;
}}}
int later(double x) { return 0; }
`,
      },
      [
        [[fn("later(double)")], "broken.cpp:7"],
        ["whole", "broken.cpp:3"],
      ],
    ));

  it("goes on behind braces that #ifdef leaves open", () =>
    check(
      {
        "open.c": `#define IN CALI_MARK_FUNCTION_BEGIN
void first(int a)
{
    IN;
#ifdef A
    if (a > 1) {
#else
    if (a > 2) {
#endif
        MPI_Wait(0, 0);
    }
}
#ifdef A
int second(int a)
#else
int second(long a)
#endif
{
    IN
    MPI_Test(0, 0, 0);
    return 0;
}
static void third(void)
{
    IN;
    CALI_MARK_BEGIN("part");
    MPI_Wait(0, 0);
    CALI_MARK_END("part");
}
`,
      },
      [
        ["first", "open.c:2"],
        ["first/MPI_Wait", "open.c:10"],
        ["second", "open.c:14 | open.c:16"],
        ["third", "open.c:23"],
        ["third/part", "open.c:26"],
        ["third/part/MPI_Wait", "open.c:27"],
      ],
    ));

  it("links device kernels", () =>
    check(
      {
        "gpu.cu": `__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x;
}
namespace gpu {
template <int B> __global__ void __launch_bounds__(128) scale(float* x) { }
}
void launch(float* x) {
    nvtxRangePushA("launch");
    saxpy<<<1, 256>>>(3, 1.0f, x, x);
    gpu::scale<4><<<dim3(1), 2>>>(x);
    cudaDeviceSynchronize();
    nvtxRangePop();
}
`,
      },
      [
        [["launch", { name: "saxpy(int, float, float const*, float*)", kind: "kernel" }], "gpu.cu:1"],
        [["launch", { name: "void gpu::scale<4>(float*)", kind: "kernel" }], "gpu.cu:5"],
        [["launch", { name: "cudaDeviceSynchronize", kind: "region", origin: "runtime" }], "gpu.cu:11"],
        ["launch", "gpu.cu:8"],
      ],
    ));
});

describe("other annotations", () => {
  it("knows Kokkos, NVTX, loops, string macros, stringified names and Python", () =>
    check(
      {
        "k.cpp": `#define R_FORCE "force"
#define PHASE(name) Phase phase_##name(#name)
#define PHASE_BEGIN(name) cali_begin_region(#name)
void run() {
    Kokkos::Profiling::pushRegion("pairs");
    Kokkos::parallel_for("Pair::compute", 10, KOKKOS_LAMBDA(const int i) { });
    Kokkos::Profiling::popRegion();
    nvtx3::scoped_range range{"scan"};
    CALI_CXX_MARK_LOOP_BEGIN(loop, "main loop");
    for (int i = 0; i < 3; ++i) MPI_Test(0, 0, 0);
    CALI_CXX_MARK_LOOP_END(loop);
    MPI_Test(0, 0, 0);
    CALI_MARK_BEGIN(R_FORCE);
    CALI_MARK_END(R_FORCE);
    PHASE_BEGIN(integrate);
}
`,
        "train.py": `import pycaliper
from pycaliper.instrumentation import begin_region, end_region
from pycaliper.annotation import annotate_function, annotate

@annotate_function()
def epoch(data):
    begin_region("load")
    end_region("load")
    with annotate("forward"):
        step(data)

class Net:
    @annotate("backward")
    def backward(self):
        pass
`,
      },
      [
        ["pairs", "k.cpp:5"],
        ["pairs/Pair::compute", "k.cpp:6"],
        ["scan", "k.cpp:8"],
        ["main loop", "k.cpp:9"],
        ["main loop/MPI_Test", "k.cpp:10"],
        ["force", "k.cpp:13"],
        ["integrate", "k.cpp:15"],
        ["epoch", "train.py:6"],
        ["epoch/load", "train.py:7"],
        ["epoch/forward", "train.py:9"],
        ["backward", "train.py:13"],
      ],
    ));

  it("says so when it does not know", () =>
    check({ "a.cpp": `void a() { printf("solve"); log_info("solve"); }\nvoid b() { copy(); }\n` }, [
      ["solve", "?"],
      ["nothing", "?"],
      ["a/copy", "?"],
      ["constructor", "?"],
      ["__proto__", "?"],
    ]));
});

describe("a function whose recorded file is not here", () => {
  const files = {
    "tools/other.cpp": "int main() {\n  return 0;\n}\n",
    "core/moved.c": "void step(void)\n{\n}\n",
    "core/twin.c": "void step(void)\n{\n}\n",
  };

  it("is not taken for a function of the same name in another file", async () => {
    await check(files, [
      [[fn("main", { file: "/build/app/small.c", line: 10 })], "?"],
      [[fn("main", { file: "/build/app/other.cpp", line: 10 })], "tools/other.cpp:1"],
      [["main"], "tools/other.cpp:1"],
    ]);
  });

  it("is looked for by name among the files that are called like its own", async () => {
    await check({ ...files, "old/moved.c": "int nothing;\n" }, [
      [[fn("step", { file: "/elsewhere/moved.c", line: 900 })], "core/moved.c:1"],
      [[fn("step", { file: "[libstep.so]" })], "core/moved.c:1 | core/twin.c:1"],
    ]);
  });
});
