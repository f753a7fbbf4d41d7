// Gradients of the ops that choose and repeat functions (rule FN8), node by node.
#include "client/function.h"
#include "client/gradients.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class FunctionalGradients : public OnEachBackend {
 protected:
  // Of (x, y), vectors of two: x·x·y, and 3·x − y.
  FunctionRef Product() {
    return DefineFunction(scope_, "Product", kTwo,
                          [](Scope&, const std::vector<Output>& v) { return std::vector<Output>{v[0] * v[0] * v[1]}; });
  }
  FunctionRef Difference() {
    return DefineFunction(scope_, "Difference", kTwo,
                          [](Scope&, const std::vector<Output>& v) { return std::vector<Output>{3.0 * v[0] - v[1]}; });
  }
  // By x and y, where dy comes for the node's first output.
  std::vector<std::vector<double>> Gradients(NodeId node, int output = 0) {
    const Output z = {&scope_.builder(), Endpoint{node, output}};
    std::vector<std::vector<double>> values;
    for (const Output& gradient : DenseGradients({z * Floats({10, 100})}, {x_, y_})) values.push_back(Value(gradient));
    return values;
  }

  const std::vector<Argument> kTwo = std::vector<Argument>(2, Argument{DType::kFloat, PartialShape({2})});
  const std::vector<PartialShape> kShape = {PartialShape({2})};
  const Output x_ = Floats({2, 3}), y_ = Floats({5, 7});
  // 2xy and x², times dy.
  const std::vector<std::vector<double>> kOfProduct = {{200, 4200}, {40, 900}};
  const std::vector<std::vector<double>> kOfDifference = {{30, 300}, {-10, -100}};
};
PLUMB_ON_EACH_BACKEND(FunctionalGradients);

TEST_P(FunctionalGradients, OfConditions) {
  const AttrMap attrs = {{"Tout", std::vector{DType::kFloat}},
                         {"then_branch", Product()},
                         {"else_branch", Difference()},
                         {"output_shapes", kShape}};
  for (const char* const op : {"If", "StatelessIf"}) {
    EXPECT_EQ(Gradients(scope_.Add(op, {Constant(scope_, true), x_, y_}, attrs)), kOfProduct) << op;
    EXPECT_EQ(Gradients(scope_.Add(op, {Constant(scope_, false), x_, y_}, attrs)), kOfDifference) << op;
  }
}

// The last branch is that of an index for which there is none.
TEST_P(FunctionalGradients, OfCases) {
  const AttrMap attrs = {{"Tout", std::vector{DType::kFloat}},
                         {"branches", std::vector<FunctionRef>{Product(), Difference()}},
                         {"output_shapes", kShape}};
  for (const char* const op : {"Case", "StatelessCase"}) {
    EXPECT_EQ(Gradients(scope_.Add(op, {Int(0), x_, y_}, attrs)), kOfProduct) << op;
    EXPECT_EQ(Gradients(scope_.Add(op, {Int(1), x_, y_}, attrs)), kOfDifference) << op;
    EXPECT_EQ(Gradients(scope_.Add(op, {Int(9), x_, y_}, attrs)), kOfDifference) << op;
  }
}

// (n, x, y) → (n + 1, x·y, y), twice: x·y², with the derivatives y² and 2xy.
TEST_P(FunctionalGradients, OfLoops) {
  std::vector<Argument> arguments = kTwo;
  arguments.insert(arguments.begin(), Argument{DType::kInt32, PartialShape({})});
  const FunctionRef below = DefineFunction(
      scope_, "Below", arguments, [](Scope&, const std::vector<Output>& v) { return std::vector<Output>{v[0] < 2}; });
  const FunctionRef turn = DefineFunction(scope_, "Turn", arguments, [](Scope&, const std::vector<Output>& v) {
    return std::vector<Output>{v[0] + 1, v[1] * v[2], v[2]};
  });
  const AttrMap attrs = {
      {"cond", below},
      {"body", turn},
      {"parallel_iterations", int64_t{1}},
      {"output_shapes", std::vector<PartialShape>{PartialShape({}), PartialShape({2}), PartialShape({2})}}};
  for (const char* const op : {"While", "StatelessWhile"}) {
    EXPECT_THAT(Gradients(scope_.Add(op, {Int(0), x_, y_}, attrs), 1),
                ElementsAre(ElementsAre(250, 4900), ElementsAre(200, 4200)))
        << op;
  }
}

}  // namespace
}  // namespace plumb
