// Which values alias a variable's buffer, on both sides, as TensorFlow answers (rules R31, R32, F28): what objects give
// back of a variable that was written meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "conformance/suites/alias_steps_testing.h"

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;

const std::vector<DType> kFloats = {DType::kFloat};

class Aliases : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Backends, Aliases, ::testing::Values("reference", "cpu"));

// ---- Queues --------------------------------------------------------------------------------------------------------

// A queue of scalars "q", and the ops on it by name.
void AddQueue(Steps& steps, const std::string& op, int64_t capacity) {
  const AttrMap puts = {{"Tcomponents", kFloats}}, takes = {{"component_types", kFloats}};
  steps.Add("q", op, {},
            {{"component_types", kFloats},
             {"shapes", std::vector<PartialShape>{PartialShape(Shape())}},
             {"capacity", capacity}});
  steps.Constant("two", MakeScalar<int32_t>(2));
  steps.Constant("five", MakeScalar(5.F));
  steps.Add("put", "QueueEnqueueV2", {"q", "v"}, puts);
  steps.Add("put_five", "QueueEnqueueV2", {"q", "five"}, puts);
  steps.Add("put_rows", "QueueEnqueueManyV2", {"q", "v"}, puts);
  steps.Add("take", "QueueDequeueV2", {"q"}, takes);
  steps.Add("take_2", "QueueDequeueManyV2", {"q", "two"}, takes);
  steps.Add("take_up_to_2", "QueueDequeueUpToV2", {"q", "two"}, takes);
  steps.Add("size", "QueueSizeV2", {"q"});
}

// What somebody takes who holds the variable when it is written, before the other element comes.
std::vector<float> TakenAcrossAWrite(std::string_view backend, const std::string& queue, const std::string& take) {
  Steps steps(backend, {});
  AddQueue(steps, queue, 2);
  steps.Run("put");
  std::vector<float> taken;
  std::thread consumer([&] { taken = steps.Fetch(take); });
  while (steps.Number("size") > 0) std::this_thread::yield();
  steps.Run("write");
  steps.Run("put_five");
  consumer.join();
  return taken;
}

TEST_P(Aliases, AreReadWhenTheyAreTakenTogetherFromAQueue) {  // Q21, Q41
  for (const char* const take : {"take_2", "take_up_to_2"}) {
    EXPECT_THAT(TakenAcrossAWrite(GetParam(), "FIFOQueueV2", take), ElementsAre(1, 5)) << take;
    EXPECT_THAT(TakenAcrossAWrite(GetParam(), "RandomShuffleQueueV2", take), ElementsAre(1, 5)) << take;
    EXPECT_THAT(TakenAcrossAWrite(GetParam(), "PaddingFIFOQueueV2", take), ElementsAre(9, 5)) << take;
  }
}

TEST_P(Aliases, AreGivenBackByAQueue) {  // Q10, Q20
  Steps steps(GetParam(), {});
  AddQueue(steps, "FIFOQueueV2", 2);
  steps.Run("put");
  steps.Run("put");
  steps.Run("write");
  EXPECT_THAT(steps.Fetch("take", {}), ElementsAre(9));
  steps.Run("put_five");
  EXPECT_THAT(steps.Fetch("take_2"), ElementsAre(9, 5));
}

TEST_P(Aliases, AreReadRowByRowAsRowsGoIntoAQueue) {  // Q11
  Steps steps(GetParam(), {3});
  AddQueue(steps, "FIFOQueueV2", 1);
  std::thread producer([&] { steps.Run("put_rows"); });
  while (steps.Number("size") == 0) std::this_thread::yield();
  steps.Run("write");
  std::vector<float> taken;
  for (int i = 0; i < 3; ++i) taken.push_back(steps.Fetch("take").at(0));
  producer.join();
  EXPECT_THAT(taken, ElementsAre(1, 9, 9));
}

// ---- Other objects -------------------------------------------------------------------------------------------------

TEST_P(Aliases, AreGivenBackByWhatIsStaged) {  // Q71, Q72
  Steps steps(GetParam(), {});
  const AttrMap staged = {{"dtypes", kFloats}, {"shared_name", "s"}};
  steps.Constant("key", MakeScalar<int64_t>(3));
  steps.Constant("first", MakeVector<int32_t>({0}));
  steps.Constant("zero", MakeScalar<int32_t>(0));
  steps.Add("stage", "Stage", {"v"}, staged);
  steps.Add("peek", "StagePeek", {"zero"}, staged);
  steps.Add("unstage", "Unstage", {}, staged);
  for (const std::string map : {"Map", "OrderedMap"}) {
    AttrMap puts = staged;
    puts["fake_dtypes"] = kFloats;
    steps.Add(map + "_stage", map + "Stage", {"key", "first", "v"}, puts);
    steps.Add(map + "_peek", map + "Peek", {"key", "first"}, staged);
    steps.Add(map + "_unstage", map + "Unstage", {"key", "first"}, staged);
  }
  for (const std::string prefix : {"", "Map_", "OrderedMap_"}) {
    steps.Run("set");
    steps.Run(prefix + "stage");
    steps.Run("write");
    EXPECT_THAT(steps.Fetch(prefix + "peek"), ElementsAre(9)) << prefix;
    EXPECT_THAT(steps.Fetch(prefix + "unstage", {"set"}), ElementsAre(1)) << prefix << ": when the step is over";
  }
}

TEST_P(Aliases, AreCopiedIntoVariants) {
  const AttrMap any = {{"output_types", kFloats}, {"output_shapes", std::vector{PartialShape::Unknown()}}};
  Steps steps(GetParam(), {1});
  steps.Add("compressed", "CompressElement", {"v"}, {{"input_types", kFloats}});
  steps.Add("ragged", "RaggedTensorToVariant", {"v"},
            {{"RAGGED_RANK", 0}, {"Tvalues", DType::kFloat}, {"Tsplits", DType::kInt64}, {"batched_input", false}});
  steps.Add("write_later", "Assign", {"v", "nines", "^compressed", "^ragged"});
  steps.Add("uncompressed", "UncompressElement", {"compressed", "^write_later"}, any);
  steps.Add(
      "unpacked", "RaggedTensorFromVariant", {"ragged", "^write_later"},
      {{"input_ragged_rank", 0}, {"output_ragged_rank", 0}, {"Tvalues", DType::kFloat}, {"Tsplits", DType::kInt64}});
  EXPECT_THAT(steps.Fetch("uncompressed"), ElementsAre(1));
  steps.Run("set");
  EXPECT_THAT(steps.Fetch("unpacked"), ElementsAre(1));
}

TEST_P(Aliases, AreKeptInTheSession) {  // S11
  Steps steps(GetParam(), {});
  steps.Add("keep", "GetSessionHandle", {"v"});
  steps.Add("write_later", "Assign", {"v", "nines", "^keep"});
  steps.Add("kept_after", "GetSessionTensor", {"keep", "^write_later"}, {{"dtype", DType::kFloat}});
  EXPECT_THAT(steps.Fetch("kept_after"), ElementsAre(9));
}

}  // namespace
}  // namespace plumb::conformance
