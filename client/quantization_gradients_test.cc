// Gradients of numbers that are rounded to the places of a range: the steps are passed by, and what lies beyond the
// range gets none, or its end does.
#include "client/gradients.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class QuantizationGradients : public OnEachBackend {
 protected:
  // By each of xs, where dy comes for y.
  std::vector<std::vector<double>> Gradients(Output y, Output dy, const std::vector<Output>& xs) {
    std::vector<std::vector<double>> values;
    for (const Output& gradient : DenseGradients({y * dy}, xs)) values.push_back(Value(gradient));
    return values;
  }
};
PLUMB_ON_EACH_BACKEND(QuantizationGradients);

// Two bits in a narrow range are three places, here 2 apart, and 0 is one of them: [-1, 3] is moved to [-2, 2]. In a
// range that is not narrow it would be [-4/3, 8/3], and with eight bits about what it is.
TEST_P(QuantizationGradients, OfFakeOnesInARangeThatAttributesGive) {
  const Output x = Floats({-3, -1.5, 0.5, 2.5}), dy = Floats({2, 3, 5, 7});
  const Output y = Call("FakeQuantWithMinMaxArgs", {x},
                        {{"min", -1.0F}, {"max", 3.0F}, {"num_bits", int64_t{2}}, {"narrow_range", true}});
  EXPECT_THAT(Gradients(y, dy, {x}), ElementsAre(ElementsAre(0, 3, 5, 0)));
}

TEST_P(QuantizationGradients, OfFakeOnesInARange) {
  const Output x = Floats({-3, -1.5, 0.5, 2.5}), dy = Floats({2, 3, 5, 7}), min = Float(-1), max = Float(3);
  const Output y = Call("FakeQuantWithMinMaxVars", {x, min, max}, {{"num_bits", int64_t{2}}, {"narrow_range", true}});
  EXPECT_THAT(Gradients(y, dy, {x, min, max}), ElementsAre(ElementsAre(0, 3, 5, 0), ElementsAre(2), ElementsAre(7)));
  const Output wide = Call("FakeQuantWithMinMaxVars", {x, min, max}, {{"num_bits", int64_t{2}}});
  EXPECT_THAT(Gradients(wide, dy, {x, min, max}), ElementsAre(ElementsAre(0, 0, 5, 7), ElementsAre(5), ElementsAre(0)));
}

// The second channel's range, [0, 3], has 0 for one of its places as it is.
TEST_P(QuantizationGradients, OfFakeOnesInARangeForEachChannel) {
  const Output x = Matrix(4, 2, {-3, -1, -1.5, 1, 0.5, 2, 2.5, 4}), dy = Matrix(4, 2, {2, 3, 5, 7, 11, 13, 17, 19});
  const Output min = Floats({-1, 0}), max = Floats({3, 3});
  const Output y =
      Call("FakeQuantWithMinMaxVarsPerChannel", {x, min, max}, {{"num_bits", int64_t{2}}, {"narrow_range", true}});
  EXPECT_THAT(Gradients(y, dy, {x, min, max}),
              ElementsAre(ElementsAre(0, 0, 5, 7, 11, 13, 0, 0), ElementsAre(2, 3), ElementsAre(17, 19)));
}

// What lies beyond the range gets all of it as well, and the range gets nothing.
TEST_P(QuantizationGradients, OfRoundTripsThatPassTheRangeBy) {
  const Output x = Matrix(2, 2, {-3, 0.5, -3, 5}), dy = Matrix(2, 2, {2, 3, 5, 7});
  const Output min = Floats({-1, -4}), max = Floats({1, 4});
  const Output second = Call("QuantizeAndDequantizeV2", {x, min, max},
                             {{"signed_input", false},
                              {"num_bits", int64_t{3}},
                              {"range_given", true},
                              {"round_mode", std::string("HALF_UP")},
                              {"narrow_range", true},
                              {"axis", int64_t{0}}});
  const Output third =
      Call("QuantizeAndDequantizeV3", {x, min, max, Int(3)},
           {{"signed_input", false}, {"range_given", false}, {"narrow_range", true}, {"axis", int64_t{0}}});
  for (const Output& y : {second, third}) {
    EXPECT_THAT(Gradients(y, dy, {x, min, max}),
                ElementsAre(ElementsAre(2, 3, 5, 7), ElementsAre(0, 0), ElementsAre(0, 0)));
  }
}

TEST_P(QuantizationGradients, OfRoundTripsThatStopAtTheEnds) {
  const Output x = Matrix(2, 2, {-3, 0.5, -3, 5}), dy = Matrix(2, 2, {2, 3, 5, 7});
  const Output min = Floats({-1, -4}), max = Floats({1, 4});
  const Output rows = Call("QuantizeAndDequantizeV4", {x, min, max},
                           {{"signed_input", false},
                            {"num_bits", int64_t{3}},
                            {"range_given", true},
                            {"round_mode", std::string("HALF_UP")},
                            {"narrow_range", true},
                            {"axis", int64_t{0}}});
  EXPECT_THAT(Gradients(rows, dy, {x, min, max}),
              ElementsAre(ElementsAre(0, 3, 5, 0), ElementsAre(0, 0), ElementsAre(0, 0)));
  const Output columns = Call("QuantizeAndDequantizeV4", {x, min, max}, {{"range_given", true}, {"axis", int64_t{1}}});
  EXPECT_THAT(Gradients(columns, dy, {x})[0], ElementsAre(0, 3, 0, 0));
}

}  // namespace
}  // namespace plumb
