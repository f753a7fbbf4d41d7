// Finds the line y = 2x − 1 from four points on it. Usage: 01_linear_regression [reference|cpu]
#include <cstdio>

#include "backends/backends.h"
#include "client/ops.h"
#include "client/optimizers/optimizer.h"
#include "client/program.h"

using namespace plumb;

int main(int argc, char** argv) {
  Scope scope;
  const Output x = Constant(scope, {0.F, 1.F, 2.F, 3.F});
  const Output y = Constant(scope, {-1.F, 1.F, 3.F, 5.F});
  const Variable slope = MakeVariable(scope, Constant(scope, 0.F), {.name = "slope"});
  const Variable offset = MakeVariable(scope, Constant(scope, 0.F), {.name = "offset"});
  const Output error = slope * x + offset - y;
  const Output loss = ops::Mean(scope, error * error, Constant(scope, {0}));
  const NodeId train = Sgd({.learning_rate = 0.1})->Minimize(scope, loss);
  Program program(scope, OpenSession(argc > 1 ? argv[1] : "cpu"));
  program.Run(InitializeAll(scope));
  const float first_loss = program.Fetch(loss).scalar<float>();
  for (int step = 0; step < 200; ++step) program.Run(train);
  const auto line = program.Fetch({slope, offset, loss});
  std::printf("y = %.3f x + %.3f\n", line[0].scalar<float>(), line[1].scalar<float>());
  return line[2].scalar<float>() < first_loss ? 0 : 1;
}
