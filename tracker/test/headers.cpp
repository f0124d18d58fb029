// Says itself where each of its functions stands.
#include "headers.hpp"

// clang-format off
NOT_INLINED double warmed(double by) { TELL; Cell cell{0}; cell.heat(by); return cell.value; }

int main() { TELL; return warmed(2) + squared(3) > 0 ? 0 : 1; }
