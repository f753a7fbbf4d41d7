#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

template <class Q>
Tensor Codes(const Shape& shape, std::vector<int> values) {
  Tensor tensor(DTypeOf<Q>, shape);
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.mutable_data<Q>()[i].value = static_cast<decltype(Q::value)>(values[i]);
  }
  return tensor;
}
template <class Q>
std::vector<int> ValuesOf(const Tensor& tensor) {
  std::vector<int> values;
  for (const Q code : tensor.data<Q>()) values.push_back(code.value);
  return values;
}
const AttrMap kSum = {{"T1", DType::kQuint8}, {"T2", DType::kQuint8}, {"Toutput", DType::kQint32}};
Tensor F(float x) { return MakeScalar<float>(x); }

// From −128 to 127 the code of 0 is 128 and that of 6 is 134; from 10 on all codes stand for more.
TEST(QuantizedRelu, CutsAtTheCodesOfZeroAndSix) {
  const AttrMap attrs = {{"Tinput", DType::kQuint8}, {"out_type", DType::kQuint8}};
  const Tensor x = Codes<Quint8>({4}, {0, 128, 130, 255});
  const auto relu = RunKernel("QuantizedRelu", {x, F(-128), F(127)}, attrs);
  EXPECT_EQ(ValuesOf<Quint8>(relu[0]), std::vector<int>({128, 128, 130, 255}));
  EXPECT_EQ(Values<float>(relu[1]), Floats({-128}));
  EXPECT_EQ(Values<float>(relu[2]), Floats({127}));
  EXPECT_EQ(ValuesOf<Quint8>(RunKernel1("QuantizedRelu6", {x, F(-128), F(127)}, attrs)),
            std::vector<int>({128, 128, 130, 134}));
  EXPECT_EQ(ValuesOf<Quint8>(RunKernel1("QuantizedRelu", {x, F(10), F(265)}, attrs)),
            std::vector<int>({0, 128, 130, 255}));
  EXPECT_EQ(CodeOfKernel("QuantizedRelu", {x, MakeVector<float>({0}), F(1)}, attrs), Code::kInvalidArgument);
}

TEST(QuantizedRelu, HasBytesWithoutSignAlone) {
  const Tensor unsigned_codes = Codes<Quint8>({1}, {3}), signed_codes = Codes<Qint8>({1}, {-3});
  const auto code = [](const Tensor& x, DType out) {
    return CodeOfKernel("QuantizedRelu", {x, F(-1), F(1)}, {{"Tinput", x.dtype()}, {"out_type", out}});
  };
  EXPECT_EQ(code(unsigned_codes, DType::kQuint8), Code::kOk);
  EXPECT_EQ(code(signed_codes, DType::kQuint8), Code::kInvalidArgument);
  EXPECT_EQ(code(unsigned_codes, DType::kQint8), Code::kInvalidArgument);
}

// From −1 to 2 a third of the 2³² codes lies below 0; from −8 to 8 seven eighths below 6.
TEST(QuantizedRelu, CutsCodesOf32Bits) {
  const AttrMap attrs = {{"Tinput", DType::kQint32}, {"out_type", DType::kQint32}};
  constexpr int kLow = std::numeric_limits<int>::min(), kHigh = std::numeric_limits<int>::max();
  const Tensor x = Codes<Qint32>({4}, {kLow, -5, 7, kHigh});
  const auto of = [&](const char* op, float min, float max) {
    return ValuesOf<Qint32>(RunKernel1(op, {x, F(min), F(max)}, attrs));
  };
  EXPECT_EQ(of("QuantizedRelu", -1, 2), std::vector<int>({-715827883, -5, 7, kHigh}));
  EXPECT_EQ(of("QuantizedRelu", 0.5, 3), std::vector<int>({kLow, -5, 7, kHigh})) << "0 lies below all codes";
  EXPECT_EQ(of("QuantizedRelu", -3, -1), std::vector<int>({kHigh, kHigh, kHigh, kHigh})) << "0 lies above all codes";
  EXPECT_EQ(of("QuantizedRelu6", -8, 8), std::vector<int>({0, 0, 7, 1610612736}));
  EXPECT_EQ(of("QuantizedRelu6", -1, 2), std::vector<int>({-715827883, -5, 7, kHigh})) << "6 lies above all codes";
  const AttrMap mixed = {{"Tinput", DType::kQint32}, {"out_type", DType::kQuint8}};
  EXPECT_EQ(CodeOfKernel("QuantizedRelu", {x, F(0), F(1)}, mixed), Code::kInvalidArgument);
}

