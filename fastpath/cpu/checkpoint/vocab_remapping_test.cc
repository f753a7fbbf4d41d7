// What TensorFlow 2.12.1 answers.
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb::fast::cpu {
namespace {

struct Choice {
  int64_t offset = 0, count = 5, old_size = -1;
};

class VocabRemapping : public testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& content) {
    WriteFile(folder_.path() + "/" + name, content);
    return folder_.path() + "/" + name;
  }
  static AttrMap Attrs(const Choice& choice) {
    return {{"new_vocab_offset", choice.offset}, {"num_new_vocab", choice.count}, {"old_vocab_size", choice.old_size}};
  }
  std::vector<int64_t> Remapped(const Choice& choice, const std::string& old_path) {
    const auto outputs = RunKernel("GenerateVocabRemapping", {MakeScalar(new_), MakeScalar(old_path)}, Attrs(choice));
    auto places = Values<int64_t>(outputs.at(0));
    EXPECT_EQ(outputs.at(1).scalar<int32_t>(),
              std::count_if(places.begin(), places.end(), [](int64_t place) { return place >= 0; }));
    return places;
  }
  std::vector<int64_t> Remapped(const Choice& choice) { return Remapped(choice, old_); }
  Code CodeOf(const Choice& choice, const std::string& new_path, const std::string& old_path) {
    return CodeOfKernel("GenerateVocabRemapping", {MakeScalar(new_path), MakeScalar(old_path)}, Attrs(choice));
  }

  const TemporaryFolder folder_;
  const std::string new_ = File("new", "a\nb\nc\nd\ne\n"), old_ = File("old", "c\na\ne\nx\n");
};
using Places = std::vector<int64_t>;

TEST_F(VocabRemapping, SaysWhereWordsStood) {
  EXPECT_EQ(Remapped({}), Places({1, -1, 0, -1, 2}));
  EXPECT_EQ(Remapped({.offset = 1, .count = 3}), Places({-1, 0, -1}));
  EXPECT_EQ(Remapped({.old_size = 1}), Places({-1, -1, 0, -1, -1}));
  EXPECT_EQ(Remapped({.old_size = 2}), Places({1, -1, 0, -1, -1}));
  EXPECT_EQ(Remapped({.count = 0}), Places());
  EXPECT_EQ(Remapped({}, File("crlf", "a\r\nb\r\n")), Places({0, 1, -1, -1, -1}));
  EXPECT_EQ(Remapped({}, File("open", "a\nb")), Places({0, 1, -1, -1, -1}));
  EXPECT_EQ(Remapped({.old_size = 1}, File("twice", "a\na\n")), Places({0, -1, -1, -1, -1}));
}

TEST_F(VocabRemapping, RefusesFilesThatAreTooShortOrNoVocabularies) {
  for (const Choice& choice :
       {Choice{.old_size = 9}, Choice{.offset = 3}, Choice{.offset = 9, .count = 1}, Choice{.offset = 0, .count = 6}}) {
    EXPECT_EQ(CodeOf(choice, new_, old_), Code::kInvalidArgument);
  }
  const std::string blank = File("blank", "a\n\nb\n"), empty = File("empty", ""), twice = File("twice", "a\na\n");
  EXPECT_EQ(CodeOf({.old_size = 0}, new_, old_), Code::kOutOfRange);
  EXPECT_EQ(CodeOf({}, new_, folder_.path() + "/none"), Code::kNotFound);
  EXPECT_EQ(CodeOf({}, folder_.path() + "/none", old_), Code::kNotFound);
  EXPECT_EQ(CodeOf({}, new_, twice), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOf({.count = 2}, twice, old_), Code::kOk);
  EXPECT_EQ(CodeOf({}, new_, blank), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf({.count = 1}, blank, old_), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf({}, new_, empty), Code::kOutOfRange);
  EXPECT_EQ(CodeOf({.count = 0}, empty, old_), Code::kOutOfRange);
}

}  // namespace
}  // namespace plumb::fast::cpu
