// Steps that compute together (rules BT1–BT4), on every backend, against what is computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "backends/backends.h"

namespace plumb::conformance {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMinute = 60'000'000;  // in microseconds

struct Outcome {
  Status status;
  std::vector<Tensor> values;
  std::vector<float> floats(size_t i) const {
    const auto data = values.at(i).data<float>();
    return {data.begin(), data.end()};
  }
  std::vector<int64_t> numbers(size_t i) const {
    const auto data = values.at(i).data<int64_t>();
    return {data.begin(), data.end()};
  }
};

class Batching : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { session_ = OpenSession(GetParam(), {.threads = 2}); }

  void Add(const std::string& name, const std::string& op, std::vector<std::string> inputs, AttrMap attrs) {
    GraphDef graph;
    graph.nodes.push_back({name, op, std::move(inputs), "", std::move(attrs), ""});
    EXPECT_TRUE(session_->Extend(graph).ok()) << name;
  }
  void Input(const std::string& name, DType dtype) { Add(name, "Placeholder", {}, {{"dtype", dtype}}); }
  void AddBatch(const std::string& name, int64_t rows, int64_t microseconds, std::vector<int64_t> allowed = {}) {
    Input("x", DType::kFloat);
    Add(name, "Batch", {"x"},
        {{"num_batch_threads", int64_t{1}},
         {"max_batch_size", rows},
         {"batch_timeout_micros", microseconds},
         {"grad_timeout_micros", int64_t{0}},
         {"allowed_batch_sizes", std::move(allowed)},
         {"T", std::vector<DType>{DType::kFloat}}});
  }
  void AddUnbatch(int64_t microseconds) {
    Input("rows", DType::kFloat);
    Input("index", DType::kInt64);
    Input("id", DType::kInt64);
    Add("part", "Unbatch", {"rows", "index", "id"}, {{"timeout_micros", microseconds}, {"T", DType::kFloat}});
  }
  Outcome Run(const std::vector<Feed>& feeds, const std::vector<std::string>& fetches) {
    const std::vector<std::string> none;
    Outcome outcome;
    outcome.status = session_->Run({.timeout_ms = 60'000}, feeds, fetches, none, &outcome.values, nullptr);
    return outcome;
  }
  // What comes of two steps at once.
  std::pair<Outcome, Outcome> RunBoth(const std::vector<Feed>& first, const std::vector<Feed>& second,
                                      const std::vector<std::string>& fetches) {
    std::pair<Outcome, Outcome> both;
    std::thread other([&] { both.second = Run(second, fetches); });
    both.first = Run(first, fetches);
    other.join();
    return both;
  }
  Outcome RunUnbatch(std::initializer_list<float> rows, const std::vector<int64_t>& index, int64_t id) {
    const Tensor table = MakeTensor<int64_t>({std::ssize(index) / 3, 3}, std::span<const int64_t>(index));
    return Run({{"rows", MakeVector<float>(rows)}, {"index", table}, {"id", MakeScalar<int64_t>(id)}}, {"part:0"});
  }

  std::unique_ptr<Session> session_;
};
INSTANTIATE_TEST_SUITE_P(Backends, Batching, ::testing::Values("reference", "cpu", "sim"));

TEST_P(Batching, PadsUpToTheNextSize) {
  AddBatch("batch", 4, 0, {2, 4});
  const Outcome outcome = Run({{"x", MakeVector<float>({1, 2, 3})}}, {"batch:0", "batch:1", "batch:2"});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_THAT(outcome.floats(0), ElementsAre(1, 2, 3, 1));
  EXPECT_THAT(outcome.numbers(1), ElementsAre(1, 0, 3));
  EXPECT_THAT(outcome.numbers(2), ElementsAre(1));
}

TEST_P(Batching, TakesSizesAndTimesOf32Bits) {  // A10
  constexpr int64_t kWide = int64_t{1} << 32;
  AddBatch("batch", kWide + 4, 0);
  AddUnbatch(kWide);
  EXPECT_EQ(Run({{"x", MakeVector<float>({1})}}, {"batch:0"}).status.code(), Code::kInvalidArgument);
  EXPECT_EQ(RunUnbatch({1}, {8, 0, 1}, 8).status.code(), Code::kInvalidArgument);
}

TEST_P(Batching, GivesOneStepTheRowsOfAll) {
  AddBatch("batch", 4, kMinute);
  const auto [first, second] =
      RunBoth({{"x", MakeVector<float>({1, 2})}}, {{"x", MakeVector<float>({3, 4})}}, {"batch:0", "batch:1"});
  ASSERT_TRUE(first.status.ok() && second.status.ok()) << first.status.message() << second.status.message();
  // On the reference time may pass before the other step begins.
  EXPECT_THAT(first.floats(0), AnyOf(IsEmpty(), ElementsAre(1, 2), ElementsAre(3, 4, 1, 2)));
  EXPECT_THAT(second.floats(0), AnyOf(IsEmpty(), ElementsAre(3, 4), ElementsAre(1, 2, 3, 4)));
  EXPECT_EQ(first.floats(0).size() + second.floats(0).size(), 4u);
  EXPECT_EQ(first.numbers(1).size() + second.numbers(1).size(), 6u);
}

TEST_P(Batching, PartsFindTheirSteps) {
  AddBatch("batch", 4, kMinute);
  Add("product", "Mul", {"batch", "batch"}, {{"T", DType::kFloat}});
  Add("part", "Unbatch", {"product", "batch:1", "batch:2"}, {{"timeout_micros", kMinute}, {"T", DType::kFloat}});
  const auto [first, second] =
      RunBoth({{"x", MakeVector<float>({1, 2})}}, {{"x", MakeVector<float>({3, 4})}}, {"part:0"});
  ASSERT_TRUE(first.status.ok() && second.status.ok()) << first.status.message() << second.status.message();
  EXPECT_THAT(first.floats(0), ElementsAre(1, 4));
  EXPECT_THAT(second.floats(0), ElementsAre(9, 16));
}

// Two nodes of one step name one batch, one place of its parts, and one of its gradients.
TEST_P(Batching, NodesOfOneStepMeet) {
  const AttrMap batch = {{"num_batch_threads", int64_t{1}},      {"max_batch_size", int64_t{6}},
                         {"batch_timeout_micros", kMinute},      {"grad_timeout_micros", int64_t{0}},
                         {"shared_name", std::string("shared")}, {"T", std::vector<DType>{DType::kFloat}}};
  const AttrMap part = {{"timeout_micros", kMinute}, {"shared_name", std::string("shared")}, {"T", DType::kFloat}};
  const AttrMap gradient = {{"shared_name", std::string("shared")}, {"T", DType::kFloat}};
  for (const std::string i : {"1", "2"}) {
    Input("x" + i, DType::kFloat);
    Add("batch" + i, "Batch", {"x" + i}, batch);
    Add("part" + i, "Unbatch", {"batch" + i, "batch" + i + ":1", "batch" + i + ":2"}, part);
    Add("square" + i, "Mul", {"part" + i, "part" + i}, {{"T", DType::kFloat}});
    Add("gradient" + i, "UnbatchGrad", {"batch" + i, "batch" + i + ":1", "square" + i, "batch" + i + ":2"}, gradient);
  }
  const Outcome outcome = Run({{"x1", MakeVector<float>({1, 2})}, {"x2", MakeVector<float>({3, 4, 5, 6})}},
                              {"part1:0", "part2:0", "gradient1:0", "gradient2:0"});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_THAT(outcome.floats(0), ElementsAre(1, 2));
  EXPECT_THAT(outcome.floats(1), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(outcome.floats(2), AnyOf(IsEmpty(), ElementsAre(9, 16, 25, 36, 1, 4)));
  EXPECT_THAT(outcome.floats(3), AnyOf(IsEmpty(), ElementsAre(1, 4, 9, 16, 25, 36)));
  EXPECT_EQ(outcome.floats(2).size() + outcome.floats(3).size(), 6u);
}

// Behind the rows of all come copies of the first row of whoever came first; nobody's part ends with them.
TEST_P(Batching, PadsWhatCameTogetherByItsFirstRow) {
  const AttrMap batch = {{"num_batch_threads", int64_t{1}},
                         {"max_batch_size", int64_t{8}},
                         {"batch_timeout_micros", int64_t{200'000}},
                         {"grad_timeout_micros", int64_t{0}},
                         {"allowed_batch_sizes", std::vector<int64_t>{2, 5, 8}},
                         {"shared_name", std::string("shared")},
                         {"T", std::vector<DType>{DType::kFloat}}};
  for (const std::string i : {"1", "2"}) {
    Input("x" + i, DType::kFloat);
    Add("batch" + i, "Batch", {"x" + i}, batch);
  }
  // Who came too late begins a batch of its own.
  Outcome outcome;
  const auto has_both = [&] {
    return outcome.numbers(1).size() + outcome.numbers(3).size() == 6 &&
           (outcome.numbers(1).empty() || outcome.numbers(3).empty());
  };
  for (int attempt = 0; attempt == 0 || (attempt < 20 && outcome.status.ok() && !has_both()); ++attempt) {
    outcome = Run({{"x1", MakeTensor<float>({2, 1}, {1, 2})}, {"x2", MakeTensor<float>({1, 1}, {3})}},
                  {"batch1:0", "batch1:1", "batch2:0", "batch2:1"});
  }
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_TRUE(has_both()) << "they never met";
  const size_t last = outcome.numbers(1).empty() ? 2 : 0;
  const std::vector<int64_t> index = outcome.numbers(last + 1);
  EXPECT_EQ(outcome.values[last].shape(), Shape({5, 1}));
  EXPECT_THAT(outcome.floats(last), AnyOf(ElementsAre(1, 2, 3, 1, 1), ElementsAre(3, 1, 2, 3, 3)));
  const bool is_first_longer = outcome.floats(last)[0] == 1;
  EXPECT_THAT(index, ElementsAre(index[0], 0, is_first_longer ? 2 : 1, index[3], is_first_longer ? 2 : 1, 3));
}

TEST_P(Batching, ABatchTakesNoMoreThanItsSize) {
  AddBatch("batch", 4, 0);
  EXPECT_EQ(Run({{"x", MakeVector<float>({1, 2, 3, 4, 5})}}, {"batch:0"}).status.code(), Code::kInvalidArgument);
  EXPECT_EQ(Run({{"x", MakeScalar<float>(1)}}, {"batch:0"}).status.code(), Code::kInvalidArgument);
  const Outcome none = Run({{"x", MakeVector<float>({})}}, {"batch:0", "batch:1", "batch:2"});
  for (const Tensor& value : none.values) EXPECT_EQ(value.shape(), Shape({0}));
}

TEST_P(Batching, SizesAscendToTheLargest) {
  AddBatch("batch", 4, 0, {2, 3});
  EXPECT_EQ(Run({{"x", MakeVector<float>({1})}}, {"batch:0"}).status.code(), Code::kInvalidArgument);
}

TEST_P(Batching, APartWaitsForItsStepAndAStepForItsPart) {
  AddUnbatch(1000);
  const auto code = [&](const std::vector<int64_t>& index, int64_t id) {
    return RunUnbatch({1, 2, 3}, index, id).status.code();
  };
  const Outcome own = RunUnbatch({1, 2, 3}, {7, 0, 1, 8, 1, 3}, 8);
  ASSERT_TRUE(own.status.ok()) << own.status.message();
  EXPECT_THAT(own.floats(0), ElementsAre(2, 3));
  EXPECT_THAT(RunUnbatch({}, {}, 7).floats(0), ElementsAre(1));
  EXPECT_EQ(code({}, 7), Code::kDeadlineExceeded) << "it was there once";
  EXPECT_EQ(code({5, 0, 1, 6, 1, 2}, 6), Code::kOk);
  EXPECT_EQ(code({5, 0, 1, 6, 1, 2}, 6), Code::kAlreadyExists) << "part 5";
  EXPECT_EQ(code({1, 0, 4}, 1), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 2, 1}, 1), Code::kInvalidArgument);
}

// A number for the bits of another number is what nobody sees.
TEST_P(Batching, APartOfAnotherTypeIsRefused) {
  Input("index", DType::kInt64);
  Input("id", DType::kInt64);
  for (const DType type : {DType::kFloat, DType::kInt32}) {
    const std::string name(DTypeName(type));
    Input(name, type);
    Add("part_" + name, "Unbatch", {name, "index", "id"},
        {{"timeout_micros", int64_t{1000}}, {"shared_name", std::string("shared")}, {"T", type}});
  }
  const std::vector<int64_t> both = {1, 0, 1, 2, 1, 2};
  const auto code = [&](const std::string& type, const Tensor& rows, bool has_index, int64_t id) {
    const Tensor index =
        has_index ? MakeTensor<int64_t>({2, 3}, std::span<const int64_t>(both)) : Tensor(DType::kInt64, {0, 3});
    return Run({{type, rows}, {"index", index}, {"id", MakeScalar<int64_t>(id)}}, {"part_" + type + ":0"})
        .status.code();
  };
  const std::string floats(DTypeName(DType::kFloat)), ints(DTypeName(DType::kInt32));
  EXPECT_EQ(code(floats, MakeVector<float>({1, 2}), true, 1), Code::kOk);
  EXPECT_EQ(code(ints, MakeVector<int32_t>({}), false, 2), Code::kInternal);
  EXPECT_EQ(code(floats, MakeVector<float>({}), false, 2), Code::kDeadlineExceeded) << "it was there once";
}

TEST_P(Batching, GradientsOfPartsMakeThatOfTheBatch) {
  for (const char* const name : {"x", "grad"}) Input(name, DType::kFloat);
  for (const char* const name : {"index", "id"}) Input(name, DType::kInt64);
  Add("batch_grad", "UnbatchGrad", {"x", "index", "grad", "id"}, {{"T", DType::kFloat}});
  const auto feeds = [](std::initializer_list<float> x, std::initializer_list<float> grad, int64_t id) {
    const std::vector<int64_t> index = {1, 0, 1, 2, 1, 3};
    return std::vector<Feed>{{"x", MakeVector<float>(x)},
                             {"index", MakeTensor<int64_t>({2, 3}, std::span<const int64_t>(index))},
                             {"grad", MakeVector<float>(grad)},
                             {"id", MakeScalar<int64_t>(id)}};
  };
  const auto [whole, part] = RunBoth(feeds({5, 6, 7}, {10}, 1), feeds({}, {20, 30}, 2), {"batch_grad:0"});
  ASSERT_TRUE(whole.status.ok() && part.status.ok()) << whole.status.message() << part.status.message();
  EXPECT_THAT(whole.floats(0), ElementsAre(10, 20, 30));
  EXPECT_THAT(part.floats(0), IsEmpty());
  std::vector<Feed> listed = feeds({}, {1}, 3);
  listed.back().second = MakeVector<int64_t>({3});
  EXPECT_EQ(Run(listed, {"batch_grad:0"}).status.code(), Code::kInvalidArgument) << "id is a scalar";
  EXPECT_TRUE(Run(feeds({}, {1}, 3), {"batch_grad:0"}).status.ok());
  EXPECT_EQ(Run(feeds({}, {1}, 3), {"batch_grad:0"}).status.code(), Code::kInvalidArgument);
}

// Steps of two kinds under one name cannot be in one batch.
TEST_P(Batching, HasOneKindOfValues) {
  Input("x", DType::kFloat);
  const auto add = [&](const std::string& name, std::vector<std::string> inputs) {
    const std::vector<DType> types(inputs.size(), DType::kFloat);
    Add(name, "Batch", std::move(inputs),
        {{"num_batch_threads", int64_t{1}},
         {"max_batch_size", int64_t{2}},
         {"batch_timeout_micros", kMinute},
         {"grad_timeout_micros", int64_t{0}},
         {"shared_name", std::string("shared")},
         {"T", types}});
  };
  add("pair", {"x", "x"});
  add("single", {"x"});
  const Outcome both = Run({{"x", MakeVector<float>({1})}}, {"pair:0", "single:0"});
  EXPECT_EQ(both.status.code(), Code::kInvalidArgument) << both.status.message();
}

// T5: gradients of another node's type are no answer.
TEST_P(Batching, GradientsHaveOneType) {
  Input("rows", DType::kDouble);
  Input("gradient", DType::kDouble);
  Input("other", DType::kFloat);
  Input("no_rows", DType::kFloat);
  Input("index", DType::kInt64);
  for (const int64_t id : {1, 2}) Input(Str("id_", id), DType::kInt64);
  const std::string shared = "shared";
  Add("float", "UnbatchGrad", {"no_rows", "index", "other", "id_1"}, {{"shared_name", shared}, {"T", DType::kFloat}});
  Add("double", "UnbatchGrad", {"rows", "index", "gradient", "id_2"}, {{"shared_name", shared}, {"T", DType::kDouble}});
  const Tensor index = MakeTensor<int64_t>({1, 3}, {1, 0, 1});
  ASSERT_TRUE(Run({{"no_rows", Tensor(DType::kFloat, {0})},
                   {"index", index},
                   {"other", MakeVector<float>({1})},
                   {"id_1", MakeScalar<int64_t>(1)}},
                  {"float"})
                  .status.ok());
  const Outcome outcome = Run({{"rows", MakeVector<double>({1})},
                               {"index", index},
                               {"gradient", MakeVector<double>({1})},
                               {"id_2", MakeScalar<int64_t>(2)}},
                              {"double"});
  EXPECT_EQ(outcome.status.code(), Code::kInternal) << outcome.status.message();
}

}  // namespace
}  // namespace plumb::conformance
