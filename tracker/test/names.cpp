// Prints what functions are called where HEATFLOW_FUNCTION stands in them.
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../include/heatflow/detail/names.hpp"

#define SAY                                                                                             \
    {                                                                                                   \
        static constexpr auto said = heatflow::detail::functionName(__PRETTY_FUNCTION__, __func__);     \
        std::puts(said.text);                                                                           \
    }

namespace mini {

template <typename T>
struct Kernel {
    Kernel() SAY
    ~Kernel() SAY
    template <typename U>
    std::vector<U> dot(const U&) const { SAY return {}; }
    bool operator<(const Kernel&) const { SAY return false; }
    Kernel& operator()(int) { SAY return *this; }
    T* operator->() { SAY return nullptr; }
    operator double() const { SAY return 0; }
    struct Inner {
        static std::pair<int (*)(int), T> pick(void (*)(T)) { SAY return {}; }
    };
};

namespace {
void hidden() SAY
struct Local { void dot() SAY };
}  // namespace

std::string words() { SAY return ""; }
template <typename T>
auto deduced(T t) -> decltype(t + 1) { SAY return t + 1; }
int (*pointer(int))(double) { SAY return nullptr; }
void dot(const std::function<void(int)>&) SAY

}  // namespace mini

struct Kernel { void dot(); };
void Kernel::dot() SAY

int main() {
    SAY
    {
        mini::Kernel<std::vector<int>> kernel;
        kernel.dot(1);
        (void)(kernel < kernel);
        kernel(1).operator->();
        (void)double(kernel);
    }
    mini::Kernel<int>::Inner::pick(nullptr);
    mini::hidden();
    mini::Local().dot();
    mini::words();
    mini::deduced(1);
    mini::pointer(1);
    mini::dot({});
    Kernel().dot();
    struct Here { void there() SAY };
    Here().there();
    [](int) SAY(1);
    // As nvcc describes a function of a nameless namespace.
    std::puts(heatflow::detail::functionName("void mini::_GLOBAL__N__6cef5bfe_7_work_cu_main::launch(int)", "launch").text);
}
