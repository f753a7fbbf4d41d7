#include "conformance/suites/attributes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using testing::ElementsAre;

constexpr OpRow kRow = {
    .signature = "Many(x: T*N, y: U) -> (z: T)",
    .attrs =
        "N: int >= 1; T: type; U: type = int32; flag: bool = true; must: bool; padding: string in "
        "['SAME', 'VALID']; name: string = ''; epsilon: float = 0.5; zero: float = 0; count: int "
        ">= 1 = 1; axis: int; strides: list(int) = [1, 1, 1, 1]; dims: list(int) = []; shape: shape; "
        "element_shape: shape = ?; shapes: list(shape) = [] >= 0; types: list(type) >= 1; value: tensor; body: func; "
        "modes: list(string) in ['a', 'b'] = []; least: int >= 3 = 3; any: int = 5"};

std::vector<std::string> Names(const std::vector<AttrDraw>& draws) {
  std::vector<std::string> names;
  for (const AttrDraw& draw : draws) names.push_back(draw.name);
  return names;
}

TEST(Attributes, EveryValueOfTheGrammarIsToBeDrawn) {
  EXPECT_THAT(
      Names(DrawsFor(ParseOpRow(kRow))),
      ElementsAre("flag=false", "flag=true", "must=false", "must=true", "padding=SAME", "padding=VALID", "name=default",
                  "name=other", "epsilon=default", "epsilon=other", "zero=default", "zero=other", "count=default",
                  "count=other", "axis=given", "strides=default", "strides=other", "dims=default", "dims=other",
                  "shape=given", "element_shape=default", "element_shape=other", "shapes=default", "shapes=other",
                  "types=given", "value=given", "body=given", "modes=default", "modes=other", "least=default",
                  "least=other", "any=default", "any=other"));
}

// What has to fit the inputs only a sample can give; it is listed all the same, and drawn where one does.
TEST(Attributes, ShapesTensorsAndListsAreDrawnBySamples) {
  const OpDef op = ParseOpRow(kRow);
  EXPECT_THAT(DrawnBy(op, {{"element_shape", PartialShape()}}), ElementsAre("element_shape=default"));
  EXPECT_THAT(DrawnBy(op, {{"element_shape", PartialShape(Shape({2}))}}), ElementsAre("element_shape=other"));
  EXPECT_THAT(DrawnBy(op, {{"shapes", std::vector<PartialShape>{}}}), ElementsAre("shapes=default"));
  EXPECT_THAT(DrawnBy(op, {{"shapes", std::vector<PartialShape>{Shape({2})}}}), ElementsAre("shapes=other"));
  EXPECT_THAT(DrawnBy(op, {{"shape", PartialShape(Shape({2}))}, {"value", MakeScalar(1)}}),
              ElementsAre("shape=given", "value=given"));
}

// A candidate draws what it is a candidate for, and the default nothing but itself.
TEST(Attributes, CandidatesDrawWhatTheyAreFor) {
  const OpDef op = ParseOpRow(kRow);
  for (const AttrDraw& draw : DrawsFor(op)) {
    const bool has_to_fit =
        draw.what == AttrDraw::kAny || draw.name == "element_shape=other" || draw.name == "shapes=other";
    EXPECT_EQ(draw.candidates.empty(), has_to_fit) << draw.name;
    for (const AttrMap& attrs : draw.candidates) EXPECT_THAT(DrawnBy(op, attrs), ElementsAre(draw.name));
  }
}

TEST(Attributes, AnEmptyListOfAnyKindIsTheDefault) {
  const std::map<std::string, AttrValue> lists = {{"int", std::vector<int64_t>()},
                                                  {"float", std::vector<float>()},
                                                  {"string", std::vector<std::string>()},
                                                  {"type", std::vector<DType>()},
                                                  {"shape", std::vector<PartialShape>()}};
  for (const auto& [kind, empty] : lists) {
    const std::string attrs = Str("values: list(", kind, ") = []");
    const OpDef op = ParseOpRow({.signature = "Listed() -> ()", .attrs = attrs.c_str()});
    EXPECT_THAT(DrawnBy(op, {{"values", EmptyList()}}), ElementsAre("values=default")) << kind;
    EXPECT_THAT(DrawnBy(op, {{"values", empty}}), ElementsAre("values=default")) << kind;
  }
}

