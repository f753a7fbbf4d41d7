#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"
#include "reference/kernel/variables.h"
#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsNan;

// Runs an optimizer op on ref variables that hold the first `slots` inputs; the variables' values afterwards.
// `one_variable`: the first of them in all roles.
std::vector<Value> Apply(std::string_view op, std::vector<Value> inputs, int slots, AttrMap attrs = {},
                         bool one_variable = false) {
  Node node;
  node.name = op;
  node.attrs = std::move(attrs);
  node.output_types = {MakeRef(DType::kFloat)};
  ResourceStore resources, step;
  std::unique_ptr<KernelState> state;
  OpContext context{.node = node,
                    .inputs = {},
                    .outputs = std::vector<Item>(1),
                    .dead = {false},
                    .resources = resources,
                    .step = step,
                    .state = state};
  for (size_t i = 0; i < inputs.size(); ++i) {
    context.inputs.push_back({inputs[i], nullptr});
    if (static_cast<int>(i) >= slots) continue;
    if (one_variable && i > 0) {
      context.inputs[i].ref = context.inputs[0].ref;
      continue;
    }
    context.inputs[i].ref = std::make_shared<Variable>();
    context.inputs[i].ref->Declare(inputs[i].tensor.dtype(), inputs[i].tensor.shape());
    context.inputs[i].ref->Assign(inputs[i]);
  }
  arithmetic = ArithmeticFor(Composed(4), true, /*sharp=*/false);
  FindKernel(op)(context);
  std::vector<Value> updated;
  for (int i = 0; i < slots; ++i) updated.push_back(context.inputs[i].ref->Read(op));
  return updated;
}

// The same with handles in the place of the variables.
std::vector<Value> ApplyByHandle(std::string_view op, std::vector<Value> inputs, int slots, AttrMap attrs,
                                 bool one_variable = false) {
  Node node;
  node.name = op;
  node.attrs = std::move(attrs);
  ResourceStore resources, step;
  std::unique_ptr<KernelState> state;
  OpContext context{
      .node = node, .inputs = {}, .outputs = {}, .dead = {}, .resources = resources, .step = step, .state = state};
  const auto name_of = [=](int slot) {
    return ResourceName{"/cpu:0", "localhost", Str("slot", one_variable ? 0 : slot)};
  };
  for (int i = 0; i < std::ssize(inputs); ++i) {
    Value& input = inputs[static_cast<size_t>(i)];
    if (i < slots) {
      resources.FindOrCreate<HandleVariable>(name_of(i)).Assign(std::move(input));
      ResourceHandle handle;
      handle.device = name_of(i).device;
      handle.container = name_of(i).container;
      handle.name = name_of(i).name;
      handle.type_name = kVariableType;
      input = Value(MakeScalar(std::move(handle)));
    }
    context.inputs.push_back({std::move(input), nullptr});
  }
  arithmetic = ArithmeticFor(Composed(4), true, /*sharp=*/false);
  FindKernel(op)(context);
  std::vector<Value> updated;
  for (int i = 0; i < slots; ++i) updated.push_back(resources.Find<HandleVariable>(name_of(i))->Read(op));
  return updated;
}

Code FailureOf(std::string_view op, std::vector<Value> inputs, int slots, AttrMap attrs = {}) {
  try {
    Apply(op, std::move(inputs), slots, std::move(attrs));
  } catch (const Error& error) {
    return error.status().code();
  }
  return Code::kOk;
}

TEST(Optimizer, GradientDescentStepsAgainstTheGradient) {
  EXPECT_THAT(Floats(Apply("ApplyGradientDescent", {Vector({1, 2}), Scalar(0.5), Vector({2, -2})}, 1)[0]),
              ElementsAre(0, 3));
}

