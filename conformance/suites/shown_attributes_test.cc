// An attribute that a sample sets is drawn; whether an implementation may forget it is another question: it may where
// no sample computes anything else with it. Of ops that write texts and files, where one value of an attribute looks
// like another to most inputs, some sample shows every one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "conformance/compare/compare.h"
#include "conformance/compare/oracle.h"
#include "conformance/suites/attributes.h"
#include "conformance/suites/single_node.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

// Who adds one says why.
const std::set<std::string> kNotShown = {
    // "The other attributes are not part of it."
    "TensorSummary description=other", "TensorSummary display_name=other", "TensorSummary labels=other"};

bool Writes(const OpDef& op, std::string_view family) {
  return (family == "summary" || op.name.find("Encode") != std::string::npos) && !op.outputs.empty() && !op.is_stateful;
}

// What the reference computes; nothing where it refuses.
std::optional<std::vector<Tensor>> Computed(const OpDef& op, const SampledCase& sample) {
  const SingleNode single = MakeSingleNode(op, sample);
  Oracle oracle(single.graph);
  std::vector<reference::Value> values;
  if (!oracle.loaded().ok() || !oracle.Run(single.run, &values).ok()) return std::nullopt;
  std::vector<Tensor> tensors;
  for (const reference::Value& value : values) tensors.push_back(value.tensor);
  return tensors;
}

// Of which one may be refused.
bool Differ(const OpDef& op, const SampledCase& a, const SampledCase& b) {
  const auto of_a = Computed(op, a), of_b = Computed(op, b);
  if (!of_a || !of_b) return of_a.has_value() != of_b.has_value();
  return !std::equal(of_a->begin(), of_a->end(), of_b->begin(), of_b->end(),
                     [](const Tensor& x, const Tensor& y) { return CompareExact(x, y).ok(); });
}

// Whether a case that the suite tries is one thing with the value that is drawn, and another with the default: a sample
// that has it, or, where none has, one in which it is put.
bool IsShown(const OpDef& op, const AttrDef& attr, const AttrDraw& draw) {
  constexpr uint64_t kSeeds = 8;  // each draws one of the values that a sample names
  bool is_drawn = false, shows_if_put = false;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const SampledCase& sample : SampleInputs(op, {}, seed)) {
      const SampledCase plain = WithAttributes(op, sample, {{attr.name, *attr.default_value}});
      if (Draws(draw, sample.attrs)) {
        if (Differ(op, sample, plain)) return true;
        is_drawn = true;
      }
      for (const AttrMap& attrs : draw.candidates) {
        shows_if_put = shows_if_put || Differ(op, WithAttributes(op, plain, attrs), plain);
      }
    }
  }
  return !is_drawn && shows_if_put;
}

TEST(ShownAttributes, AreAllOfOpsThatWriteTextsAndFiles) {
  std::set<std::string> shown, not_shown;
  for (const Topic& topic : Topics()) {
    for (const OpRow& row : topic.rows) {
      const std::string signature = row.signature;
      const OpDef& op = GetOp(signature.substr(0, signature.find('(')));
      if (!Writes(op, topic.family) || !CanSample(op)) continue;
      for (const AttrDraw& draw : DrawsFor(op)) {
        const AttrDef& attr = *op.FindAttr(draw.attr);
        if (!attr.default_value || (draw.what == AttrDraw::kThis && draw.value == *attr.default_value)) continue;
        (IsShown(op, attr, draw) ? shown : not_shown).insert(Str(op.name, " ", draw.name));
      }
    }
  }
  EXPECT_EQ(not_shown, kNotShown);
  EXPECT_THAT(shown, ::testing::IsSupersetOf({"AudioSummary max_outputs=other", "EncodeJpeg quality=other",
                                              "EncodePng compression=other", "ImageSummary bad_color=other",
                                              "ImageSummary max_images=other", "UnicodeEncode errors=ignore"}));
}

}  // namespace
}  // namespace plumb::conformance
