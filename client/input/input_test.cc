// Pipelines that are read to their end.
#include <algorithm>
#include <set>

#include "client/input/batch.h"
#include "client/input/bucket.h"
#include "client/input/testing.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class Pipelines : public PipelineTest {};

TEST_P(Pipelines, OfStringsAreInOrder) {
  const Queue names = StringInputProducer(scope_, {"a", "b", "c"}, {.num_epochs = 2, .shuffle = false});
  std::string all;
  for (const auto& step : ReadAll(names.Dequeue(scope_))) all += step[0].scalar<std::string>();
  EXPECT_EQ(all, "abcabc");
  EXPECT_EQ(scope_.local_variables()[0].name(), "input_producer/limit_epochs/epochs");
}

// Files that come later are not among them.
TEST_P(Pipelines, OfFilesThatMatchOnce) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name) { Files().Write(folder.path() + "/" + name, ""); };
  for (const char* name : {"part-2", "other", "part-1"}) write(name);
  const Output names = MatchFilenamesOnce(scope_, {folder.path() + "/part-*", folder.path() + "/none"});
  const Queue queue = StringInputProducer(scope_, names, {.num_epochs = 2, .shuffle = false});
  std::string all;
  for (const auto& step : ReadAll(queue.Dequeue(scope_))) {
    const std::string name = step[0].scalar<std::string>();
    all += name.substr(name.rfind('/'));
  }
  EXPECT_EQ(all, "/part-1/part-2/part-1/part-2");
  EXPECT_EQ(scope_.local_variables()[0].name(), "matching_filenames");
  const NodeId init = InitializeLocal(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  write("part-3");
  EXPECT_EQ(program.Fetch(names).elements(), 2);
  program.Run(init);
  EXPECT_EQ(program.Fetch(names).elements(), 3);
}

TEST_P(Pipelines, OfNoFileAreRefusedWhenTheyRun) {
  const TemporaryFolder folder;
  StringInputProducer(scope_, MatchFilenamesOnce(scope_, {folder.path() + "/none"}));
  const NodeId init = InitializeLocal(scope_);
  Program program(scope_, OpenSession(GetParam()));
  program.Run(init);
  std::vector<Tensor> nothing;
  const std::vector<std::string> enqueue = {scope_.queue_runners()[0].enqueue[0]};
  const Status status = program.session().Run({}, {}, enqueue, &nothing);
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("no string"));
}

TEST_P(Pipelines, MayBeShuffledInEachEpoch) {
  const Queue numbers = RangeInputProducer(scope_, Int(8), {.num_epochs = 2, .seed = 5});
  std::vector<double> all;
  for (const auto& step : ReadNumbers(numbers.Dequeue(scope_)[0])) all.push_back(step[0]);
  ASSERT_EQ(all.size(), 16U);
  EXPECT_FALSE(std::is_sorted(all.begin(), all.begin() + 8));
  EXPECT_EQ(std::set<double>(all.begin(), all.begin() + 8).size(), 8U);
  EXPECT_EQ(std::set<double>(all.begin() + 8, all.end()).size(), 8U);
}

// An order is its seed's, and another one in each epoch.
TEST_P(Pipelines, AreShuffledByTheirSeed) {
  const auto order = [&](int64_t seed) {
    Scope scope;
    const Queue numbers = RangeInputProducer(scope, Constant(scope, 16), {.num_epochs = 2, .seed = seed});
    std::vector<double> read;
    for (const auto& step : ReadAll(scope, numbers.Dequeue(scope))) read.push_back(Numbers(step[0])[0]);
    return read;
  };
  const auto all = order(5);
  ASSERT_EQ(all.size(), 32U);
  EXPECT_FALSE(std::equal(all.begin(), all.begin() + 16, all.begin() + 16));
  EXPECT_EQ(order(5), all);
  EXPECT_NE(order(6), all);
}

TEST_P(Pipelines, OfSlicesKeepRowsTogether) {
  const auto slices =
      SliceInputProducer(scope_, {Matrix(2, 2, {1, 2, 3, 4}), Floats({10, 20})}, {.num_epochs = 1, .shuffle = false});
  const auto steps = ReadAll(slices);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_THAT(Numbers(steps[1][0]), ElementsAre(3, 4));
  EXPECT_THAT(Numbers(steps[1][1]), ElementsAre(20));
}

