#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;

class Skipgram : public testing::Test {
 protected:
  std::string Text(std::string_view content) const {
    const std::string path = folder_.path() + "/text";
    Files().Write(path, content);
    return path;
  }
  std::vector<Entry> Run(int64_t batch, float subsample, int64_t window = 1) {
    return harness_.Run("pairs", "Skipgram", {},
                        {{"filename", Text("a b a c a b d a\tb c e\na b c d ")},
                         {"batch_size", batch},
                         {"window_size", window},
                         {"min_count", int64_t{2}},
                         {"subsample", subsample}});
  }

  const TemporaryFolder folder_;
  KernelHarness harness_;
};

// What TensorFlow 2.12.1 answers.
TEST_F(Skipgram, PairsWordsThatStandTogether) {
  const std::vector<Entry> outputs = Run(8, 0);
  EXPECT_THAT(Values<std::string>(outputs[0].tensor), ElementsAre("UNK", "a", "b", "c", "d"));
  EXPECT_THAT(Values<int32_t>(outputs[1].tensor), ElementsAre(1, 5, 4, 3, 2));
  EXPECT_EQ(outputs[2].tensor.scalar<int64_t>(), 15);
  EXPECT_EQ(outputs[3].tensor.scalar<int32_t>(), 133);
  EXPECT_EQ(outputs[4].tensor.scalar<int64_t>(), 1502);
  EXPECT_THAT(Values<int32_t>(outputs[5].tensor), ElementsAre(1, 2, 2, 1, 1, 3, 3, 1));
  EXPECT_THAT(Values<int32_t>(outputs[6].tensor), ElementsAre(2, 1, 1, 2, 3, 1, 1, 3));
}

TEST_F(Skipgram, LeavesOutFrequentWordsAtRandom) {
  Run(1500, 0.05F);
  Run(1500, 0.05F);
  const std::vector<Entry> third = Run(1500, 0.05F);
  EXPECT_EQ(third[3].tensor.scalar<int32_t>(), 391);
  EXPECT_EQ(third[4].tensor.scalar<int64_t>(), 3004);
  const auto first = [&](size_t i) {
    std::vector<int32_t> words = Values<int32_t>(third[i].tensor);
    words.resize(6);
    return words;
  };
  EXPECT_THAT(first(5), ElementsAre(1, 2, 2, 0, 0, 3));
  EXPECT_THAT(first(6), ElementsAre(2, 1, 0, 2, 3, 0));
}

TEST_F(Skipgram, RefusesShortTexts) {
  EXPECT_THROW(Run(1, 0, 2), Error);
  EXPECT_EQ(harness_.CodeOf("Skipgram", {}, {{"filename", folder_.path() + "/none"}, {"batch_size", int64_t{1}}}),
            Code::kNotFound);
  EXPECT_EQ(harness_.CodeOf("Skipgram", {}, {{"filename", Text("a")}, {"batch_size", int64_t{-1}}}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
