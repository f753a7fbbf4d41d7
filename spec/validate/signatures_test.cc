#include "spec/validate/signatures.h"

#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/graph/function_testing.h"
#include "spec/graph/graph.h"

namespace plumb {
namespace {

TEST(Signatures, ALengthThatNoGraphMeansIsRefused) {
  const auto code_of = [](int64_t count) {
    const AttrMap attrs = {{"T", DType::kFloat}, {"num", count}};
    return StatusOf([&] {
             Graph::Load(MakeGraph({MakeConst("x", MakeScalar(0.F)), MakeNode("parts", "Unpack", {"x"}, attrs)}));
           })
        .code();
  };
  EXPECT_EQ(code_of(1 << 16), Code::kOk);
  EXPECT_EQ(code_of((1 << 16) + 1), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
