#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

// Kernels that share the resources of a session.
struct Session {
  ResourceStore resources, step;

  Tensor Run(std::string_view op, Tensor input, DType output_type) {
    Node node;
    node.name = "a";
    node.device = "/device:CPU:0";
    node.output_types = {output_type};
    std::unique_ptr<KernelState> state;
    OpContext context{.node = node,
                      .inputs = {{Value(std::move(input)), nullptr}},
                      .outputs = std::vector<Item>(1),
                      .dead = {},
                      .resources = resources,
                      .step = step,
                      .state = state};
    FindKernel(op)(context);
    return context.outputs[0].value.tensor;
  }
  Code CodeOf(std::string_view op, Tensor input, DType output_type) {
    try {
      Run(op, std::move(input), output_type);
    } catch (const Error& error) {
      return error.status().code();
    }
    return Code::kOk;
  }
};

// S11.
TEST(SessionTensor, IsKeptUntilItIsDeleted) {
  Session session;
  const Tensor first = session.Run("GetSessionHandle", Vector({1, 2}), DType::kString);
  const Tensor second = session.Run("GetSessionHandle", Scalar(3), DType::kString);
  EXPECT_EQ(first.scalar<std::string>(), "a;0;/job:localhost/replica:0/task:0/device:CPU:0");
  EXPECT_EQ(second.scalar<std::string>(), "a;1;/job:localhost/replica:0/task:0/device:CPU:0");
  EXPECT_TRUE(session.Run("GetSessionTensor", first, DType::kFloat).BitwiseEquals(Vector({1, 2})));
  EXPECT_EQ(session.CodeOf("GetSessionTensor", first, DType::kInt32), Code::kInternal);
  EXPECT_EQ(session.CodeOf("GetSessionTensor", MakeVector<std::string>({"a"}), DType::kFloat), Code::kInvalidArgument);
  EXPECT_EQ(session.CodeOf("DeleteSessionTensor", first, DType::kFloat), Code::kOk);
  EXPECT_EQ(session.CodeOf("DeleteSessionTensor", first, DType::kFloat), Code::kInvalidArgument);
  EXPECT_EQ(session.Run("GetSessionTensor", second, DType::kFloat).scalar<float>(), 3);
}

}  // namespace
}  // namespace plumb::reference
