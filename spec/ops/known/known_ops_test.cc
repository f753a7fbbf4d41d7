#include "spec/ops/known/known_ops.h"

#include <gmock/gmock.h>

#include "spec/ops/catalogue.h"
#include "spec/ops/listing.h"

namespace plumb {
namespace {

TEST(KnownOps, AllHaveASignatureThatIsRead) {
  EXPECT_GE(KnownOpNames().size() + AllOps().size(), 1600U) << "a row takes the place of a known op";
  for (const std::string_view name : KnownOpNames()) {
    try {
      const OpDef* op = FindOp(name);
      ASSERT_NE(op, nullptr) << name;
      EXPECT_EQ(op->name, name);
    } catch (const Error& error) {
      ADD_FAILURE() << name << ": " << error.what();
    }
  }
}

TEST(KnownOps, HaveNoRow) {
  for (const OpDef* row : AllOps()) {
    EXPECT_EQ(FindKnownOp(row->name), nullptr) << row->name << " has a row, and needs no line in spec/ops/known";
  }
}

TEST(KnownOps, SayWhatTensorFlowsRegistrySays) {
  const OpDef& next = GetOp("IteratorGetNext");
  EXPECT_EQ(SignatureText(next), "IteratorGetNext(iterator: resource) -> (components: list(output_types)) stateful");
  EXPECT_EQ(next.FindAttr("output_shapes")->minimum, 1);
  EXPECT_EQ(GetOp("PyFunc").FindAttr("Tin")->minimum, 0) << "a function of Python may take nothing";
  EXPECT_EQ(GetOp("TensorArrayV2").deprecated.version, 26);
  EXPECT_EQ(FindOp("NoSuchOp"), nullptr);
}

TEST(KnownOps, SayWhatToDoInstead) {
  for (const std::string_view name : {"RangeDataset", "ZipDataset", "IteratorV2"}) {
    EXPECT_THAT(InsteadOf(name), testing::HasSubstr("feed the outputs of the graph's IteratorGetNext")) << name;
  }
  EXPECT_THAT(InsteadOf("PyFunc"), testing::StartsWith("; "));
  EXPECT_EQ(InsteadOf("Add"), "");
}

}  // namespace
}  // namespace plumb