TEST(Optimizer, MomentumGathersSpeed) {
  const std::vector<Value> inputs = {Vector({1}), Vector({2}), Scalar(0.5), Vector({4}), Scalar(0.5)};
  const auto plain = Apply("ApplyMomentum", inputs, 2, {{"use_nesterov", false}});
  EXPECT_THAT(Floats(plain[1]), ElementsAre(5));
  EXPECT_THAT(Floats(plain[0]), ElementsAre(1 - 2.5));
  EXPECT_THAT(Floats(Apply("ApplyMomentum", inputs, 2, {{"use_nesterov", true}})[0]), ElementsAre(1 - 2 - 1.25));
}

TEST(Optimizer, AVariableThatIsItsOwnSlotSeesWhatItWrote) {  // R59
  const std::vector<Value> inputs = {Vector({1, 2}), Vector({1, 2}), Scalar(0.5), Vector({2, 0}), Scalar(0.25)};
  const auto both = Apply("ApplyMomentum", inputs, 2, {{"use_nesterov", false}}, /*one_variable=*/true);
  EXPECT_THAT(Floats(both[0]), ElementsAre(1.125, 0.25));
  EXPECT_THAT(Floats(both[1]), ElementsAre(1.125, 0.25));
}

TEST(Optimizer, RowsOfOneHandleAreOneBuffer) {  // R59: a dense form leaves what its last role computed
  const std::vector<Value> rows = {Vector({3, 2}),     Vector({3, 2}), Scalar(0.5),
                                   Vector({0.5, 1.5}), Ints({0, 0}),   Scalar(0.75)};
  const AttrMap plain = {{"use_nesterov", false}};
  const auto sparse = ApplyByHandle("ResourceSparseApplyMomentum", rows, 2, plain, /*one_variable=*/true);
  EXPECT_THAT(Floats(sparse[0]), ElementsAre(1.265625, 2)) << "as TensorFlow answers";
  const std::vector<Value> all = {Vector({3}), Vector({3}), Scalar(0.5), Vector({0.5}), Scalar(0.75)};
  const auto dense = ApplyByHandle("ResourceApplyMomentum", all, 2, plain, /*one_variable=*/true);
  EXPECT_THAT(Floats(dense[0]), ElementsAre(2.75));
}

TEST(Optimizer, AdagradDividesByTheRootOfTheAccumulator) {
  const std::vector<Value> inputs = {Vector({1}), Vector({16}), Scalar(2), Vector({3})};
  const auto slots = Apply("ApplyAdagrad", inputs, 2, {{"update_slots", true}});
  EXPECT_THAT(Floats(slots[1]), ElementsAre(25));
  EXPECT_THAT(Floats(slots[0]), ElementsAre(static_cast<float>(1 - 6.0 / 5)));
}

TEST(Optimizer, RmsPropKeepsEpsilonInsideTheRoot) {
  const auto slots =
      Apply("ApplyRMSProp",
            {Vector({1}), Vector({4}), Vector({2}), Scalar(1), Scalar(0.5), Scalar(0.5), Scalar(5), Vector({2})}, 3);
  EXPECT_THAT(Floats(slots[1]), ElementsAre(4));
  EXPECT_THAT(Floats(slots[2]), ElementsAre(static_cast<float>(1 + 2.0 / 3)));
}

TEST(Optimizer, AdamKeepsEpsilonOutsideTheRoot) {
  const std::vector<Value> inputs = {Vector({1}), Vector({0}), Vector({0}),  Scalar(0.5), Scalar(0.75),
                                     Scalar(1),   Scalar(0.5), Scalar(0.75), Scalar(1),   Vector({2})};
  const AttrMap plain = {{"use_nesterov", false}};
  for (const auto& slots :
       {Apply("ApplyAdam", inputs, 3, plain), ApplyByHandle("ResourceApplyAdam", inputs, 3, plain)}) {
    EXPECT_THAT(Floats(slots[1]), ElementsAre(1));
    EXPECT_THAT(Floats(slots[2]), ElementsAre(1));
    EXPECT_THAT(Floats(slots[0]), ElementsAre(0.5)) << "1 − (√0.25 / 0.5)·1 / (1 + 1)";
  }
}