// As TensorFlow answers: many codes are moved by whole steps, a sole one to the nearest place.
TEST(QuantizedAdd, MovesCodesIntoTheRangeOfSums) {
  const Tensor u = Codes<Quint8>({2, 2}, {1, 200, 3, 255}), v = Codes<Quint8>({2}, {7, 100});
  const auto run = [&](const Tensor& x, const Tensor& y) {
    return RunKernel("QuantizedAdd", {x, y, F(-1), F(2), F(-3), F(1)}, kSum);
  };
  const auto sums = run(u, u);
  EXPECT_EQ(ValuesOf<Qint32>(sums[0]), std::vector<int>({-173392, 65408, -170992, 131408}));
  EXPECT_EQ(Values<float>(sums[1]), Floats({-49152}));
  EXPECT_EQ(ValuesOf<Qint32>(run(u, v)[0]), std::vector<int>({-169276, -3192, -168248, 25078}));
  EXPECT_EQ(ValuesOf<Qint32>(run(u, Codes<Quint8>({1}, {9}))[0]), std::vector<int>({-167910, -65624, -166882, -37354}));
  EXPECT_EQ(ValuesOf<Qint32>(run(Codes<Quint8>({1}, {3}), Codes<Quint8>({1}, {7}))[0]), std::vector<int>({-168248}));
  const auto code = [&](const Tensor& x, const Tensor& y, float min) {
    return CodeOfKernel("QuantizedAdd", {x, y, F(min), F(2), F(-3), F(1)}, kSum);
  };
  EXPECT_EQ(code(u, u, 2), Code::kInvalidArgument);
  EXPECT_EQ(code(u, Codes<Quint8>({3}, {1, 2, 3}), -1), Code::kInvalidArgument);
  EXPECT_EQ(code(Codes<Quint8>({0, 2}, {}), v, -1), Code::kInvalidArgument);
  EXPECT_EQ(code(Codes<Quint8>({2, 1, 2}, {0, 0, 0, 0}), Codes<Quint8>({1, 3, 1}, {0, 0, 0}), -1),
            Code::kUnimplemented);
}

// As TensorFlow answers: means are cut off towards 0.
TEST(QuantizedPool, TakesTheLargestCodeOfAWindowOrItsMean) {
  const auto pooled = [](const char* op, const std::vector<int64_t>& ksize, const std::vector<int64_t>& strides) {
    const Tensor x = Codes<Qint8>({1, 2, 2, 2}, {-8, -7, -6, -5, -4, -3, -3, -2});
    const AttrMap attrs = {{"T", DType::kQint8}, {"ksize", ksize}, {"strides", strides}, {"padding", "SAME"}};
    return ValuesOf<Qint8>(RunKernel(op, {x, F(-1), F(2)}, attrs)[0]);
  };
  EXPECT_EQ(pooled("QuantizedMaxPool", {1, 2, 2, 1}, {1, 2, 2, 1}), std::vector<int>({-3, -2}));
  EXPECT_EQ(pooled("QuantizedAvgPool", {1, 2, 2, 1}, {1, 2, 2, 1}), std::vector<int>({-5, -4}));
  EXPECT_EQ(pooled("QuantizedMaxPool", {1, 1, 1, 2}, {1, 1, 1, 2}), std::vector<int>({-7, -5, -3, -2}));
}

