// Which examples come in one batch, by their bucket or their length.
#include "client/input/bucket.h"

#include <algorithm>
#include <map>
#include <set>

#include "client/input/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using Batches = std::vector<std::vector<double>>;

class BucketPipelines : public PipelineTest {
 protected:
  // These lengths, once and in order.
  static Output Lengths(Scope& scope, const std::vector<int32_t>& lengths) {
    const Output rows = Constant(scope, MakeTensor<int32_t>({static_cast<int64_t>(lengths.size())}, lengths));
    return InputProducer(scope, rows, {.num_epochs = 1, .shuffle = false}).Dequeue(scope)[0];
  }
  Output Lengths(const std::vector<int32_t>& lengths) { return Lengths(scope_, lengths); }
  // As many numbers as `length` says, all of them this one.
  static Output Repeated(Scope& scope, Output length) {
    return scope.Call("Fill", {scope.Call("Reshape", {length, Constant<int32_t>(scope, {1})}), length});
  }
  // The same, of no known shape.
  Output Unknown(Output x) { return Call("PlaceholderWithDefault", {x}, {{"shape", PartialShape::Unknown()}}); }
};

// Those that share a bucket, in their order, cut into batches of its size; a rest comes where it is asked for.
Batches Cut(const std::vector<int32_t>& lengths, const std::vector<int32_t>& boundaries, const BucketOptions& options) {
  std::map<size_t, std::vector<double>> waiting;
  Batches batches;
  for (const int32_t length : lengths) {
    size_t bucket = 0;
    while (bucket < boundaries.size() && boundaries[bucket] <= length) ++bucket;
    waiting[bucket].push_back(length);
    const int64_t size = options.batch_sizes.size() == 1 ? options.batch_sizes[0] : options.batch_sizes[bucket];
    if (static_cast<int64_t>(waiting[bucket].size()) == size) batches.push_back(std::exchange(waiting[bucket], {}));
  }
  if (options.allow_smaller_final_batch) {
    for (const auto& [bucket, rest] : waiting) {
      if (!rest.empty()) batches.push_back(rest);
    }
  }
  std::sort(batches.begin(), batches.end());
  return batches;
}

TEST_P(BucketPipelines, ThreeBoundariesMakeFourBuckets) {
  const Output length = Lengths({1, 2, 3, 4, 5, 6, 7, 0});
  const auto bucketed = BucketBySequenceLength(scope_, length, {Repeated(scope_, length)}, {2, 4, 6},
                                               {.batch_sizes = {2}, .dynamic_pad = true});
  Batches batches = ReadNumbers(bucketed.lengths);
  std::sort(batches.begin(), batches.end());
  EXPECT_THAT(batches, ElementsAre(ElementsAre(1, 0), ElementsAre(2, 3), ElementsAre(4, 5), ElementsAre(6, 7)));
}

// With lengths below, on and above each boundary, one batch size for all buckets or one for each, rests that come or
// are left out, and more or less room.
TEST_P(BucketPipelines, LengthsShareBatchesBetweenBoundaries) {
  const std::vector<int32_t> lengths = {5, 1, 6, 2, 7, 3, 4, 0, 9, 5, 1, 1, 2, 6, 8, 3, 3, 4, 7, 2, 0};
  const auto check = [&](const std::vector<int32_t>& boundaries, const BucketOptions& options) {
    Scope scope;
    const Output length = Lengths(scope, lengths);
    const auto bucketed = BucketBySequenceLength(scope, length, {Repeated(scope, length)}, boundaries, options);
    Batches found;
    for (const auto& step : ReadAll(scope, {bucketed.lengths, bucketed.batch[0]})) {
      found.push_back(Numbers(step[0]));
      std::vector<double> padded;
      const double longest = *std::max_element(found.back().begin(), found.back().end());
      for (const double of : found.back()) {
        for (int i = 0; i < longest; ++i) padded.push_back(i < of ? of : 0);
      }
      EXPECT_EQ(Numbers(step[1]), padded);
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, Cut(lengths, boundaries, options))
        << boundaries.size() << " boundaries, " << options.batch_sizes.size() << " sizes from "
        << options.batch_sizes[0] << ", room for " << options.capacity;
  };
  const std::vector<std::vector<int32_t>> all_boundaries = {{3}, {1, 7}, {2, 4, 6}, {1, 2, 3, 4, 100}};
  for (const std::vector<int32_t>& boundaries : all_boundaries) {
    std::vector<int64_t> different;
    for (size_t i = 0; i <= boundaries.size(); ++i) different.push_back(static_cast<int64_t>(i % 3) + 1);
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{3}, different}) {
      for (const int64_t capacity : {1, 32}) {
        BucketOptions options = {.batch_sizes = sizes, .capacity = capacity, .dynamic_pad = true};
        check(boundaries, options);
        options.allow_smaller_final_batch = true;
        check(boundaries, options);
      }
    }
  }
}