TEST(Optimizer, SquaresOverflowAsTheirTypeDoes) {  // as TensorFlow answers
  const float big = 1e30F, inf = INFINITY;
  const std::vector<Value> adam = {Vector({1}), Vector({0}), Vector({0}),  Scalar(0.5), Scalar(0.75),
                                   Scalar(1),   Scalar(0.5), Scalar(0.75), Scalar(1),   Vector({big})};
  const auto slots = Apply("ApplyAdam", adam, 3, {{"use_nesterov", false}});
  EXPECT_THAT(Floats(slots[2]), ElementsAre(inf));
  EXPECT_THAT(Floats(slots[0]), ElementsAre(1)) << "a step by infinity is none";
  const std::vector<Value> ftrl = {Vector({1}), Vector({0}), Vector({0}), Vector({big}),
                                   Scalar(1),   Scalar(2),   Scalar(0),   Scalar(-0.5)};
  const auto held = Apply("ApplyFtrl", ftrl, 3, {{"multiply_linear_by_lr", false}});
  EXPECT_THAT(Floats(held[1]), ElementsAre(inf));
  EXPECT_THAT(Floats(held[0]), Each(IsNan())) << "infinity by infinity";
  const std::vector<Value> adagrad = {Vector({1}), Vector({3e38F}), Scalar(2), Vector({1.5e19F})};
  EXPECT_THAT(Floats(Apply("ApplyAdagrad", adagrad, 2, {{"update_slots", true}})[0]), ElementsAre(1)) << "their sum";
}

TEST(Optimizer, StepsOfSixteenBitsRoundEach) {  // N22
  const auto halves = [](float number) { return Value(MakeVector<Half>({Half(number)})); };
  const auto scalar = [](float number) { return Value(MakeScalar<Half>(Half(number))); };
  const auto number = [](const Value& value) { return static_cast<float>(value.tensor.data<Half>()[0]); };
  const std::vector<Value> adam = {halves(1), halves(0),   halves(0),        scalar(0.5), scalar(0.75),
                                   scalar(1), scalar(0.5), scalar(0.984375), scalar(1),   halves(300)};
  const auto slots = Apply("ApplyAdam", adam, 3, {{"use_nesterov", false}});
  EXPECT_EQ(number(slots[2]), INFINITY) << "300² is none of float16, though 1/64 of it is";
  EXPECT_EQ(number(slots[0]), 1);
  const float over = 1 + 0x1p-10F, under = 1 - 0x1p-10F;
  const auto moved = Apply("ApplyGradientDescent", {halves(2050), scalar(over), halves(-under)}, 1);
  EXPECT_EQ(number(moved[0]), 2052) << "1 − 2^-20 becomes 1 before it is added, and 2051 the even number";
}

TEST(Optimizer, FtrlZeroesWeightsBelowThePenalty) {
  const auto slots = Apply(
      "ApplyFtrl",
      {Vector({0, 0}), Vector({0, 0}), Vector({0, 0}), Vector({1, 4}), Scalar(1), Scalar(2), Scalar(0), Scalar(-0.5)},
      3, {{"multiply_linear_by_lr", false}});
  EXPECT_THAT(Floats(slots[0]), ElementsAre(0, -0.5));
  EXPECT_THAT(Floats(slots[1]), ElementsAre(1, 16));
}

