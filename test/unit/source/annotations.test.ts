import { describe, it } from "vitest";
import { expectLinks } from "./program";

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
    expectLinks({ "inc/timers.h": timers, "src/solver.c": solver, "src/main.c": main }, [
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
    expectLinks({ "scope.h": scope, "timer.cpp": timer, "flow.cpp": flow }, [
      ["step", "flow.cpp:23"],
      ["step/diffuse", "flow.cpp:12"],
      ["step/diffuse/diffuse inner", "flow.cpp:15"],
      ["step/diffuse/Grid_advect", "flow.cpp:7"],
      ["step/diffuse/tail", "flow.cpp:19"],
    ]));
});

describe("other annotations", () => {
  it("knows Kokkos, NVTX, loops, string macros, stringified names and Python", () =>
    expectLinks(
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
    expectLinks({ "a.cpp": `void a() { printf("solve"); log_info("solve"); }\nvoid b() { copy(); }\n` }, [
      ["solve", "?"],
      ["nothing", "?"],
      ["a/copy", "?"],
      ["constructor", "?"],
      ["__proto__", "?"],
    ]));
});