// What is known of a batch: its size, where all batches have the same.
TEST_P(BucketPipelines, BatchesHaveTheShapesThatAreKnown) {
  const auto shapes = [&](const BucketOptions& options) {
    const Output length = Lengths({1, 2, 3});
    const Output pair = Call("Pack", {length, -length}, {{"N", int64_t{2}}});
    const auto bucketed = BucketBySequenceLength(scope_, length, {pair, length}, {2, 3}, options);
    return Str(bucketed.lengths.shape().ToString(), bucketed.batch[0].shape().ToString(),
               bucketed.batch[1].shape().ToString());
  };
  EXPECT_EQ(shapes({.batch_sizes = {5}}), "[5][5,2][5]");
  EXPECT_EQ(shapes({.batch_sizes = {5, 5, 1}}), "[?][?,2][?]");
  EXPECT_EQ(shapes({.batch_sizes = {5}, .allow_smaller_final_batch = true}), "[?][?,2][?]");
}

// What is not known of an example's shape may be said: whole, or where batches are padded but for its sizes. The
// lengths' own shape is not among what is said.
TEST_P(BucketPipelines, ShapesMayBeSaid) {
  const auto read = [&](const BucketOptions& options, auto make) {
    const Output length = Lengths({1, 2, 3, 3, 2, 1});
    const auto bucketed = BucketBySequenceLength(scope_, length, {Unknown(make(length)), length}, {2, 3}, options);
    Batches batches;
    for (const auto& step : ReadAll({bucketed.batch[0], bucketed.batch[1]})) {
      batches.push_back(Numbers(step[0]));
      EXPECT_EQ(step[0].shape().dim(0), step[1].shape().dim(0));
    }
    std::sort(batches.begin(), batches.end());
    return std::pair(batches, bucketed.batch[0].shape().ToString());
  };
  const auto [pairs, pair_shape] =
      read({.batch_sizes = {2}, .shapes = {PartialShape({2}), PartialShape(Shape())}}, [&](Output length) {
        return Call("Pack", {length, -length}, {{"N", int64_t{2}}});
      });
  EXPECT_THAT(pairs, ElementsAre(ElementsAre(1, -1, 1, -1), ElementsAre(2, -2, 2, -2), ElementsAre(3, -3, 3, -3)));
  EXPECT_EQ(pair_shape, "[2,2]");
  const auto [padded, padded_shape] =
      read({.batch_sizes = {2}, .shapes = {PartialShape({-1}), PartialShape(Shape())}, .dynamic_pad = true},
           [&](Output length) { return Repeated(scope_, length); });
  EXPECT_THAT(padded, ElementsAre(ElementsAre(1, 1), ElementsAre(2, 2, 2, 2), ElementsAre(3, 3, 3, 3, 3, 3)));
  EXPECT_EQ(padded_shape, "[2,?]");
}

// Threads that fill the buckets together change no more than the order.
TEST_P(BucketPipelines, ThreadsFillThemTogether) {
  const Output i = Counter(24);
  const Bucketed bucketed = Bucket(scope_, {i}, Call("FloorMod", {i, Int(3)}), 3,
                                   {.batch_sizes = {3}, .num_threads = 4, .allow_smaller_final_batch = true});
  std::multiset<double> seen;
  for (const auto& step : ReadAll({bucketed.bucket, bucketed.batch[0]})) {
    for (const double number : Numbers(step[1])) {
      seen.insert(number);
      EXPECT_EQ(static_cast<int>(number) % 3, Numbers(step[0])[0]) << number;
    }
  }
  EXPECT_EQ(seen.size(), 24U);
  EXPECT_EQ(std::set<double>(seen.begin(), seen.end()).size(), 24U);
}

