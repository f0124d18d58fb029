import { describe, it } from "vitest";
import type { Frame } from "../../../src/model/frames";
import { expectLinks, fn, lineOf } from "./program";

describe("functions by their recorded names", () => {
  it("finds functions that a #define renames, and no others", () =>
    expectLinks(
      {
        "luf.h": `#define luf_solve _lib_luf_solve
#  define luf_free   _lib_luf_free /* as all of lib */
#define luf_call(x) _lib_luf_macro
#define luf_both _lib_luf_both + 1
#define luf_text "_lib_luf_text"
`,
        "luf.c": `#include "luf.h"
void luf_solve(double *x)
{   x[0] = 1;
}
void luf_free(void) {
}
void luf_call(void) { }
void luf_both(void) { }
void luf_text(void) { }
`,
        "other.h": "#define own_solve _lib_own\n",
        "own.c": "void _lib_own(void) {\n}\nvoid own_solve(void) {\n}\n",
      },
      [
        [[fn("_lib_luf_solve")], "luf.c:2"],
        [[fn("_lib_luf_free")], "luf.c:5"],
        // Its first line, as for a function of this name.
        [[fn("_lib_luf_solve", { file: "luf.c", line: 3 })], "luf.c:3"],
        [[fn("luf_solve", { file: "luf.c", line: 3 })], "luf.c:3"],
        [[fn("_lib_luf_macro")], "?"],
        [[fn("_lib_luf_both")], "?"],
        [[fn("_lib_luf_text")], "?"],
        // A definition of the recorded name itself goes before a renamed one.
        [[fn("_lib_own")], "own.c:1"],
      ],
    ));

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
    expectLinks(
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
        [[fn("geo::v2::Mesh::clear[abi:cxx11]()")], "shapes.cpp:22"],
        [[fn("geo::Mesh::load[abi:cxx11](char const*, unsigned long)")], "shapes.cpp:21"],
        [[fn("_Z6helperB5cxx11RSt6vectorIfSaIfEEi")], "shapes.cpp:33"],
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

  it("takes words that are no function's name for none", () =>
    expectLinks(
      {
        "pool.cpp": `struct Pool { void thread() {} operator bool() const { return true; } };
template <typename T> void step(T) {}
void* collection() { return nullptr; }
`,
      },
      [
        // Where threads begin, as HPCToolkit calls it; kinds of work, as browsers do.
        [[fn("main thread")], "?"],
        [[fn("application thread")], "?"],
        [[fn("garbage collection")], "?"],
        [[fn("void Pool::thread()")], "pool.cpp:1"],
        [[fn("Pool::operator bool")], "pool.cpp:1"],
        [[fn("void step<int>")], "pool.cpp:2"],
        [[fn("void* collection()")], "pool.cpp:3"],
      ],
    ));

  it("uses a file with syntax errors", () =>
    expectLinks(
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
    expectLinks(
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
    expectLinks(
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

describe("a function whose recorded file is not here", () => {
  const files = {
    "tools/other.cpp": "int main() {\n  return 0;\n}\n",
    "core/moved.c": "void step(void)\n{\n}\n",
    "core/twin.c": "void step(void)\n{\n}\n",
    "here/one.c": "int one;\n",
    "here/two.c": "int two;\n",
  };
  /** Files that are found: without them the recording is of another program. */
  const found = ["one", "two"].map((name): [Frame[], string] => {
    const file = `/build/here/${name}.c`;
    return [[{ name: `${file}:1`, kind: "line", file, line: 1 }], `here/${name}.c:1`];
  });

  it("is not taken for a function of the same name in another file", async () => {
    await expectLinks(files, [
      [[fn("main", { file: "/build/app/small.c", line: 10 })], "?"],
      [[fn("main", { file: "/build/app/other.cpp", line: 10 })], "tools/other.cpp:1"],
      [["main"], "tools/other.cpp:1"],
      ...found,
    ]);
  });

  it("is looked for by name among the files that are called like its own", async () => {
    await expectLinks({ ...files, "old/moved.c": "int nothing;\n" }, [
      [[fn("step", { file: "/elsewhere/moved.c", line: 900 })], "core/moved.c:1"],
      [[fn("step", { file: "[libstep.so]" })], "core/moved.c:1 | core/twin.c:1"],
      ...found,
    ]);
  });
});

describe("a region whose line was recorded", () => {
  const source = `#include <heatflow/tracker.hpp>
struct Kernel { double dot(int); double dot(double); };
double
Kernel::dot(int n) {
  HEATFLOW_FUNCTION;
  return n;
}
double Kernel::dot(double x) { HEATFLOW_FUNCTION; return x; }
void step() {
  prepare();
  HEATFLOW_REGION("step");
}
`;
  const region = (name: string, line: number) => [{ name, kind: "region", file: "kernel.cpp", line }] as const;

  it("stands at the function that it marks as a whole, among those of one name at the one around the mark", () =>
    expectLinks({ "kernel.cpp": source }, [
      [
        region("Kernel::dot", lineOf(source, "  HEATFLOW_FUNCTION;")),
        `kernel.cpp:${lineOf(source, "Kernel::dot(int")}`,
      ],
      [region("Kernel::dot", lineOf(source, "(double x)")), `kernel.cpp:${lineOf(source, "(double x)")}`],
      // Before classes stood in names.
      [region("dot", lineOf(source, "  HEATFLOW_FUNCTION;")), `kernel.cpp:${lineOf(source, "Kernel::dot(int")}`],
    ]));

  it("stands where it begins, though it is called as the function around it", () =>
    expectLinks({ "kernel.cpp": source }, [
      [region("step", lineOf(source, '"step"')), `kernel.cpp:${lineOf(source, '"step"')}`],
    ]));
});

describe("functions that a #define renames", () => {
  const plain = `#define luf_store _glp_luf_store /* one prefix for all */
#define first second // as in the standard
#define call(x) _glp_call(x)
#define LUF_SIZE _glp_size
`;
  const source = `#include "plain.h"
void luf_store(double *x) {
    *x = 0;
}
void first(void) {}
void call(int x) {}
`;
  const first = '#include "plain.h"\nvoid first(void) {}\n';
  it("are found by the name that their text has", () =>
    expectLinks({ "plain.h": plain, "luf.c": source }, [
      [[fn("_glp_luf_store")], "luf.c:2"],
      [[fn("second")], "luf.c:5"],
      // A macro with parameters renames calls, not the definition.
      [[fn("_glp_call")], "?"],
      [[fn("_glp_size")], "?"],
      [[fn("luf_store")], "luf.c:2"],
    ]));

  it("are not looked for when a function of the recorded name is defined", () =>
    expectLinks({ "plain.h": plain, "luf.c": source, "own.c": "void second(void) {}\n" }, [
      [[fn("second")], "own.c:1"],
    ]));

  it("are all offered when several are renamed so", () =>
    expectLinks({ "plain.h": plain, "a.c": first, "b.c": first, "other.c": "void first(void) {}\n" }, [
      [[fn("second")], "a.c:2 | b.c:2"],
    ]));

  it("are known by the files that see the #define", () =>
    expectLinks({ "plain.h": plain, "other.c": "void first(void) {}\n" }, [[[fn("second")], "?"]]));

  it("keep a recorded line inside of them", () =>
    expectLinks({ "plain.h": plain, "luf.c": source }, [
      [[fn("_glp_luf_store", { file: "luf.c", line: 3 })], "luf.c:3"],
    ]));
});
