// Newton's iteration for the square root, and the derivative of its result through the loop.
// Usage: 02_gradient_of_a_loop [reference|cpu]
#include <cmath>
#include <cstdio>

#include "backends/backends.h"
#include "client/control_flow/while_loop.h"
#include "client/gradients.h"
#include "client/ops.h"
#include "client/program.h"

using namespace plumb;

int main(int argc, char** argv) {
  Scope scope;
  const Output x = ops::Placeholder(scope, DType::kDouble, {.name = "x", .shape = PartialShape({})});
  const LoopVars last = WhileLoop(
      scope, {Constant(scope, 0), x}, [](const LoopVars& vars) { return vars[0] < 20.0; },
      [&](const LoopVars& vars) {
        return LoopVars{vars[0] + 1.0, (vars[1] + x / vars[1]) * 0.5};
      });
  const Output root = last[1];
  const Output derivative = DenseGradients({root}, {x})[0];

  Program program(scope, OpenSession(argc > 1 ? argv[1] : "cpu"));
  for (const double value : {2.0, 9.0, 0.25}) {
    const auto answer = program.Fetch({root, derivative}, {{x, MakeScalar(value)}});
    const double at = answer[0].scalar<double>();
    std::printf("sqrt(%g) = %.15f, its derivative %.15f\n", value, at, answer[1].scalar<double>());
    if (std::abs(at * at - value) > std::nextafter(value, INFINITY) - value) return 1;
  }
  return 0;
}