// Numbers that are no bucket's, and what is not kept, come in no batch.
TEST_P(BucketPipelines, SomeComeInNone) {
  const Output i = Counter(10);
  BucketOptions options = {.batch_sizes = {1, 2}};
  options.keep_input = i < 8;
  const Bucketed bucketed = Bucket(scope_, {i}, Call("FloorMod", {i, Int(3)}), 2, options);
  Batches found;
  for (const auto& step : ReadAll({bucketed.bucket, bucketed.batch[0]})) {
    found.push_back(Numbers(step[0]));
    for (const double number : Numbers(step[1])) found.back().push_back(number);
  }
  std::sort(found.begin(), found.end());
  EXPECT_THAT(found, ElementsAre(ElementsAre(0, 0), ElementsAre(0, 3), ElementsAre(0, 6), ElementsAre(1, 1, 4)));

  const Output length = Lengths({1, 5, 3, 2, 4, 6});
  options = {.batch_sizes = {2}};
  options.keep_input = Call("NotEqual", {length, Int(3)});
  Batches lengths = ReadNumbers(BucketBySequenceLength(scope_, length, {length}, {3, 5}, options).lengths);
  std::sort(lengths.begin(), lengths.end());
  EXPECT_THAT(lengths, ElementsAre(ElementsAre(1, 2), ElementsAre(5, 6)));
}

TEST_P(BucketPipelines, RefuseWhatDoesNotFit) {
  const Output unknown = Input(PartialShape::Unknown(), "unknown");
  const auto by_length = [&](Output length, const std::vector<int32_t>& boundaries, const BucketOptions& options,
                             const Example& example, const std::string& text) {
    return Refuses([&] { BucketBySequenceLength(scope_, length, example, boundaries, options); },
                   Code::kInvalidArgument, text);
  };
  const BucketOptions one = {.batch_sizes = {1}};
  EXPECT_TRUE(by_length(Int(1), {2, 2}, one, {Float(1)}, "must grow"));
  EXPECT_TRUE(by_length(Int(1), {2, 4, 3}, one, {Float(1)}, "must grow"));
  EXPECT_TRUE(by_length(Int(1), {}, one, {Float(1)}, "at least one boundary"));
  EXPECT_TRUE(by_length(Float(1), {2}, one, {Float(1)}, "int32 scalar"));
  EXPECT_TRUE(by_length(Constant<int32_t>(scope_, {1}), {2}, one, {Float(1)}, "int32 scalar"));
  EXPECT_TRUE(
      by_length(Int(1), {2, 4}, {.batch_sizes = {1, 2}}, {Float(1)}, "3 buckets need one batch size or as many"));
  EXPECT_TRUE(by_length(Int(1), {2}, {.batch_sizes = {1, 0}}, {Float(1)}, "batch_size"));
  EXPECT_TRUE(by_length(Int(1), {2}, {.batch_sizes = {1}, .num_threads = 0}, {Float(1)}, "must be positive"));
  EXPECT_TRUE(by_length(Int(1), {2}, {.batch_sizes = {1}, .capacity = 0}, {Float(1)}, "must be positive"));
  EXPECT_TRUE(by_length(Int(1), {2}, one, {unknown}, "must be known"));
  EXPECT_TRUE(by_length(Int(1), {2}, {.batch_sizes = {1}, .dynamic_pad = true}, {unknown}, "up to their sizes"));
  EXPECT_TRUE(Refuses([&] { Bucket(scope_, {}, Int(0), 2, one); }, Code::kInvalidArgument, "no example"));
  EXPECT_TRUE(Refuses([&] { Bucket(scope_, {Float(1)}, Int(0), 0, one); }, Code::kInvalidArgument, "positive number"));
}
PLUMB_ON_EACH_BACKEND(BucketPipelines);

}  // namespace
}  // namespace plumb
