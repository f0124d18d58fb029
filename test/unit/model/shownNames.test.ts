import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { functionName } from "../../../src/model/functionName";
import { shownNames } from "../../../src/model/shownNames";
import { demangled } from "../../../src/source/signature";
import { casesOf } from "../randomCases";
import { isBalanced } from "./balanced";

/** Names as recordings have them, and what a person calls these functions. */
const recorded: readonly (readonly [short: string, whole: string])[] = [
  ["CommSend", "CommSend(Domain&, int, int, double& (Domain::**)(int), int, int, int, bool, bool)"],
  ["LagrangeLeapFrog", "LagrangeLeapFrog(Domain&)"],
  ["Domain::nodelist", "Domain::nodelist(int)"],
  ["Domain::AllocateStrains", "Domain::AllocateStrains(int)"],
  [
    "CalcElemShapeFunctionDerivatives",
    "CalcElemShapeFunctionDerivatives(double const*, double const*, double const*, double (*) [8], double*)",
  ],
  ["std::vector::operator[]", "std::vector<int, std::allocator<int> >::operator[](unsigned long)"],
  ["std::vector::resize", "std::vector<double, std::allocator<double> >::resize(unsigned long, double)"],
  [
    "std::vector::insert",
    "std::vector<double, std::allocator<double> >::insert(__gnu_cxx::__normal_iterator<double*, std::vector<double, std::allocator<double> > >, unsigned long, double const&)",
  ],
  [
    "std::__uninitialized_fill_n_a",
    "void std::__uninitialized_fill_n_a<double*, unsigned long, double, double>(double*, unsigned long, double const&, std::allocator<double>&)",
  ],
  [
    "std::__uninitialized_fill_n::uninitialized_fill_n",
    "void std::__uninitialized_fill_n<true>::uninitialized_fill_n<double*, unsigned long, double>(double*, unsigned long, double const&)",
  ],
  ["std::fill_n", "double* std::fill_n<double*, unsigned long, double>(double*, unsigned long, double const&)"],
  [
    "std::__fill_n_a",
    "__gnu_cxx::__enable_if<std::__is_scalar<double>::__value, double*>::__type std::__fill_n_a<double*, unsigned long, double>(double*, unsigned long, double const&)",
  ],
  ["Allocate", "double* Allocate<double>(unsigned long)"],
  ["Release", "void Release<double>(double**)"],
  ["FABS", "FABS(double)"],
  [
    "mini::HaloExchange::pack",
    "mini::HaloExchange::pack(mini::Field const&, int, int, std::vector<double, std::allocator<double> >&) const",
  ],
  ["mini::HaloExchange::operator()", "mini::HaloExchange::operator()(mini::Field&)"],
  ["mini::physics::reactionSource", "mini::physics::reactionSource(mini::Field const&, double, mini::Field&)"],
  ["cali::Caliper::Caliper", "cali::Caliper::Caliper()"],
  ["cali::Function::~Function", "cali::Function::~Function()"],
  ["cali::Attribute::properties", "cali::Attribute::properties() const"],
  ["operator new", "operator new(unsigned long)"],
  ["operator new[]", "operator new[](unsigned long)"],
  ["operator delete", "operator delete(void*)"],
  ["operator delete[]", "operator delete[](void*)"],
  [
    "voro::voronoicell_base::nplane",
    "bool voro::voronoicell_base::nplane<voro::voronoicell_neighbor>(voro::voronoicell_neighbor&, double, double, double, double, int)",
  ],
  [
    "voro::voronoicell_base::collapse_order2",
    "bool voro::voronoicell_base::collapse_order2<voro::voronoicell_neighbor>(voro::voronoicell_neighbor&)",
  ],
  [
    "voro::voro_compute::compute_cell",
    "bool voro::voro_compute<voro::container>::compute_cell<voro::voronoicell_neighbor>(voro::voronoicell_neighbor&, int, int, int, int, int)",
  ],
  [
    "voro::voro_compute::corner_test",
    "bool voro::voro_compute<voro::container>::corner_test<voro::voronoicell_neighbor>(voro::voronoicell_neighbor&, double, double, double, double, double, double) [clone .isra.0]",
  ],
  ["voro::voro_compute::~voro_compute", "voro::voro_compute<voro::container>::~voro_compute()"],
  [
    "cmd_line_output",
    "void cmd_line_output<voro::c_loop_order, voro::container>(voro::c_loop_order&, voro::container&, char const*, _IO_FILE*, _IO_FILE*, _IO_FILE*, _IO_FILE*, bool, double&, int&, int&)",
  ],
  [
    "std::vector::_M_realloc_insert",
    "void std::vector<int, std::allocator<int> >::_M_realloc_insert<int const&>(__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, int const&)",
  ],
  ["std::error_category::~error_category", "std::error_category::~error_category()"],
  ["cudaLaunchKernel", "cudaLaunchKernel<char>(char const*, dim3, dim3, void**, unsigned long, CUstream_st*)"],
  ["vectorAdd", "vectorAdd(float const*, float const*, float*, int)"],
  ["sgemm_v0", "_Z8sgemm_v0fPKfS0_fPfi"],
  ["sgemm_v3", "_Z8sgemm_v3iiifPKfS0_fPf"],
  ["fill_row_format", "fill_row_format(int M, int N, int K)"],
  ["(anon)::top1", "$_Z8kernmainv$_ZN39_INTERNAL_453c3326_12_recursion_cu_main4top1EPVdi"],
  ["__cuda_sm20_div_f64_slowpath_v2", "$_Z8kernmainv$__cuda_sm20_div_f64_slowpath_v2"],
  [
    "nchwToNhwcKernel",
    "void nchwToNhwcKernel<float, float, float, true, false, (cudnnKernelDataType_t)0>(int, int, int, int, float const*, float*, float, float)",
  ],
  [
    "(anon)::softmax_warp_forward",
    "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true>(float*, float const*, int, int, int)",
  ],
  [
    "at::native::(anon)::max_pool_forward_nchw",
    "void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>(int, float const*, int, int, int, int, int, int, int, int, int, int, int, int, int, int, float*, long*)",
  ],
  [
    "at::native::vectorized_elementwise_kernel",
    "void at::native::vectorized_elementwise_kernel<4, at::native::threshold_kernel_impl<float>(at::TensorIteratorBase&, float, float)::{lambda(float, float)#1}, at::detail::Array<char*, 3> >(int, at::native::threshold_kernel_impl<float>(at::TensorIteratorBase&, float, float)::{lambda(float, float)#1}, at::detail::Array<char*, 3>)",
  ],
  [
    "at::native::reduce_kernel",
    "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, 4> >(at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, 4>)",
  ],
  [
    "cudnn::winograd_nonfused::winogradWgradOutput4x4",
    "void cudnn::winograd_nonfused::winogradWgradOutput4x4<float, float>(cudnn::winograd_nonfused::WinogradWgradOutputParams<float, float>)",
  ],
  [
    "gemmSN_TN_kernel_64addr",
    "void gemmSN_TN_kernel_64addr<float, 128, 16, 2, 4, 8, 9, false, cublasGemvTensorStridedBatched<float const>, cublasGemvTensorStridedBatched<float> >(cublasGemmSmallNParams<cublasGemvTensorStridedBatched<float const>, cublasGemvTensorStridedBatched<float>, float>)",
  ],
  ["_IO_file_fopen", "_IO_file_fopen@@GLIBC_2.2.5"],
  ["__pow_finite", "__pow_finite@GLIBC_2.15"],
  ["clock_gettime", "clock_gettime@@GLIBC_2.17"],
  ["str_to_mpn", "str_to_mpn.part.0.constprop.0"],
  ["fillin_rpath", "fillin_rpath.isra.0"],
  ["gomp_team_start", "gomp_team_start.cold"],
  ["template::operator()", "template<int, std::vector<double> >::operator()(int&&)"],
  ["printf@plt", "printf@plt"],
  ["(no region)", "(no region)"],
  ["(root)", "(root)"],
  ["(anonymous)", "(anonymous)"],
  ["operator()", "operator()"],
  ["Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH (Device -> Pinned)"],
  ["Memset (Device)", "Memset (Device)"],
  ["Fill matrix (file)", "Fill matrix (file)"],
  ["pagefaults.cpu", "pagefaults.cpu"],
  ["V8.GC_SCAVENGER_SCAVENGE", "V8.GC_SCAVENGER_SCAVENGE"],
  [
    "<unknown procedure> 0x32700 [libpsm_infinipath.so.1.16]",
    "<unknown procedure> 0x32700 [libpsm_infinipath.so.1.16]",
  ],
  ["nv_alloc_system_pages [nvidia]", "nv_alloc_system_pages [nvidia]"],
  [
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
  ],
  ["lambda [](auto x) { return x == 1, 2; }", "lambda [](auto x) { return x == 1, 2; }"],
  ["@SUM(1)", "@SUM(1)"],
  ['=HYPERLINK("http://evil","x")', '=HYPERLINK("http://evil","x")'],
  ["</script><script>alert(1)</script>", "</script><script>alert(1)</script>"],
];

