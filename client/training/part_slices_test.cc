#include "client/training/part_slices.h"

#include <gmock/gmock.h>

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PartSlices, NamesSayTheWholeAndTheNumber) {
  EXPECT_EQ(ParsePartName("m/emb/part_12")->whole, "m/emb");
  EXPECT_EQ(ParsePartName("m/emb/part_12")->number, 12);
  EXPECT_EQ(ParsePartName("m/emb/part_0/Adam_1")->whole, "m/emb/Adam_1");
  EXPECT_EQ(ParsePartName("m/part_7/emb/part_3")->whole, "m/part_7/emb");
  for (const char* const name :
       {"emb", "part_0", "emb/part_", "emb/part_x", "emb/part_1x", "emb/part_-x/part_0y", ""}) {
    EXPECT_FALSE(ParsePartName(name)) << name;
  }
}

TEST(PartSlices, LieOneAfterTheOtherAlongOneAxis) {
  const auto slices = [](const std::vector<PartialShape>& parts) { return SlicesOf(parts, Shape({5, 2})); };
  EXPECT_THAT(slices({{3, 2}, {2, 2}}), ElementsAre("5 2 0,3:-", "5 2 3,2:-"));
  EXPECT_THAT(slices({{5, 1}, {5, 1}}), ElementsAre("5 2 -:0,1", "5 2 -:1,1"));
  EXPECT_THAT(slices({{5, 2}}), ElementsAre("5 2 0,5:-"));
}

TEST(PartSlices, AreNoneWherePartsDoNotMakeUpTheWhole) {
  const auto slices = [](const std::vector<PartialShape>& parts) { return SlicesOf(parts, Shape({5, 2})); };
  EXPECT_THAT(slices({{3, 2}}), IsEmpty()) << "too few rows";
  EXPECT_THAT(slices({{3, 2}, {3, 2}}), IsEmpty()) << "too many";
  EXPECT_THAT(slices({{3, 2}, {2, 3}}), IsEmpty());
  EXPECT_THAT(slices({{5, 2}, {0, 2}}), IsEmpty());
  EXPECT_THAT(slices({{3, 2}, {-1, 2}}), IsEmpty());
  EXPECT_THAT(slices({{3, 2}, PartialShape::Unknown()}), IsEmpty());
  EXPECT_THAT(slices({{3}, {2}}), IsEmpty());
  EXPECT_THAT(slices({}), IsEmpty());
  EXPECT_THAT(SlicesOf({PartialShape(Shape())}, Shape()), IsEmpty());
}

}  // namespace
}  // namespace plumb
