// Weights of candidates from a file: the last field of each line, as if they were written out (rule R81).
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

// As TensorFlow answers.
TEST_P(VocabularyFile, IsReadAsTheLinesAndNumbersOfTables) {  // L3
  const std::string spaced = "a" + std::string(40, ' ') + ",1\nb," + std::string(27, ' ') + "+2.5\n4";
  std::vector<Tensor> listed;
  ASSERT_EQ(Draw({{"unigrams", std::vector<float>{1, 2.5F, 4}}}, &listed).ToString(), "OK");
  for (const std::string& text :
       {std::string("a,1\r\nb,2.5\r\nc,4\r"), std::string("a,1\r\r\nb,2.5\n\rc,4\n"),
        std::string("\na,1\n\r\nb,2.5\n\n4\n\r"), std::string("a, 1 \nb,\t2.5\v\nc,0x4\n"), spaced}) {
    std::vector<Tensor> filed;
    ASSERT_EQ(Draw({{"vocab_file", Write(text)}}, &filed).ToString(), "OK") << text;
    for (size_t i = 0; i < listed.size(); ++i) EXPECT_TRUE(filed.at(i).BitwiseEquals(listed[i])) << text << i;
  }
  std::vector<Tensor> rare, none;
  ASSERT_EQ(Draw({{"unigrams", std::vector<float>{1, 0, 4}}}, &listed).ToString(), "OK");
  ASSERT_EQ(Draw({{"vocab_file", Write("1\n1e-99\n4\n")}}, &rare).ToString(), "OK");
  for (size_t i = 0; i < listed.size(); ++i) EXPECT_TRUE(rare.at(i).BitwiseEquals(listed[i])) << i;
  EXPECT_EQ(Draw({{"vocab_file", Write("1\n \n4\n")}}, &rare).ToString(), "OK") << "a line of a space is zero";
  EXPECT_EQ(Draw({{"vocab_file", Write("1\n\n4\n")}}, &none).code(), Code::kInvalidArgument) << "two weights";
}

TEST_P(VocabularyFile, IsReadByAShardWhereItsLinesAre) {
  const auto of_shard = [](int64_t shard, AttrMap attrs) {
    attrs.insert({{"num_shards", 2}, {"shard", shard}});
    return attrs;
  };
  std::vector<Tensor> listed, filed;
  ASSERT_EQ(Draw(of_shard(0, {{"unigrams", std::vector<float>{1, 2, 3, 4, 5, 6}}}), &listed).ToString(), "OK");
  const std::string path = Write("a,1\n\nb,bad\n\nc,3\nd,\ne,5\nf,x\n");
  ASSERT_EQ(Draw(of_shard(0, {{"vocab_file", path}}), &filed).ToString(), "OK");
  for (size_t i = 0; i < listed.size(); ++i) EXPECT_TRUE(filed.at(i).BitwiseEquals(listed[i])) << i;
  EXPECT_EQ(Draw(of_shard(1, {{"vocab_file", path}}), &filed).code(), Code::kInvalidArgument);
}

TEST_P(VocabularyFile, IsRefusedWhereALineEndsWithNoWeight) {
  const std::string zero_byte("a,1\0x\nb,2\nc,4\n", 14), long_weight = "1\n2\n" + std::string(31, '0') + "4\n";
  for (const std::string& text :
       {std::string("a,1\nb,\n"), std::string("a,1\nb,c\n"), std::string("a,1\nb,2x\n"), std::string("1\n,\n4\n"),
        std::string("1\n2\ninfinity\n"), std::string("1\n2\n0x1p1\n"), zero_byte, long_weight}) {
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