/** Forms that no recording here has. */
const others: readonly (readonly [short: string, whole: string])[] = [
  [
    "std::operator<<",
    "std::basic_ostream<char, std::char_traits<char> >& std::operator<< <std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char const*)",
  ],
  ["Foo::operator bool", "Foo::operator bool() const"],
  ["Foo::operator->", "Foo<int>::operator->() const"],
  ["f::{lambda#1}", "f(int)::{lambda(int)#1}::operator()(int) const"],
  ["f::'lambda'::operator()", "f()::'lambda'(int)::operator()(int) const"],
  ["f::<lambda>", "f()::<lambda(int)>"],
  ["std::function::operator()", "std::function<void (int)>::operator()(int) const"],
  ["std::string::_M_assign", "std::string::_M_assign[abi:cxx11](char)"],
  ["A::f", "virtual thunk to A::f(int)"],
  ["foo", "decltype(auto) foo<int>(int)"],
  ["<Vec as Drop>::drop", "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop"],
  ["<&T as Debug>::fmt", "<&T as core::fmt::Debug>::fmt"],
  ["core::ptr::drop_in_place", "core::ptr::drop_in_place<alloc::vec::Vec<u8>>::h0123456789abcdef"],
  ["heat::step::{{closure}}", "heat::step::{{closure}}::h0123456789abcdef"],
  ["core::iter::next", "core::iter::<u8>::next"],
  ["heat::step", "_ZN4heat4step17h0123456789abcdefE"],
  ["solver_mod::relax", "__solver_mod_MOD_relax"],
  ["solver::step", "solver_mp_step_"],
  ["solver::step", "_QMsolverPstep"],
  ["main.(*Solver).Advance", "main.(*Solver).Advance"],
  ["<module>", "<module>"],
  ["Field.<locals>.<lambda>", "Field.<locals>.<lambda>"],
  ["torch/nn/module.py(1102): _call_impl", "torch/nn/module.py(1102): _call_impl"],
  ["main._omp_fn.0", "main._omp_fn.0"],
  ["step._omp_fn.3", "step(int) [clone ._omp_fn.3]"],
  ["fib", "fib(int)'2"],
  ["void (*g(int))(double)", "void (*g(int))(double)"],
  ["-[Solver step:]", "-[Solver step:]"],
];