TEST(Optimizer, AGradientThatIsTheVariableSeesWhatItWrote) {  // R59
  TestGraph graph;
  for (const auto& [name, value] : {std::pair("v", 4.0f), std::pair("n", 9.0f), std::pair("z", 0.0f)}) {
    graph.Add(name, "VariableV2", {}, {{"shape", PartialShape(Shape({1}))}, {"dtype", DType::kFloat}});
    graph.Value(Str(name, "_value"), Vector({value}));
    graph.Add(Str(name, "_assign"), "Assign", {name, Str(name, "_value")}, {{"T", DType::kFloat}});
  }
  graph.Const<float>("one", 1).Const<float>("l1", 64).Const<float>("zero", 0).Const<float>("power", -0.5);
  graph.Add("apply", "ApplyFtrl", {"v", "n", "z", "v", "one", "l1", "zero", "power"}, {{"T", DType::kFloat}});
  TestSession session(graph);
  ASSERT_EQ(session.Run({"v_assign", "n_assign", "z_assign"}).code(), Code::kOk);
  ASSERT_EQ(session.Run({"apply"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"v"}).outputs.at(0).data<float>()[0], 0);
  EXPECT_EQ(session.Run({"n"}).outputs.at(0).data<float>()[0], 9) << "the square of what v has become is added";
}

TEST(Optimizer, RepeatedRowsAreAppliedOneAfterTheOther) {
  const std::vector<Value> inputs = {MakeTensor<float>({2, 1}, {0, 0}), MakeTensor<float>({2, 1}, {0, 0}), Scalar(1),
                                     MakeTensor<float>({2, 1}, {3, 4}), Ints({1, 1})};
  const auto slots = Apply("SparseApplyAdagrad", inputs, 2, {{"update_slots", true}});
  EXPECT_THAT(Floats(slots[1]), ElementsAre(0, 25));
  EXPECT_THAT(Floats(slots[0]), ElementsAre(0, -1 - 4.0f / 5));
}

TEST(Optimizer, NonsenseIsRefused) {
  EXPECT_EQ(FailureOf("ApplyGradientDescent", {Vector({1}), Scalar(1), Vector({1, 2})}, 1), Code::kInvalidArgument);
  EXPECT_EQ(FailureOf("ApplyGradientDescent", {Vector({1}), Vector({1}), Vector({1})}, 1), Code::kInvalidArgument);
  for (const int row : {-1, 1}) {
    const std::vector<Value> inputs = {MakeTensor<float>({1, 1}, {0}), MakeTensor<float>({1, 1}, {1}), Scalar(1),
                                       MakeTensor<float>({1, 1}, {3}), Ints({row})};
    EXPECT_EQ(FailureOf("SparseApplyAdagrad", inputs, 2, {{"update_slots", true}}), Code::kInvalidArgument) << row;
  }
}

TEST(Optimizer, RowsWithoutElementsAreRefusedByAFewOps) {  // R68
  const Value none = Tensor(DType::kFloat, Shape({3, 0})), row = Tensor(DType::kFloat, Shape({1, 0}));
  EXPECT_EQ(FailureOf("SparseApplyAdagrad", {none, none, Scalar(1), row, Ints({0})}, 2, {{"update_slots", true}}),
            Code::kInvalidArgument);
  EXPECT_EQ(FailureOf("SparseApplyProximalGradientDescent", {none, Scalar(1), Scalar(0), Scalar(0), row, Ints({0})}, 1),
            Code::kInvalidArgument);
  EXPECT_EQ(FailureOf("SparseApplyMomentum", {none, none, Scalar(1), row, Ints({0}), Scalar(0.5)}, 2,
                      {{"use_nesterov", false}}),
            Code::kOk);
}

TEST(Optimizer, ProximalAdagradRefusesNumbersThatMakeNoSense) {  // ApplyProximalAdagradOp
  const auto code = [](float lr, float l1, float l2) {
    return FailureOf("ApplyProximalAdagrad",
                     {Vector({8}), Vector({7}), Scalar(lr), Scalar(l1), Scalar(l2), Vector({3})}, 2);
  };
  EXPECT_EQ(code(1, 0, 0), Code::kOk);
  EXPECT_EQ(code(0, 0, 0), Code::kInvalidArgument);
  EXPECT_EQ(code(1, -1, 0), Code::kInvalidArgument);
  EXPECT_EQ(code(1, 0, -1), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