TEST_P(Pipelines, MakeBatches) {
  const Example batch = Batch(scope_, {Counter(5)}, {.batch_size = 2});
  EXPECT_EQ(batch[0].shape().ToString(), "[2]");
  EXPECT_THAT(ReadNumbers(batch[0]), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST_P(Pipelines, MakeASmallerLastBatch) {
  const Example batch = Batch(scope_, {Counter(5)}, {.batch_size = 2, .allow_smaller_final_batch = true});
  EXPECT_EQ(batch[0].shape().ToString(), "[?]");
  EXPECT_THAT(ReadNumbers(batch[0]), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4)));
}

// Each example becomes rows i and −i.
TEST_P(Pipelines, TakeManyExamplesAtOnce) {
  const Output i = Counter(3);
  const Output rows = scope_.Call("Pack", {i, -i}, {{"N", int64_t{2}}});
  const Example batch = Batch(scope_, {rows}, {.batch_size = 3, .enqueue_many = true});
  EXPECT_THAT(ReadNumbers(batch[0]), ElementsAre(ElementsAre(0, 0, 1), ElementsAre(-1, 2, -2)));
}

// Example i is i numbers long.
TEST_P(Pipelines, PadShorterExamples) {
  const Output i = Counter(4);
  const Output shape = scope_.Call("Reshape", {i, Constant<int32_t>(scope_, {1})});
  const Output example = scope_.Call("Fill", {shape, i});
  const Example batch = Batch(scope_, {example}, {.batch_size = 2, .dynamic_pad = true});
  EXPECT_THAT(ReadNumbers(batch[0]), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 2, 0, 3, 3, 3)));
}

TEST_P(Pipelines, LeaveExamplesOut) {
  const Output i = Counter(6);
  const Output is_odd = scope_.Call("Equal", {scope_.Call("FloorMod", {i, Int(2)}), Int(1)});
  const Example batch = MaybeBatch(scope_, {i}, is_odd, {.batch_size = 3});
  EXPECT_THAT(ReadNumbers(batch[0]), ElementsAre(ElementsAre(1, 3, 5)));
}

TEST_P(Pipelines, LeaveRowsOut) {
  const Output i = Counter(2);
  const Output rows = scope_.Call("Pack", {i, i + 10, i + 20}, {{"N", int64_t{3}}});
  const Example batch = MaybeBatch(scope_, {rows}, Bools({true, false, true}), {.batch_size = 2, .enqueue_many = true});
  EXPECT_THAT(ReadNumbers(batch[0]), ElementsAre(ElementsAre(0, 20), ElementsAre(1, 21)));
}

TEST_P(Pipelines, JoinSources) {
  const Example batch = BatchJoin(scope_, {{Counter(3)}, {Counter(3) + 10}}, {.batch_size = 6});
  auto batches = ReadNumbers(batch[0]);
  ASSERT_EQ(batches.size(), 1U);
  std::sort(batches[0].begin(), batches[0].end());
  EXPECT_THAT(batches[0], ElementsAre(0, 1, 2, 10, 11, 12));
}

TEST_P(Pipelines, ShuffleExamples) {
  const Example batch =
      ShuffleBatch(scope_, {Counter(12)}, {.batch_size = 4, .num_threads = 2}, {.min_after_dequeue = 8, .seed = 3});
  std::vector<double> all;
  for (const auto& numbers : ReadNumbers(batch[0])) all.insert(all.end(), numbers.begin(), numbers.end());
  ASSERT_EQ(all.size(), 12U);
  EXPECT_FALSE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(std::set<double>(all.begin(), all.end()).size(), 12U);
}

TEST_P(Pipelines, ShuffleSources) {
  const Example batch = ShuffleBatchJoin(scope_, {{Counter(8)}, {Counter(8) + 10}}, {.batch_size = 16},
                                         {.min_after_dequeue = 16, .seed = 3});
  auto batches = ReadNumbers(batch[0]);
  ASSERT_EQ(batches.size(), 1U);
  std::vector<double> of_one;
  std::ranges::copy_if(batches[0], std::back_inserter(of_one), [](double number) { return number < 10; });
  EXPECT_FALSE(std::ranges::is_sorted(of_one));
  std::ranges::sort(batches[0]);
  EXPECT_THAT(batches[0], ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17));
}