const shownAlone = (name: string) => shownNames([name], demangled).get(name) ?? name;

it.each([...recorded, ...others])("%s is what is shown of %s", (short, whole) => {
  expect(shownAlone(whole)).toBe(short);
});

describe("functions of one short name", () => {
  const shown = (...names: string[]) => {
    const short = shownNames(names);
    return names.map((name) => short.get(name) ?? name);
  };

  it("keep what tells them apart, in the fewest characters", () => {
    expect(shown("void f<int>(A&, int)", "void f<long>(A&, long)", "g(int)")).toEqual(["f<int>", "f<long>", "g"]);
    expect(shown("f(int)", "f(double) const")).toEqual(["f(int)", "f(double) const"]);
    expect(shown("f(int)", "f(int) [clone .cold]")).toEqual(["f", "f [clone .cold]"]);
    expect(shown("fopen@@GLIBC_2.2.5", "fopen@GLIBC_2.1")).toEqual(["fopen@@GLIBC_2.2.5", "fopen@GLIBC_2.1"]);
    expect(shown("cudaLaunchKernel", "cudaLaunchKernel<char>(char const*, dim3, dim3)")).toEqual([
      "cudaLaunchKernel",
      "cudaLaunchKernel<char>",
    ]);
  });

  it("are shown whole where only return types or namespaces without a name differ", () => {
    expect(shown("int f<A>(A)", "long f<A>(A)")).toEqual(["int f<A>(A)", "long f<A>(A)"]);
    expect(shown("(anonymous namespace)::f()", "{anonymous}::f()")).toEqual([
      "(anonymous namespace)::f()",
      "{anonymous}::f()",
    ]);
    expect(shown("a::f()", "b::f()")).toEqual(["a::f", "b::f"]);
  });

  it("are shown whole where the short one is another function's whole name", () => {
    expect(shown("f", "f()")).toEqual(["f", "f()"]);
    expect(shown("f(int)", "f(int)(long)", "f(int)(char)")).toEqual(["f", "f(int)(long)", "f(int)(char)"]);
  });
});

const WORDS = ["f", "::", "<int>", "(int)", "(", ")", "<", ">", " ", "operator", "()", "<<", "{lambda(int)#1}", "->"];
const MORE = [
  "(anonymous namespace)",
  " const",
  " [clone .cold]",
  "'2",
  ".isra.0",
  "~",
  "[abi:x]",
  " as ",
  "g",
  ",",
  "…",
];

it("all are shown, each unlike all others, with brackets as balanced as they were", () => {
  const name = fc
    .array(fc.constantFrom(...WORDS, ...MORE), { minLength: 1, maxLength: 8 })
    .map((words) => words.join(""));
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), (names) => {
      const short = shownNames(names, demangled);
      const texts = names.map((one) => short.get(one) ?? one);
      expect(new Set(texts).size).toBe(names.length);
      for (const [at, text] of texts.entries()) {
        expect(text).not.toBe("");
        if (isBalanced(names[at])) expect(isBalanced(text), `${text} of ${names[at]}`).toBe(true);
      }
    }),
    { numRuns: casesOf(20_000) },
  );
});

it("takes time as a name is long", () => {
  for (const piece of ["<", "(", "f::", "'1", ".cold.1", "operator ", " [clone a]", "@A_1", "::h"]) {
    const name = piece.repeat(20_000 / piece.length);
    const start = performance.now();
    functionName(name);
    expect(performance.now() - start).toBeLessThan(500);
  }
});
