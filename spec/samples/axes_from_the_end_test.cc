// An axis that counts from the end takes another path than one from the front, in kernels, shape rules and gradients
// alike; some sample of every op that allows it must take it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "spec/ops/catalogue.h"
#include "spec/samples/sample.h"

namespace plumb {
namespace {

// What attributes and inputs that number axes are called.
const std::set<std::string> kNames = {"axis",      "batch_dims",        "concat_dim",     "dim",
                                      "dimension", "reduction_indices", "reduction_axes", "squeeze_dims"};

constexpr uint64_t kSeeds = 8;  // each draws one of the values that a sample names

// Of which none is negative.
const std::map<std::string, std::string> kFromTheFront = {
    {"QuantizedConcat.concat_dim", "is refused when it is negative, unlike Concat's"},
    {"ResourceGather.batch_dims", "is refused when it is negative, unlike GatherV2's"},
    {"SobolSample.dim", "says how many numbers a sample has"}};

bool IsNegative(const AttrValue& value) {
  if (const auto* const number = std::get_if<int64_t>(&value)) return *number < 0;
  const auto* const numbers = std::get_if<std::vector<int64_t>>(&value);
  return numbers != nullptr && std::any_of(numbers->begin(), numbers->end(), [](int64_t n) { return n < 0; });
}

// Of an argument with one value; those of lists, which may stand before it, are as many as there are.
const Tensor& ValueOf(const SampledCase& sample, const OpDef& op, size_t arg) {
  const auto is_list = [](const ArgDef& other) { return !other.number_attr.empty() || !other.type_list_attr.empty(); };
  const auto begin = op.inputs.begin(), at = begin + static_cast<std::ptrdiff_t>(arg);
  if (std::none_of(begin, at, is_list)) return sample.inputs[arg];
  return sample.inputs[sample.inputs.size() - (op.inputs.size() - arg)];
}

bool HasNegative(const Tensor& axes) {
  const std::vector<int64_t> numbers = ToInt64s(axes);
  return std::any_of(numbers.begin(), numbers.end(), [](int64_t n) { return n < 0; });
}

TEST(AxesFromTheEnd, AreSampledOfEveryOpThatTakesThem) {
  int asked = 0;
  const auto expect = [&](const OpDef& op, const std::string& name, auto is_negative) {
    if (kFromTheFront.contains(op.name + "." + name)) return;
    ++asked;
    bool is_drawn = false;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const auto samples = SampleInputs(op, {}, seed);
      is_drawn = is_drawn || std::any_of(samples.begin(), samples.end(), is_negative);
    }
    EXPECT_TRUE(is_drawn) << op.name << ", " << name;
  };
  for (const OpDef* op : AllOps()) {
    if (!CanSample(*op)) continue;
    for (const AttrDef& attr : op->attrs) {
      if (!kNames.contains(attr.name)) continue;
      expect(*op, attr.name, [&](const SampledCase& sample) { return IsNegative(sample.attrs.at(attr.name)); });
    }
    for (size_t i = 0; i < op->inputs.size(); ++i) {
      if (!kNames.contains(op->inputs[i].name)) continue;
      expect(*op, op->inputs[i].name, [&](const SampledCase& sample) { return HasNegative(ValueOf(sample, *op, i)); });
    }
  }
  EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace plumb