TEST(QuantizedPool, RefusesWindowsOverBatchesAndMeansOverChannels) {
  const Tensor x = Codes<Quint8>({1, 1, 1, 2}, {1, 2});
  const auto code = [&](const char* op, const std::vector<int64_t>& ksize) {
    const AttrMap attrs = {{"T", DType::kQuint8}, {"ksize", ksize}, {"strides", ksize}, {"padding", "VALID"}};
    return CodeOfKernel(op, {x, F(0), F(1)}, attrs);
  };
  EXPECT_EQ(code("QuantizedMaxPool", {2, 1, 1, 1}), Code::kUnimplemented);
  EXPECT_EQ(code("QuantizedAvgPool", {1, 1, 1, 2}), Code::kUnimplemented);
  EXPECT_EQ(code("QuantizedMaxPool", {1, 1, 1, 2}), Code::kOk);
  EXPECT_EQ(code("QuantizedMaxPool", {1, 1, 1}), Code::kInvalidArgument);
}

// As TensorFlow answers.
TEST(QuantizedConcat, JoinsCodesInOneRange) {
  const AttrMap attrs = {{"N", 2}, {"T", DType::kQuint8}};
  const Tensor x = Codes<Quint8>({2, 2}, {1, 200, 3, 255}), y = Codes<Quint8>({2, 1}, {5, 6});
  const auto at = [](int32_t axis) { return MakeScalar<int32_t>(axis); };
  const auto rows = RunKernel("QuantizedConcat", {at(0), x, x, F(-1), F(-2), F(1), F(2)}, attrs);
  EXPECT_EQ(ValuesOf<Quint8>(rows[0]), std::vector<int>({65, 165, 66, 192, 1, 200, 3, 255}));
  EXPECT_EQ(Values<float>(rows[1]), Floats({-2}));
  EXPECT_EQ(Values<float>(rows[2]), Floats({2}));
  EXPECT_EQ(ValuesOf<Quint8>(RunKernel("QuantizedConcat", {at(1), x, y, F(-1), F(0), F(1), F(0.5)}, attrs)[0]),
            std::vector<int>({1, 200, 129, 3, 255, 130}));
  const auto below = RunKernel("QuantizedConcat", {at(0), x, x, F(-3), F(-4), F(-1), F(-2)}, attrs);
  EXPECT_EQ(Values<float>(below[2]), Floats({-1}));
  EXPECT_EQ(CodeOfKernel("QuantizedConcat", {at(-1), x, x, F(-1), F(-2), F(1), F(2)}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("QuantizedConcat", {at(0), x, y, F(-1), F(-2), F(1), F(2)}, attrs), Code::kInvalidArgument);
}

TEST(QuantizedConcat, JoinsSignedCodesInARangeAroundZero) {  // as TensorFlow answers
  const Tensor x = Codes<Qint32>({2}, {0, 100});
  const auto joined = RunKernel("QuantizedConcat", {MakeScalar<int32_t>(0), x, x, F(0), F(0), F(5), F(6)},
                                {{"N", 2}, {"T", DType::kQint32}});
  EXPECT_EQ(ValuesOf<Qint32>(joined[0]), std::vector<int>({894784896, 894784896, 1073741824, 1073741952}));
  EXPECT_EQ(Values<float>(joined[1]), Floats({-6}));
  EXPECT_EQ(Values<float>(joined[2]), Floats({6}));
}

// 2^24 codes of the range from -8 to 8 are 1/16; the least and the greatest make the new range, as TensorFlow answers.
TEST(QuantizeDownAndShrinkRange, TakesTheRangeThatIsUsed) {
  const AttrMap attrs = {{"Tinput", DType::kQint32}, {"out_type", DType::kQuint8}};
  const Tensor x = Codes<Qint32>({5}, {-(1 << 24), 0, 1 << 23, 1 << 24, 5});
  const auto shrunk = RunKernel("QuantizeDownAndShrinkRange", {x, F(-8), F(8)}, attrs);
  EXPECT_EQ(ValuesOf<Quint8>(shrunk[0]), std::vector<int>({0, 128, 191, 255, 128}));
  EXPECT_EQ(Values<float>(shrunk[1]), Floats({-0.0625F}));
  EXPECT_EQ(Values<float>(shrunk[2]), Floats({0.0625F}));
  const auto above =
      RunKernel("QuantizeDownAndShrinkRange", {Codes<Qint32>({2}, {1 << 28, 1 << 27}), F(-8), F(8)}, attrs);
  EXPECT_EQ(ValuesOf<Quint8>(above[0]), std::vector<int>({255, 128}));
  EXPECT_EQ(Values<float>(above[1]), Floats({0}));
  EXPECT_EQ(Values<float>(above[2]), Floats({1}));
  const auto none = RunKernel("QuantizeDownAndShrinkRange", {Codes<Qint32>({0}, {}), F(-8), F(8)}, attrs);
  EXPECT_EQ(Values<float>(none[1]), Floats({0}));
  EXPECT_EQ(Values<float>(none[2]), Floats({-8}));
  EXPECT_EQ(CodeOfKernel("QuantizeDownAndShrinkRange", {x, MakeVector<float>({-8}), F(8)}, attrs),
            Code::kInvalidArgument);
}

// Where a code is the number itself, products are plain ones; from −128 to 127 the code of 0 is 128.
TEST(QuantizedMul, CountsFromTheCodeOfZero) {
  const AttrMap attrs = {{"T1", DType::kQuint8}, {"T2", DType::kQuint8}, {"Toutput", DType::kQint32}};
  const Tensor x = Codes<Quint8>({2, 2}, {1, 2, 3, 255}), y = Codes<Quint8>({2}, {10, 20});
  const auto plain = RunKernel("QuantizedMul", {x, y, F(0), F(255), F(0), F(255)}, attrs);
  EXPECT_EQ(ValuesOf<Qint32>(plain[0]), std::vector<int>({10, 40, 30, 5100}));
  EXPECT_EQ(Values<float>(plain[1]), Floats({-0x1p31F}));
  EXPECT_EQ(Values<float>(plain[2]), Floats({0x1p31F}));
  const auto moved = RunKernel("QuantizedMul", {y, x, F(0), F(255), F(-128), F(127)}, attrs);
  EXPECT_EQ(ValuesOf<Qint32>(moved[0]), std::vector<int>({-1270, -2520, -1250, 2540}));
  EXPECT_EQ(CodeOfKernel("QuantizedMul", {x, y, F(1), F(1), F(0), F(1)}, attrs), Code::kInvalidArgument);
  const Tensor a = Codes<Quint8>({2, 1, 2}, {1, 2, 3, 4}), b = Codes<Quint8>({2, 1}, {1, 2});
  EXPECT_EQ(CodeOfKernel("QuantizedMul", {a, b, F(0), F(1), F(0), F(1)}, attrs), Code::kUnimplemented);
}

// Two dimensions remain, and the shorter operand is repeated along the elements, wherever it stands.
TEST(QuantizedMul, RepeatsTheShorterOperand) {
  const AttrMap attrs = {{"T1", DType::kQuint8}, {"T2", DType::kQuint8}, {"Toutput", DType::kQint32}};
  const Tensor x = Codes<Quint8>({2, 3}, {1, 2, 3, 4, 5, 6}), y = Codes<Quint8>({2, 1}, {1, 10});
  EXPECT_EQ(ValuesOf<Qint32>(RunKernel1("QuantizedMul", {x, y, F(0), F(255), F(0), F(255)}, attrs)),
            std::vector<int>({1, 20, 3, 40, 5, 60}));
}

// −128 to 127 in 8 bits: units of 1, and halves go to the even number or up.
TEST(QuantizeAndDequantize, RoundsToUnits) {
  const Tensor x = MakeVector<float>({2.5F, 3.5F, -2.5F, 300, -300});
  AttrMap attrs = {{"num_bits", int64_t{8}}, {"range_given", true}};
  EXPECT_EQ(Values<float>(RunKernel1("QuantizeAndDequantizeV2", {x, F(-128), F(127)}, attrs)),
            Floats({2, 4, -2, 127, -128}));
  EXPECT_EQ(Values<float>(RunKernel1("QuantizeAndDequantizeV4", {x, F(-128), F(127)}, attrs)),
            Floats({2, 4, -2, 127, -128}));
  attrs.insert_or_assign("round_mode", std::string("HALF_UP"));
  EXPECT_EQ(Values<float>(RunKernel1("QuantizeAndDequantizeV2", {x, F(-128), F(127)}, attrs)),
            Floats({3, 4, -2, 127, -128}));
  EXPECT_EQ(CodeOfKernel("QuantizeAndDequantizeV2", {x, F(1), F(0)}, attrs), Code::kInvalidArgument);
  attrs.insert_or_assign("num_bits", int64_t{62});
  EXPECT_EQ(CodeOfKernel("QuantizeAndDequantizeV2", {x, F(0), F(1)}, attrs), Code::kInvalidArgument);
}

// Without a range that of the numbers counts: 6 is the last of three whole numbers without a sign, worth 2 each.
// Three bits from −1 to 3 are whole numbers from −4 to 3.
TEST(QuantizeAndDequantize, HasARangeInAttributes) {
  const Tensor x = MakeVector<float>({-2, -0.3, 0.5, 1.5, 2.9, 4});
  const auto with = [](float min, float max) {
    return AttrMap{{"num_bits", int64_t{3}}, {"range_given", true}, {"input_min", min}, {"input_max", max}};
  };
  EXPECT_EQ(Values<float>(RunKernel1("QuantizeAndDequantize", {x}, with(-1, 3))), Floats({-2, 0, 0, 2, 3, 3}));
  EXPECT_EQ(Values<float>(RunKernel1("QuantizeAndDequantize", {MakeVector<float>({-3, 0.4, 1})}, {})),
            Values<float>(RunKernel1("QuantizeAndDequantizeV2", {MakeVector<float>({-3, 0.4, 1}), F(0), F(0)}, {})));
  EXPECT_EQ(CodeOfKernel("QuantizeAndDequantize", {x}, with(3, 1)), Code::kInvalidArgument);
}

TEST(QuantizeAndDequantize, FindsTheRange) {
  const Tensor x = MakeVector<float>({0, 1.5F, 3.5F, 6});
  const AttrMap attrs = {{"range_given", false}, {"signed_input", false}};
  EXPECT_EQ(Values<float>(RunKernel1("QuantizeAndDequantizeV3", {x, F(0), F(0), MakeScalar<int32_t>(2)}, attrs)),
            Floats({0, 2, 4, 6}));
}

TEST(QuantizeAndDequantize, GradientsStopAtTheEnds) {
  const Tensor dy = MakeVector<float>({1, 2, 3, 4}), x = MakeVector<float>({-2, -1, 1, 2});
  const auto grads = RunKernel("QuantizeAndDequantizeV4Grad", {dy, x, F(-1), F(1)});
  EXPECT_EQ(Values<float>(grads[0]), Floats({0, 2, 3, 0}));
  EXPECT_EQ(Values<float>(grads[1]), Floats({0}));
  EXPECT_EQ(Values<float>(grads[2]), Floats({0}));
}

TEST(FakeQuantArgs, GradientsStopAtTheEnds) {
  const Tensor x = MakeVector<float>({-3, -0.6F, 0.4F, 1.5F, 7}), dy = MakeVector<float>({1, 2, 3, 4, 5});
  AttrMap attrs = {{"min", -1.0F}, {"max", 2.0F}, {"num_bits", int64_t{2}}};
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxArgsGradient", {dy, x}, attrs)), Floats({0, 2, 3, 4, 0}));
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxArgs", {x}, attrs)), Floats({-1, -1, 0, 2, 2}));
  attrs.insert_or_assign("max", -1.0F);
  EXPECT_EQ(CodeOfKernel("FakeQuantWithMinMaxArgs", {x}, attrs), Code::kInvalidArgument);
}

TEST(Dequantize, MakesBfloat16InOneModeOnly) {
  const Tensor codes(DType::kQint8, {2});
  const auto code = [&](const char* mode, DType dtype) {
    return CodeOfKernel("Dequantize", {codes, F(0), F(1)}, {{"mode", mode}, {"dtype", dtype}});
  };
  EXPECT_EQ(code("MIN_COMBINED", DType::kBfloat16), Code::kOk);
  EXPECT_EQ(code("MIN_FIRST", DType::kBfloat16), Code::kInvalidArgument);
  EXPECT_EQ(code("SCALED", DType::kBfloat16), Code::kInvalidArgument);
  EXPECT_EQ(code("SCALED", DType::kFloat), Code::kOk);
}

// SCALED: 127 is code 127. Halves go away from zero, or to the even code.
TEST(QuantizeV2, RoundsAsAsked) {
  const Tensor x = MakeVector<float>({2.5F, -2.5F, 3.5F, 500, -500});
  AttrMap attrs = {{"T", DType::kQint8}, {"mode", std::string("SCALED")}};
  const auto away = RunKernel("QuantizeV2", {x, F(-128), F(127)}, attrs);
  EXPECT_EQ(ValuesOf<Qint8>(away[0]), std::vector<int>({3, -3, 4, 127, -128}));
  EXPECT_EQ(Values<float>(away[1]), Floats({-128}));
  attrs.insert_or_assign("round_mode", std::string("HALF_TO_EVEN"));
  EXPECT_EQ(ValuesOf<Qint8>(RunKernel1("QuantizeV2", {x, F(-128), F(127)}, attrs)),
            std::vector<int>({2, -2, 4, 127, -128}));
  attrs.insert_or_assign("mode", std::string("MIN_FIRST"));
  EXPECT_EQ(CodeOfKernel("QuantizeV2", {x, F(-128), F(127)}, attrs), Code::kInvalidArgument);
}

// In 4 bits' width of stride a window of one is moved to the middle of what is left over.
TEST(QuantizedConv2D, MovesWindowsToTheMiddle) {
  const Tensor image = Codes<Quint8>({1, 4, 4, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  const Tensor filter = Codes<Quint8>({1, 1, 1, 1}, {2});
  const AttrMap attrs = {{"strides", std::vector<int64_t>{1, 4, 4, 1}}, {"padding", std::string("VALID")}};
  EXPECT_EQ(ValuesOf<Qint32>(RunKernel1("QuantizedConv2D", {image, filter, F(0), F(255), F(0), F(255)}, attrs)),
            std::vector<int>({10}));
}

// (n - 1)·255·255 + 2, which float32 holds for the first depth and not for the second.
TEST(QuantizedConv2D, IsExactHoweverLargeItsSums) {
  const AttrMap attrs = {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", std::string("VALID")}};
  for (const int64_t depth : {200, 400}) {
    std::vector<int> image(static_cast<size_t>(depth), 255), filter = image;
    image[0] = 1;
    filter[0] = 2;
    const std::vector<Tensor> inputs = {
        Codes<Quint8>({1, 1, 1, depth}, image), Codes<Quint8>({1, 1, depth, 1}, filter), F(0), F(255), F(0), F(255)};
    EXPECT_EQ(ValuesOf<Qint32>(RunKernel1("QuantizedConv2D", inputs, attrs)),
              std::vector<int>({static_cast<int>(depth - 1) * 255 * 255 + 2}));
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