// Numbers beside the default, on either side where the minimum allows it; half and twice a fraction; of lists with an
// entry per dimension the inner ones.
TEST(Attributes, CandidatesAreTheNeighboursOfTheDefault) {
  using Numbers = std::vector<int64_t>;
  const std::map<std::string, std::vector<AttrValue>> expected = {
      {"flag=false", {false}},
      {"flag=true", {true}},
      {"must=false", {false}},
      {"must=true", {true}},
      {"padding=SAME", {"SAME"}},
      {"padding=VALID", {"VALID"}},
      {"name=default", {""}},
      {"name=other", {"other"}},
      {"epsilon=default", {0.5F}},
      {"epsilon=other", {0.25F, 1.0F}},
      {"zero=default", {0.0F}},
      {"zero=other", {0.5F}},
      {"count=default", {1}},
      {"count=other", {2}},
      {"strides=default", {Numbers{1, 1, 1, 1}}},
      {"strides=other", {Numbers{1, 2, 2, 1}}},
      {"dims=default", {EmptyList()}},
      {"dims=other", {Numbers{0}}},
      {"modes=other", {std::vector<std::string>{"other"}}},
      {"least=default", {3}},
      {"least=other", {4}},
      {"any=default", {5}},
      {"any=other", {6, 4}},
  };
  for (const AttrDraw& draw : DrawsFor(ParseOpRow(kRow))) {
    const auto values = expected.find(draw.name);
    if (values == expected.end()) continue;
    ASSERT_EQ(draw.candidates.size(), values->second.size()) << draw.name;
    for (size_t i = 0; i < draw.candidates.size(); ++i) {
      ASSERT_EQ(draw.candidates[i].size(), 1u) << draw.name;
      const auto& [name, value] = *draw.candidates[i].begin();
      EXPECT_EQ(name, draw.attr);
      if (draw.name == "dims=default") continue;  // an empty list has no kind of its own
      EXPECT_TRUE(value == values->second[i]) << draw.name << " " << value.ToString();
    }
  }
}

// What a node finds by name and container, those around it find by the same: an empty name is the node's own.
TEST(Attributes, ANameChangesForAllThatGoByIt) {
  const OpDef& op = GetOp("FIFOQueueV2");
  const auto named = [](const std::string& name, const std::string& container) {
    return SampledNode{
        "n", &GetOp("FIFOQueueV2"), {{"shared_name", name}, {"container", container}, {"capacity", 1}}, {}};
  };
  const auto renamed = [&](const std::string& own, const char* attr, const std::string& other) {
    SampledCase sampled;
    sampled.attrs = {{"shared_name", own}, {"container", "c"}};
    sampled.before = {named(own, "c"), named("elsewhere", "d")};
    sampled.after = {named("node", "c"), {"bare", &GetOp("NoOp"), {}, {}}};
    const SampledCase changed = WithAttributes(op, sampled, {{attr, other}});
    EXPECT_EQ(GetAttr<std::string>(changed.attrs, attr), other);
    EXPECT_TRUE(changed.after.at(1).attrs.empty());
    std::vector<std::string> names;
    for (const SampledNode& node : {changed.before.at(0), changed.before.at(1), changed.after.at(0)}) {
      names.push_back(GetAttr<std::string>(node.attrs, attr));
    }
    return names;
  };
  EXPECT_THAT(renamed("own", "shared_name", "other"), ElementsAre("other", "elsewhere", "node"));
  EXPECT_THAT(renamed("node", "shared_name", "other"), ElementsAre("other", "elsewhere", "other"));
  EXPECT_THAT(renamed("", "shared_name", "other"), ElementsAre("", "elsewhere", "other"));
  EXPECT_THAT(renamed("own", "shared_name", ""), ElementsAre("node", "elsewhere", "node"));
  EXPECT_THAT(renamed("own", "container", "other"), ElementsAre("other", "d", "other"));
  EXPECT_THAT(renamed("own", "container", ""), ElementsAre("", "d", ""));
}

TEST(Attributes, CandidatesKeepTheMinimum) {
  for (const AttrDraw& draw : DrawsFor(ParseOpRow(kRow))) {
    if (draw.attr != "count") continue;
    for (const AttrMap& attrs : draw.candidates) EXPECT_GE(GetAttr<int64_t>(attrs, "count"), 1);
  }
}

// Paddings are read in the mode EXPLICIT alone, which does not work without them.
TEST(Attributes, ExplicitPaddingsComeWithTheirMode) {
  for (const AttrDraw& draw : DrawsFor(GetOp("Conv2D"))) {
    if (draw.name != "padding=EXPLICIT" && draw.name != "explicit_paddings=other") continue;
    for (const AttrMap& attrs : draw.candidates) {
      EXPECT_THAT(DrawnBy(GetOp("Conv2D"), attrs),
                  testing::UnorderedElementsAre("padding=EXPLICIT", "explicit_paddings=other"));
    }
    // As much as SAME pads for windows of 3 by 2, and of 3 by 3.
    std::vector<std::vector<int64_t>> paddings;
    for (const AttrMap& attrs : draw.candidates) {
      paddings.push_back(GetAttr<std::vector<int64_t>>(attrs, "explicit_paddings"));
    }
    EXPECT_THAT(paddings, ElementsAre(ElementsAre(0, 0, 1, 1, 0, 1, 0, 0), ElementsAre(0, 0, 1, 1, 1, 1, 0, 0)));
  }
}

TEST(Attributes, LayoutsAndFlagsOfTheCatalogueAreAmongThem) {
  EXPECT_THAT(Names(DrawsFor(GetOp("Conv2D"))), testing::IsSupersetOf({"data_format=NCHW", "padding=VALID"}));
  EXPECT_THAT(Names(DrawsFor(GetOp("FusedBatchNorm"))),
              testing::IsSupersetOf({"exponential_avg_factor=other", "is_training=false", "data_format=NCHW"}));
  EXPECT_THAT(Names(DrawsFor(GetOp("ApplyFtrl"))),
              testing::IsSupersetOf({"multiply_linear_by_lr=true", "use_locking=true"}));
}

}  // namespace
}  // namespace plumb::conformance
