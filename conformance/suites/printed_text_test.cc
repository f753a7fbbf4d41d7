// What Print and PrintV2 write, on both sides, as TensorFlow 2.12 does.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "backends/backends.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/function_testing.h"

namespace plumb::conformance {
namespace {

struct Streams {
  std::string out, err;
};

class PrintedText : public ::testing::TestWithParam<std::string_view> {
 protected:
  // What `times` steps that run this node write.
  Streams Run(GraphDef graph, int times = 1) {
    const std::vector<std::string> targets = {graph.nodes.back().name};
    const auto session = OpenSession(GetParam());
    EXPECT_EQ(session->Extend(graph).ToString(), "OK");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    for (int i = 0; i < times; ++i) {
      std::vector<Tensor> none;
      const Status status = session->Run({}, {}, targets, &none);
      if (!status.ok()) ADD_FAILURE() << status.ToString();
    }
    return {.out = testing::internal::GetCapturedStdout(), .err = testing::internal::GetCapturedStderr()};
  }

  // Print of these, whose own input is another.
  std::string Printed(const std::vector<Tensor>& data, AttrMap attrs = {}, int times = 1) {
    GraphDef graph;
    std::vector<std::string> inputs = {"input"};
    std::vector<DType> types;
    graph.nodes.push_back(MakeConst("input", MakeVector<float>({-99, -98})));
    for (const Tensor& value : data) {
      inputs.push_back(Str("data_", types.size()));
      types.push_back(value.dtype());
      graph.nodes.push_back(MakeConst(inputs.back(), value));
    }
    attrs.insert({{"T", DType::kFloat}, {"U", types}});
    graph.nodes.push_back(MakeNode("print", "Print", inputs, std::move(attrs)));
    const Streams streams = Run(std::move(graph), times);
    EXPECT_EQ(streams.out, "");
    return streams.err;
  }
  std::string Summarized(const Tensor& value, int64_t summarize) {
    return Printed({value}, {{"summarize", summarize}});
  }

  // PrintV2 of one text in two steps.
  Streams PrintedTo(const std::string& stream, const std::string& end) {
    GraphDef graph;
    graph.nodes = {MakeConst("text", MakeScalar<std::string>(kText)),
                   MakeNode("print", "PrintV2", {"text"}, {{"output_stream", stream}, {"end", end}})};
    return Run(std::move(graph), 2);
  }

  const std::string kText = std::string("te\0xt \"q\"", 9);
};
INSTANTIATE_TEST_SUITE_P(Backends, PrintedText, ::testing::Values("reference", "cpu"));

Tensor Counted(const Shape& shape, int64_t first) {
  Tensor tensor(DType::kInt64, shape);
  for (int64_t& element : tensor.mutable_data<int64_t>()) element = first++;
  return tensor;
}

TEST_P(PrintedText, PrintShowsItsMessageAndEveryOneOfItsData) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Printed({MakeVector<double>({1.5, -2, kInf, kNan}), Counted({2, 2}, 1),
                     MakeVector<std::string>({"a b", std::string("\"q\"\n\0z", 6), "ü"}),
                     MakeVector<bool>({true, false}), MakeScalar<uint8_t>(7)},
                    {{"message", "seen: "}, {"summarize", 10}}),
            "seen: [1.5 -2 inf nan][[1 2][3 4]][a b \\\"q\\\"\\n\\000z ü][1 0][7]\n");
  EXPECT_EQ(Printed({}, {{"message", "m"}}), "m\n");
  EXPECT_EQ(Printed({Tensor(DType::kFloat, {0, 3}), Tensor(DType::kFloat, {3, 0})}), "[][]\n");
}

TEST_P(PrintedText, PrintShowsNumbersOfEveryTypeInItsOwnDigits) {
  const AttrMap all = {{"summarize", 10}};
  EXPECT_EQ(Printed({MakeVector<float>({1.F / 3, 1e-7F, 1e20F, -0.F, 16777216.F})}, all),
            "[0.333333343 1e-07 1e+20 -0 16777216]\n");
  EXPECT_EQ(Printed({MakeVector<double>({1. / 3, 1e300})}, all), "[0.33333333333333331 1e+300]\n");
  EXPECT_EQ(Printed({MakeVector<int8_t>({-3, 127}), MakeVector<uint64_t>({0, 18446744073709551615U})}, all),
            "[-3 127][0 18446744073709551615]\n");
}

