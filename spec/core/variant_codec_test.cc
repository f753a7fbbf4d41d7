// Laws of variants: what is written can be read back, and copies share nothing.
#include "spec/core/variant_codec.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

struct Pair : VariantPayload {
  explicit Pair(Tensor first, Tensor second) : first(std::move(first)), second(std::move(second)) {}
  std::string_view type_name() const override { return "test::Pair"; }
  EncodedVariant Encode() const override { return {std::string(type_name()), "2", {first, second}}; }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    return std::make_shared<Pair>(copy(first), copy(second));
  }
  Tensor first, second;
};

std::shared_ptr<const VariantPayload> DecodePair(const EncodedVariant& encoded) {
  if (encoded.tensors.size() != 2) throw DataLoss("a pair has two tensors, not ", encoded.tensors.size());
  return std::make_shared<Pair>(encoded.tensors[0], encoded.tensors[1]);
}
constexpr VariantKind kKinds[] = {{"test::Pair", DecodePair}};

Variant MakePair() {
  return {"test::Pair", "", std::make_shared<Pair>(MakeScalar<float>(1), MakeVector<int32_t>({2, 3}))};
}

TEST(VariantCodec, ReadsWhatWasWritten) {
  const Variant back = Decode(Encode(MakePair()), kKinds);
  const auto& pair = dynamic_cast<const Pair&>(*back.payload);
  EXPECT_EQ(pair.first.scalar<float>(), 1);
  EXPECT_EQ(pair.second.data<int32_t>()[1], 3);
  EXPECT_THROW(Decode({"test::Pair", "", {}}, kKinds), Error);
}

TEST(VariantCodec, HandsOnWhatItDoesNotKnow) {
  const Variant unknown = Decode({"elsewhere::Thing", "bytes", {}}, kKinds);
  EXPECT_EQ(unknown.payload, nullptr);
  EXPECT_EQ(Encode(unknown).metadata, "bytes");
}

TEST(VariantCodec, CopiesHoldTensorsOfTheirOwn) {
  Tensor variants(DType::kVariant, {1});
  variants.mutable_data<Variant>()[0] = MakePair();
  const Tensor copy = CopyVariants(variants, [](const Tensor& tensor) { return tensor.Clone(); });
  const auto& from = dynamic_cast<const Pair&>(*variants.data<Variant>()[0].payload);
  const auto& to = dynamic_cast<const Pair&>(*copy.data<Variant>()[0].payload);
  EXPECT_TRUE(to.first.BitwiseEquals(from.first));
  EXPECT_FALSE(to.first.SharesWith(from.first));
}

}  // namespace
}  // namespace plumb