// What is not known of an example's shape may be said.
TEST_P(Pipelines, MakeBatchesOfShapesThatAreSaid) {
  const Output pair = scope_.Call("Pack", {Counter(4), Int(9)}, {{"N", int64_t{2}}});
  const Output unknown = scope_.Call("PlaceholderWithDefault", {pair}, {{"shape", PartialShape::Unknown()}});
  const Example batch = Batch(scope_, {unknown}, {.batch_size = 2, .shapes = {PartialShape({2})}});
  EXPECT_EQ(batch[0].shape().ToString(), "[2,2]");
  EXPECT_THAT(ReadNumbers(batch[0]), ElementsAre(ElementsAre(0, 9, 1, 9), ElementsAre(2, 9, 3, 9)));
}

// What queues are called in all graphs of a cluster: nothing, unless it is said.
TEST_P(Pipelines, ShareTheQueuesThatHaveNames) {
  const auto shared = [](const std::function<void(Scope&, Output)>& make) {
    Scope scope;
    make(scope, Constant(scope, 1));
    std::vector<std::string> names;
    for (const Node& node : scope.builder().graph().nodes()) {
      const std::string_view op = node.op->name;
      if (op.ends_with("QueueV2") && op.find("Enqueue") == op.npos && op.find("Dequeue") == op.npos) {
        names.push_back(GetAttr<std::string>(node.attrs, "shared_name"));
      }
    }
    return names;
  };
  const std::string none;
  for (const std::string& name : {none, std::string("q")}) {
    const auto produce = [&](Scope& scope, Output x) { RangeInputProducer(scope, x, {.shared_name = name}); };
    const auto batch = [&](Scope& scope, Output x) { Batch(scope, {x}, {.shared_name = name}); };
    const auto join = [&](Scope& scope, Output x) { BatchJoin(scope, {{x}, {x}}, {.shared_name = name}); };
    const auto shuffle = [&](Scope& scope, Output x) { ShuffleBatch(scope, {x}, {.shared_name = name}, {}); };
    const auto bucket = [&](Scope& scope, Output x) {
      Bucket(scope, {x}, x, 2, {.batch_sizes = {1}, .shared_name = name});
    };
    EXPECT_THAT(shared(produce), ElementsAre(name));
    EXPECT_THAT(shared(batch), ElementsAre(name));
    EXPECT_THAT(shared(join), ElementsAre(name));
    EXPECT_THAT(shared(shuffle), ElementsAre(name));
    const std::string first = name.empty() ? none : "q_bucket_0", second = name.empty() ? none : "q_bucket_1";
    EXPECT_THAT(shared(bucket), ElementsAre(first, second, name.empty() ? none : "q_top"));
  }
}

TEST_P(Pipelines, RefuseWhatDoesNotFit) {
  const auto refused = [&](const std::string& text, auto make) { return Refuses(make, Code::kInvalidArgument, text); };
  const Output unknown = Input(PartialShape::Unknown(), "unknown");
  EXPECT_TRUE(refused("no string", [&] { StringInputProducer(scope_, std::vector<std::string>{}); }));
  EXPECT_TRUE(refused("a vector of them", [&] { StringInputProducer(scope_, Floats({1})); }));
  EXPECT_TRUE(refused("number of epochs", [&] { StringInputProducer(scope_, {"a"}, {.num_epochs = 0}); }));
  EXPECT_TRUE(refused("rows of a tensor", [&] { InputProducer(scope_, Float(1)); }));
  EXPECT_TRUE(refused("batch_size", [&] { Batch(scope_, {Float(1)}, {.batch_size = 0}); }));
  EXPECT_TRUE(refused("must be known", [&] { Batch(scope_, {unknown}, {.batch_size = 1}); }));
  EXPECT_TRUE(refused("no example", [&] { Batch(scope_, {}, {.batch_size = 1}); }));
  EXPECT_TRUE(refused("keep_input", [&] { MaybeBatch(scope_, {Float(1)}, Float(1), {.batch_size = 1}); }));
  EXPECT_TRUE(refused("less than the capacity", [&] {
    ShuffleBatch(scope_, {Float(1)}, {.batch_size = 1, .capacity = 4}, {.min_after_dequeue = 4});
  }));
  EXPECT_TRUE(refused("components", [&] { BatchJoin(scope_, {{Float(1)}, {Float(1), Float(2)}}, {.batch_size = 1}); }));
}
PLUMB_ON_EACH_BACKEND(Pipelines);

}  // namespace
}  // namespace plumb