TEST_P(PrintedText, PrintStopsAfterAsManyElementsAsAreSummarized) {
  EXPECT_EQ(Printed({Counted({5}, 1), Counted({2, 2}, 1)}), "[1 2 3...][[1 2][3...]...]\n") << "three by default";
  const Tensor cube = Counted({2, 3, 2}, 0);
  EXPECT_EQ(Summarized(cube, 0), "[...]\n");
  EXPECT_EQ(Summarized(cube, 1), "[[[0...]]...]\n");
  EXPECT_EQ(Summarized(cube, 5), "[[[0 1][2 3][4...]]...]\n");
  const std::string all = "[[[0 1][2 3][4 5]][[6 7][8 9][10 11]]]\n";
  for (const int64_t summarize : {12, 100, -1, -2}) EXPECT_EQ(Summarized(cube, summarize), all) << summarize;
}

// Bools are counted like others, but that nothing says that there are some.
TEST_P(PrintedText, PrintCutsOffWhateverThereIs) {
  const std::vector<Tensor> data = {MakeVector<bool>({true, false}),
                                    MakeScalar<std::string>("a\"b"),
                                    MakeTensor<std::string>({2, 2}, {"x", "y", "z", ""}),
                                    MakeScalar<int32_t>(5),
                                    MakeScalar<bool>(true),
                                    MakeVector<std::complex<float>>({{1, 2}, {1, 2}, {1, 2}}),
                                    Counted({2, 1, 2}, 0)};
  const auto printed = [&](int64_t summarize) { return Printed(data, {{"summarize", summarize}}); };
  EXPECT_EQ(printed(0), "[][...][...][...][][...][...]\n");
  EXPECT_EQ(printed(1), "[1...][a\\\"b][[x...]...][5][1][?...][[[0...]]...]\n");
  EXPECT_EQ(printed(3), "[1 0][a\\\"b][[x y][z...]...][5][1][? ? ?][[[0 1]][[2...]]...]\n");
  EXPECT_EQ(printed(-1), "[1 0][a\\\"b][[x y][z ]][5][1][? ? ?][[[0 1]][[2 3]]]\n");
}

TEST_P(PrintedText, PrintIsSilentAfterItsFirstSteps) {
  const auto printed = [&](int64_t most) {
    return Printed({MakeScalar<int32_t>(1)}, {{"message", "x"}, {"first_n", most}}, 4);
  };
  EXPECT_EQ(printed(0), "");
  EXPECT_EQ(printed(1), "x[1]\n");
  EXPECT_EQ(printed(2), "x[1]\nx[1]\n");
  for (const int64_t always : {-1, -7, 4, 9}) EXPECT_EQ(printed(always), "x[1]\nx[1]\nx[1]\nx[1]\n") << always;
}

TEST_P(PrintedText, PrintV2WritesTheTextAndItsEndToOneStream) {
  const TemporaryFolder folder;
  const std::string path = Str(folder.path(), "/printed"), last("|end\0e", 6);
  std::string in_file;
  for (const std::string& end : {std::string("\n"), std::string(), last}) {
    const std::string twice = Str(kText, end, kText, end);
    const Streams out = PrintedTo("stdout", end), err = PrintedTo("stderr", end);
    EXPECT_EQ(out.out, twice);
    EXPECT_EQ(out.err, "");
    EXPECT_EQ(err.out, "");
    EXPECT_EQ(err.err, twice);
    for (const char* const log : {"log(info)", "log(warning)", "log(error)"}) {
      const Streams logged = PrintedTo(log, end);
      EXPECT_EQ(logged.out, "") << log;
      EXPECT_EQ(logged.err, twice) << log << ": here without the place and the time that TensorFlow puts before it";
    }
    const Streams added = PrintedTo("file://" + path, end);
    EXPECT_EQ(added.out + added.err, "");
    in_file += twice;
    EXPECT_EQ(Files().Read(path), in_file) << "what was there stays";
  }
}

}  // namespace
}  // namespace plumb::conformance
