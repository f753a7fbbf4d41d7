// Laws of variants: what is written can be read back, and copies share nothing.
#include "spec/core/variant_codec.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

// The same record in the hands of two implementations.
template <int side>
struct PairOf : VariantPayload {
  static constexpr std::string_view kTypeName = "test::Pair";
  explicit PairOf(Tensor first, Tensor second) : first(std::move(first)), second(std::move(second)) {}
  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override { return {std::string(kTypeName), "2", {first, second}}; }
  static std::shared_ptr<const PairOf> Decode(const EncodedVariant& encoded) {
    Require(encoded.tensors.size() == 2, "a pair has two tensors, not ", encoded.tensors.size());
    return std::make_shared<PairOf>(encoded.tensors[0], encoded.tensors[1]);
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    return std::make_shared<PairOf>(copy(first), copy(second));
  }
  Tensor first, second;
};
using Pair = PairOf<0>;
using OtherPair = PairOf<1>;

Variant MakePair(Tensor second = MakeVector<int32_t>({2, 3})) {
  return {"test::Pair", "", std::make_shared<Pair>(MakeScalar<float>(1), std::move(second))};
}
Variant Written(const Variant& element) { return WrittenDown(MakeScalar(element)).scalar<Variant>(); }

template <class F>
Code CodeOf(const F& f) {
  try {
    f();
    return Code::kOk;
  } catch (const Error& error) {
    return error.status().code();
  }
}

TEST(VariantCodec, IsDecodedByWhoeverUsesIt) {
  const Variant element = Decode(MakePair().payload->Encode());
  const auto* const pair = PayloadIn<OtherPair>(element);
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->first.scalar<float>(), 1);
  EXPECT_EQ(pair->second.data<int32_t>()[1], 3);
  EXPECT_EQ(PayloadIn<OtherPair>(element), pair) << "it is decoded once";
  ASSERT_NE(PayloadIn<Pair>(element), nullptr);
  EXPECT_EQ(CodeOf([] { PayloadIn<Pair>(Decode({"test::Pair", "", {}})); }), Code::kInvalidArgument);
  EXPECT_EQ(PayloadIn<Pair>(Decode({"test::Other", "", {}})), nullptr);
}

TEST(VariantCodec, WhatIsWrittenIsStillTheSameObject) {
  const Variant pair = MakePair();
  const Variant written = Written(pair);
  EXPECT_EQ(PayloadIn<Pair>(written), pair.payload.get());
  EXPECT_NE(PayloadIn<OtherPair>(written), nullptr);
  EXPECT_TRUE(HoldTheSame(written, Written(MakePair())));
  EXPECT_FALSE(HoldTheSame(written, Written(MakePair(MakeVector<int32_t>({2, 4})))));
  EXPECT_FALSE(HoldTheSame(MakePair(), MakePair())) << "only what is written down can be compared";
}

TEST(VariantCodec, WritesWhatIsWithinToo) {
  const Variant written = Written(MakePair(MakeScalar(MakePair())));
  const auto* const outer = PayloadIn<OtherPair>(written);
  ASSERT_NE(outer, nullptr);
  EXPECT_NE(PayloadIn<OtherPair>(outer->second.scalar<Variant>()), nullptr);
}

TEST(VariantCodec, RefusesWhatNoMessageHolds) {
  Variant deep = MakePair();
  for (int i = 1; i < kMaxVariantNesting; ++i) deep = MakePair(MakeScalar(deep));
  EXPECT_EQ(CodeOf([&] { Written(deep); }), Code::kOk);
  EXPECT_EQ(CodeOf([&] { Written(MakePair(MakeScalar(deep))); }), Code::kUnimplemented);
  EXPECT_EQ(CodeOf([&] { Written(MakePair(Tensor())); }), Code::kUnimplemented);
  // 2^20 bytes, and each of 12 levels around them holds the one inside twice: 4 GiB.
  Tensor wide = Zeros(DType::kInt8, {1 << 20});
  for (int i = 0; i < 12; ++i) {
    Variant both{"test::Pair", "", std::make_shared<Pair>(wide, wide)};
    wide = MakeScalar(both);
  }
  EXPECT_EQ(CodeOf([&] { WrittenDown(wide); }), Code::kResourceExhausted);
}

// Each part takes 128 bytes besides its own: the scalar, its element and the tensors of that, which are one in memory.
TEST(VariantCodec, WritesAsMuchAsAMessageHolds) {
  constexpr int64_t kMessage = int64_t{1} << 31, kPart = 128, kParts = 2047;
  const Tensor wide = Zeros(DType::kInt8, {1 << 20});
  const auto code_of = [&](int64_t metadata) {
    const std::vector<Tensor> tensors(static_cast<size_t>(kParts), wide);
    const Tensor scalar = MakeScalar(Decode({"test::Many", std::string(static_cast<size_t>(metadata), 'a'), tensors}));
    return CodeOf([&] { WrittenDown(scalar); });
  };
  const auto around = static_cast<int64_t>(MakeScalar(Variant()).bytes()) + 2 * kPart;
  const int64_t left = kMessage - around - kParts * (kPart + static_cast<int64_t>(wide.bytes()));
  ASSERT_GT(left, 0);
  EXPECT_EQ(code_of(left), Code::kOk);
  EXPECT_EQ(code_of(left + 1), Code::kResourceExhausted);
}

TEST(VariantCodec, HandsOnWhatItDoesNotKnow) {
  const Variant unknown = Decode({"elsewhere::Thing", "bytes", {MakeScalar<float>(1)}});
  EXPECT_EQ(Encode(unknown).metadata, "bytes");
  EXPECT_EQ(Encode(unknown).tensors.size(), 1u);
  EXPECT_EQ(Decode({"int", "\1", {}}).payload, nullptr) << "a number is its metadata";
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
