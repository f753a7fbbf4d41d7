// Weights of candidates from a file: the last field of each line, as if they were written out (the op's row).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/backends.h"
#include "backends/backends_testing.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using testing::HasSubstr;

class VocabularyFile : public testing::TestWithParam<std::string_view> {
 protected:
  // What a sampler with these attributes draws, beside how often it expects the two true classes and what it draws.
  Status Draw(AttrMap attrs, std::vector<Tensor>* outputs) {
    for (const auto& [name, value] : AttrMap{{"num_true", int64_t{1}},
                                             {"num_sampled", int64_t{2}},
                                             {"unique", true},
                                             {"range_max", int64_t{3}},
                                             {"seed", int64_t{7}},
                                             {"seed2", int64_t{5}}}) {
      attrs.emplace(name, value);
    }
    GraphDef graph;
    graph.versions.producer = kGraphVersion;
    graph.nodes.push_back(
        {"true", "Const", {}, "", {{"dtype", DType::kInt64}, {"value", MakeTensor<int64_t>({2, 1}, {0, 2})}}, ""});
    graph.nodes.push_back({"sampler", "FixedUnigramCandidateSampler", {"true"}, "", attrs, ""});
    const auto session = OpenSession(GetParam());
    if (Status status = session->Extend(graph); !status.ok()) return status;
    const std::vector<std::string> fetches = {"sampler:0", "sampler:1", "sampler:2"};
    return session->Run({}, fetches, {}, outputs);
  }
  std::string Write(std::string_view text) {
    Files().Write(folder_.path() + "/vocabulary", text);
    return folder_.path() + "/vocabulary";
  }

  const TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(, VocabularyFile, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

TEST_P(VocabularyFile, GivesTheLastFieldOfEachLineAsWeight) {
  std::vector<Tensor> listed, filed;
  ASSERT_EQ(Draw({{"unigrams", std::vector<float>{1, 2.5F, 4}}}, &listed).ToString(), "OK");
  ASSERT_EQ(Draw({{"vocab_file", Write("a,1\nb,x y,2.5\n4\n")}}, &filed).ToString(), "OK");
  for (size_t i = 0; i < listed.size(); ++i) EXPECT_TRUE(filed.at(i).BitwiseEquals(listed[i])) << i;
}

TEST_P(VocabularyFile, IsRefusedWhereALineEndsWithNoWeight) {
  for (const char* text : {"a,1\nb,\n", "a,1\nb,c\n", "a,1\nb,2x\n"}) {
    std::vector<Tensor> none;
    const Status status = Draw({{"vocab_file", Write(text)}}, &none);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << text << ": " << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("weight")) << text;
  }
}

TEST_P(VocabularyFile, HasToBeThere) {
  std::vector<Tensor> none;
  EXPECT_EQ(Draw({{"vocab_file", folder_.path() + "/absent"}}, &none).code(), Code::kNotFound);
}

}  // namespace
}  // namespace plumb
