import { describe, it } from "vitest";
import { expectLinks } from "./program";

describe("names that several places have", () => {
  const mark = `#define MARK CALI_CXX_MARK_FUNCTION\n`;
  it("tells two regions of one name in two files by their parents", () =>
    expectLinks(
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

  it("takes the one call in main for an MPI call that no region is around", () =>
    expectLinks(
      {
        "main.cpp": `#include "perf.h"
int main() {
    while (run()) {
        perf::Loop l("lulesh.cycle");
        step();
    }
    double all;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}
`,
        "check.cpp": `void verify(double x) {
    MPI_Reduce(&x, &x, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
`,
      },
      [
        ["MPI_Reduce", "main.cpp:8"],
        ["lulesh.cycle", "main.cpp:4"],
      ],
    ));

  it.each(["CALI_CXX_MARK_FUNCTION;", ""])(
    "takes it in a branch of #if, on two lines, beside a main without MPI (%s)",
    (begin) =>
      expectLinks(
        {
          "lulesh.cc": `#include "lulesh.h"
int main(int argc, char *argv[])
{
   ${begin}
   Domain *locDom ;
#if USE_MPI
   Domain_member fieldData ;
   MPI_Init(&argc, &argv) ;
#endif
   CALI_MARK_BEGIN("lulesh.cycle");
   while((locDom->time() < locDom->stoptime()) && (locDom->cycle() < opts.its)) {
      TimeIncrement(*locDom) ;
   }
   CALI_MARK_END("lulesh.cycle");
   double elapsed_time;
   double elapsed_timeG;
#if USE_MPI
   MPI_Reduce(&elapsed_time, &elapsed_timeG, 1, MPI_DOUBLE,
              MPI_MAX, 0, MPI_COMM_WORLD);
#else
   elapsed_timeG = elapsed_time;
#endif
#if USE_MPI
   MPI_Finalize() ;
#endif
   return 0 ;
}
`,
          "lulesh-util.cc": `void reduceAll(double x) {
   MPI_Reduce(&x, &x, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
`,
          "tools/gen.cc": "int main() { return 0; }\n",
        },
        [
          ["MPI_Reduce", "lulesh.cc:18"],
          ["MPI_Finalize", "lulesh.cc:24"],
          ["lulesh.cycle", "lulesh.cc:10"],
          ...(begin === "" ? [] : [["main/MPI_Reduce", "lulesh.cc:18"] as [string, string]]),
        ],
      ),
  );

  const solver = `#include "mark.h"
void step() {
    MARK
    MPI_Reduce();
    MPI_Bcast();
}
void exchange() {
    CALI_MARK_BEGIN("exchange");
    MPI_Reduce();
    CALI_MARK_END("exchange");
    MPI_Barrier();
}
void finish() {
    MPI_Reduce();
}
`;

  it("takes a call in a function without a region for an MPI call that no region is around", () =>
    expectLinks(
      { "mark.h": mark, "solver.cpp": solver, "main.cpp": "int main() { step(); exchange(); finish(); }\n" },
      [
        ["MPI_Reduce", "solver.cpp:14"],
        ["MPI_Barrier", "solver.cpp:11"],
        // The only one there is, though a region is around it.
        ["MPI_Bcast", "solver.cpp:5"],
        ["step/MPI_Reduce", "solver.cpp:4"],
        ["exchange/MPI_Reduce", "solver.cpp:9"],
      ],
    ));

  it("offers the calls in main alone where it has several, and those before regions elsewhere", () =>
    expectLinks(
      {
        "mark.h": mark,
        "solver.cpp": solver,
        "main.cpp": `int main() {
    MPI_Reduce();
    CALI_MARK_BEGIN("loop");
    MPI_Reduce();
    step();
    CALI_MARK_END("loop");
    MPI_Reduce();
}
`,
      },
      [
        ["MPI_Reduce", "main.cpp:2 | main.cpp:7"],
        ["loop/MPI_Reduce", "main.cpp:4"],
        ["loop/step/MPI_Reduce", "solver.cpp:4"],
        ["exchange", "solver.cpp:8"],
      ],
    ));

  it("takes the marked function, not the unmarked one of the same name", () =>
    expectLinks(
      {
        "mark.h": mark,
        "view.cpp": `namespace view { void apply(int n) { } }\n`,
        "op.cpp": `#include "mark.h"\nnamespace op {\nvoid apply(int n) {\n    MARK\n    int x = n;\n}\n}\n`,
        "main.cpp": `int main() { CALI_MARK_BEGIN("main"); op::apply(1); view::apply(2); CALI_MARK_END("main"); }\n`,
      },
      [["main/apply", "op.cpp:3"]],
    ));

  it("tells marked functions of one name by caller's file, arguments and class", () =>
    expectLinks(
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
    expectLinks(
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
    expectLinks(
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
    expectLinks(
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
    return expectLinks(
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
    expectLinks(
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
