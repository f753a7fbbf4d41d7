// Images with their captions.
#include <gmock/gmock.h>

#include <cmath>

#include "spec/formats/png_writer.h"
#include "tools/train/data/learner_batches_testing.h"

namespace plumb::tools {
namespace {

using testing::HasSubstr;

models::Learner Tells(Scope& scope, Optimizer&, models::LearnerSize) {
  models::Learner model;
  model.FeedNumbers(scope, {16, 2, 2, 3}, "images");
  model.FeedIds(scope, {16, 4}, 5, "written");
  model.FeedIds(scope, {16, 4}, 5, "targets");
  return model;
}
constexpr models::LearnerEntry kTells = {"tells", "", Tells, models::LearnerData::kCaptions};

// A grey image.
void WriteImage(const std::string& path, uint8_t grey) {
  Files().MakeFolders(FolderOf(path));
  Files().Write(path, PngFile(&grey, 1, 1, 1));
}

using Rows = std::set<std::vector<double>>;

// a is 1 and dog 2, for what is left out counts too.
TEST(CaptionBatches, AreRowsOfLines) {
  const TemporaryFolder folder;
  WriteImage(folder.path() + "/dark.png", 51);
  WriteImage(folder.path() + "/Images/light.png", 204);
  Files().Write(folder.path() + "/Flickr8k.token.txt",
                "dark.png#0\tA dog\nlight.png#1\ta  Dog a\r\nlight.png#2\ta dog a dog\nnone.png.1#0\tA cat\n");
  const std::vector<FeedValue> batch = FirstBatch(kTells, folder.path());
  ASSERT_EQ(batch.size(), 3U);
  EXPECT_EQ(RowsOf(batch[1]), (Rows{{0, 1, 2, 0}, {0, 1, 2, 1}}));
  EXPECT_EQ(RowsOf(batch[2]), (Rows{{1, 2, 0, 0}, {1, 2, 1, 0}}));
  const std::vector<double> pixels = Numbers(batch[0].second), words = Numbers(batch[2].second);
  for (size_t row = 0; row < 16; ++row) {
    for (size_t pixel = 12 * row; pixel < 12 * (row + 1); ++pixel) {
      EXPECT_EQ(std::lround(255 * pixels[pixel]), words[4 * row + 2] == 0 ? 51 : 204) << "are of one caption";
    }
  }
  EXPECT_THAT(SourceOf(kTells, folder.path()), HasSubstr(" but for 1 of the captions (empty, or of too many words) and "
                                                         "1 of the captions (of images that are not there)"));
}

TEST(CaptionBatches, AreCommaSeparatedToo) {
  const TemporaryFolder folder;
  WriteImage(folder.path() + "/Images/a.png", 1);
  Files().Write(folder.path() + "/captions.txt", "image,caption\na.png,b a\na.png,\"a , \"\"\"\n");
  EXPECT_EQ(RowsOf(FirstBatch(kTells, folder.path())[2]), (Rows{{1, 3, 2, 0}, {4, 1, 0, 0}}));
  Files().Write(folder.path() + "/captions.txt", "image,caption\na.png,b a\na.png,a , b\n");
  const Status refused = RefusalOf(kTells, folder.path());
  EXPECT_EQ(refused.code(), Code::kInvalidArgument);
  EXPECT_THAT(refused.message(), HasSubstr("line 3 of '" + folder.path() + "/captions.txt': "));
}

TEST(CaptionBatches, RefuseWhatIsNone) {
  const TemporaryFolder folder;
  EXPECT_EQ(RefusalOf(kTells, folder.path()).code(), Code::kNotFound);
  const std::string captions = folder.path() + "/captions.txt";
  Files().Write(captions, "a.png#0\ta\na.png#1 a\n");
  EXPECT_EQ(RefusalOf(kTells, folder.path()).code(), Code::kInvalidArgument);
  EXPECT_THAT(RefusalOf(kTells, folder.path()).message(), HasSubstr("line 2 of '" + captions + "': no tab stands"));
  Files().Write(captions, "a.png#0\ta\nb.png#1\ta b c d\n");
  EXPECT_THAT(RefusalOf(kTells, folder.path()).message(), HasSubstr("of the 2 captions in '" + folder.path() + "' 1 "));
  Files().Write(folder.path() + "/a.png", "no image");
  EXPECT_THAT(RefusalOf(kTells, folder.path()).message(), HasSubstr(folder.path() + "/a.png' cannot be decoded: "));
}

TEST(CaptionBatches, TrainAModelOfCaptions) {
  const TemporaryFolder folder;
  WriteImage(folder.path() + "/a.png", 0);
  WriteImage(folder.path() + "/b.png", 255);
  Files().Write(folder.path() + "/captions.txt", "a.png#0\tIt is\nb.png#0\tis it\n");
  for (const char* const backend : {"reference", "cpu"}) ExpectLearns(backend, "captioning", folder.path());
}

}  // namespace
}  // namespace plumb::tools
