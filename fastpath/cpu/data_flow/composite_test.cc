#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr char kRagged[] = "\n\2\10\3", kSparse[] = "\n\2\10\1";  // TypeSpecProto.type_spec_class

AttrMap Attrs(const std::string& metadata, std::vector<DType> types) {
  return {{"metadata", metadata}, {"Tcomponents", std::move(types)}};
}
Tensor Made(const std::string& metadata) {
  return RunKernel1("CompositeTensorVariantFromComponents", {MakeVector<float>({1, 2}), MakeScalar<int64_t>(7)},
                    Attrs(metadata, {DType::kFloat, DType::kInt64}));
}

TEST(CompositeTensorVariant, GivesItsComponentsBack) {
  const auto parts =
      RunKernel("CompositeTensorVariantToComponents", {Made(kRagged)}, Attrs(kRagged, {DType::kFloat, DType::kInt64}));
  EXPECT_THAT(Values<float>(parts[0]), testing::ElementsAre(1, 2));
  EXPECT_EQ(parts[1].scalar<int64_t>(), 7);
}

TEST(CompositeTensorVariant, IsOfOneClassAndOfTheseTypes) {
  const auto code = [](const Tensor& value, const std::string& metadata, std::vector<DType> types) {
    return CodeOfKernel("CompositeTensorVariantToComponents", {value}, Attrs(metadata, std::move(types)));
  };
  const std::vector<DType> right = {DType::kFloat, DType::kInt64};
  EXPECT_EQ(code(Made(kRagged), kRagged, right), Code::kOk);
  EXPECT_EQ(code(Made(kRagged), kSparse, right), Code::kInvalidArgument);
  EXPECT_EQ(code(Made(kRagged), "\xff", right), Code::kInvalidArgument) << "these bytes are no message";
  EXPECT_EQ(code(Made(kRagged), kRagged, {DType::kFloat}), Code::kInvalidArgument);
  EXPECT_EQ(code(Made(kRagged), kRagged, {DType::kFloat, DType::kInt32}), Code::kInvalidArgument);
  EXPECT_EQ(code(Tensor(DType::kVariant, {}), kRagged, right), Code::kInvalidArgument) << "an empty variant";
  EXPECT_EQ(code(Tensor(DType::kVariant, {0}), kRagged, right), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
