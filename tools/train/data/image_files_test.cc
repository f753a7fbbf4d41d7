// Folders of images and files of records, and the batches that are made of them.
#include "tools/train/data/image_files.h"

#include <algorithm>
#include <cmath>

#include "client/testing.h"
#include "spec/core/status_testing.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/image/jpeg_writer.h"
#include "spec/formats/png_writer.h"
#include "spec/formats/record.h"
#include "spec/proto/example.pb.h"
#include "tools/train/data/image_batches.h"

namespace plumb::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One row of grey pixels.
std::string Png(const std::vector<uint8_t>& row) { return PngFile(row.data(), 1, std::ssize(row), 1); }

class Folder {
 public:
  const std::string& path() const { return folder_.path(); }
  void Write(const std::string& name, const std::string& content) const {
    const std::string file = path() + "/" + name;
    Files().MakeFolders(FolderOf(file));
    Files().Write(file, content);
  }
  // So many classes with an image each, which is as bright as its label.
  void WriteClasses(int count) const {
    for (int i = 0; i < count; ++i) Write(Str("class-", i, "/image.png"), Png({static_cast<uint8_t>(i)}));
  }

 private:
  TemporaryFolder folder_;
};

std::string Record(const std::string& image, const std::vector<int64_t>& labels) {
  pb::Example example;
  auto& features = *example.mutable_features()->mutable_feature();
  features["image/encoded"].mutable_bytes_list()->add_value(image);
  for (const int64_t label : labels) features["image/class/label"].mutable_int64_list()->add_value(label);
  return FrameRecord(example.SerializeAsString());
}

TEST(ImageFiles, AreAFolderOfEachClass) {
  const Folder folder;
  folder.Write("dog/b.jpeg", "4");
  folder.Write("dog/a.png", "3");
  folder.Write("cat/z.JPG", "1");
  folder.Write("cat/notes.txt", "no image");
  folder.Write("cat/.hidden.png", "none either");
  folder.Write(".git/c.png", "no class");
  folder.Write("README", "no class either");
  const ImageFiles files(folder.path(), 2);
  ASSERT_EQ(files.size(), 3);
  std::string contents;
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < files.size(); ++i) {
    contents += files.Read(i).contents;
    labels.push_back(files.Read(i).label);
  }
  EXPECT_EQ(contents, "134");
  EXPECT_THAT(labels, ElementsAre(0, 1, 1));
  EXPECT_EQ(files.NameOf(1), "'" + folder.path() + "/dog/a.png'");
}

TEST(ImageFiles, AreRecordsOfExamples) {
  const Folder folder;
  folder.Write("train-00001-of-00002", Record("c", {1}));
  folder.Write("train-00000-of-00002", Record("a", {3}) + Record("b", {2}));
  folder.Write("validation-00000-of-00001", Record("d", {1}));
  const ImageFiles files(folder.path(), 3);
  ASSERT_EQ(files.size(), 3);
  std::string contents;
  std::vector<int32_t> labels;
  for (int64_t i = 0; i < files.size(); ++i) {
    contents += files.Read(i).contents;
    labels.push_back(files.Read(i).label);
  }
  EXPECT_EQ(contents, "abc");
  EXPECT_THAT(labels, ElementsAre(2, 1, 0)) << "the first class is 1";
}

TEST(ImageFiles, RefuseRecordsThatAreNone) {
  const std::string image = "some bytes", good = Record(image, {1});
  std::string damaged = good;
  damaged[kRecordHeaderBytes] ^= 1;
  const auto read = [&](const std::string& records) {
    return StatusOf([&] {
      const Folder folder;
      folder.Write("train-00000-of-00001", good + records);
      ImageFiles(folder.path(), 2).Read(1);
    });
  };
  EXPECT_TRUE(read(good).ok());
  EXPECT_EQ(read(damaged).code(), Code::kDataLoss);
  EXPECT_EQ(read(good.substr(0, 5)).code(), Code::kDataLoss);
  EXPECT_EQ(read(good.substr(0, good.size() - 1)).code(), Code::kDataLoss);
  EXPECT_THAT(read(FrameRecord("\xff")).message(), HasSubstr("train-00000-of-00001' is no Example"));
  EXPECT_THAT(read(FrameRecord("")).message(), HasSubstr("image/encoded"));
  EXPECT_THAT(read(Record(image, {1, 2})).message(), HasSubstr("one of image/class/label, and has 1 and 2"));
  for (const int64_t label : {0, 3}) {
    EXPECT_THAT(read(Record(image, {label})).message(), HasSubstr(Str("has the label ", label)));
  }
}

TEST(ImageFiles, RefuseFoldersThatHoldNone) {
  const Folder folder;
  const auto refused = [&](int64_t classes) { return StatusOf([&] { ImageFiles(folder.path(), classes); }); };
  EXPECT_EQ(refused(2).code(), Code::kNotFound);
  EXPECT_THAT(refused(2).message(), HasSubstr("there are no images in '" + folder.path() + "'"));
  EXPECT_EQ(StatusOf([&] { ImageFiles(folder.path() + "/missing", 2); }).code(), Code::kNotFound);
  folder.WriteClasses(3);
  EXPECT_TRUE(refused(3).ok());
  EXPECT_EQ(refused(2).code(), Code::kInvalidArgument);
  EXPECT_THAT(refused(2).message(), HasSubstr("has 3 folders, one of each class, and the model tells 2 classes apart"));
  folder.Write("empty/notes.txt", "no image");
  EXPECT_THAT(refused(4).message(), HasSubstr("there is no .jpg, .jpeg or .png file in '" + folder.path() + "/empty'"));
}

class OfImages : public testing::TestWithParam<std::string_view> {
 protected:
  ImageBatches Batches(const Folder& folder, int64_t batch, uint64_t seed = 1, int64_t side = 2) const {
    return ImageBatches(ImageFiles(folder.path(), 100),
                        {.batch = batch, .side = side, .seed = seed, .backend = std::string(GetParam()), .threads = 1});
  }
  static std::vector<double> Labels(ImageBatches& batches, int steps) {
    std::vector<double> labels;
    for (int step = 0; step < steps; ++step) {
      for (const double label : Numbers(batches.Next().labels)) labels.push_back(label);
    }
    return labels;
  }
};

// The pixels of a wider image lie between those of a narrow one, the first and the last at its borders.
TEST_P(OfImages, AreOfOneSize) {
  const Folder folder;
  folder.Write("grey/image.png", Png({0, 255}));
  const std::vector<uint8_t> red = {254, 0, 0, 254, 0, 0};
  folder.Write("red/image.jpg", JpegFile(red.data(), 2, 1, 3, {.quality = 100}));
  ImageBatches batches = Batches(folder, 2, 1, 4);
  const ImageBatches::Batch batch = batches.Next();
  ASSERT_EQ(batch.images.shape(), Shape({2, 4, 4, 3}));
  const size_t grey = Numbers(batch.labels)[0] == 0 ? 0 : 1;
  std::vector<int64_t> pixels;
  for (const double pixel : Numbers(batch.images)) pixels.push_back(std::lround(255 * pixel));
  for (size_t i = 0; i < 16; ++i) {
    const std::vector<int64_t> row = {0, 64, 191, 255};
    for (size_t colour = 0; colour < 3; ++colour) EXPECT_EQ(pixels[grey * 48 + i * 3 + colour], row[i % 4]) << i;
    EXPECT_EQ(pixels[(1 - grey) * 48 + i * 3], 254);
    EXPECT_EQ(pixels[(1 - grey) * 48 + i * 3 + 1], 0);
  }
}

TEST_P(OfImages, HoldEachOnceInAnEpoch) {
  const Folder folder;
  folder.WriteClasses(8);
  ImageBatches batches = Batches(folder, 4), same = Batches(folder, 4), other = Batches(folder, 4, 2);
  const std::vector<double> labels = Labels(batches, 4);
  for (const size_t first : {0, 8}) {
    std::vector<double> epoch(labels.begin() + first, labels.begin() + first + 8);
    EXPECT_FALSE(std::is_sorted(epoch.begin(), epoch.end()));
    std::sort(epoch.begin(), epoch.end());
    EXPECT_THAT(epoch, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  }
  EXPECT_EQ(Labels(same, 4), labels);
  EXPECT_NE(Labels(other, 4), labels);
  const ImageBatches::Batch batch = batches.Next();
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::lround(255 * Numbers(batch.images)[i * 12]), Numbers(batch.labels)[i]) << "images have their labels";
  }
}

// Whatever is being read ahead, and with batches that are passed over.
TEST_P(OfImages, GoOnWhereTheyWere) {
  const Folder folder;
  folder.WriteClasses(7);
  for (const int taken : {0, 1, 2, 5}) {
    ImageBatches whole = Batches(folder, 3), part = Batches(folder, 3), passed = Batches(folder, 3);
    Labels(whole, taken);
    Labels(part, taken);
    SavedState state;
    part.Save(StateWriter(state));
    ImageBatches restored = Batches(folder, 3, 9);
    Labels(restored, 1);
    restored.Restore(StateReader(state));
    if (taken == 5) Labels(passed, 1);
    for (int i = taken == 5 ? 1 : 0; i < taken; ++i) passed.Skip();
    const std::vector<double> labels = Labels(whole, 4);
    EXPECT_EQ(Labels(restored, 4), labels) << taken;
    EXPECT_EQ(Labels(passed, 4), labels) << taken;
  }
}

TEST_P(OfImages, NameTheFileThatIsNoImage) {
  const Folder folder;
  folder.WriteClasses(3);
  folder.Write("class-1/wrong.jpg", "no image");
  const Status none = StatusOf([&] { Batches(folder, 4).Next(); });
  EXPECT_EQ(none.code(), Code::kInvalidArgument);
  EXPECT_THAT(none.message(), HasSubstr("'" + folder.path() + "/class-1/wrong.jpg' cannot be decoded: "));
  const std::string whole = Png({1, 2, 3});
  folder.Write("class-1/wrong.jpg", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(StatusOf([&] { Batches(folder, 4).Next(); }).message(), HasSubstr("/class-1/wrong.jpg'"));
}

TEST_P(OfImages, AreNoLargerThanAllOfThem) {
  const Folder folder;
  folder.WriteClasses(3);
  EXPECT_THAT(StatusOf([&] { Batches(folder, 4); }).message(), HasSubstr("a batch of 4 cannot be drawn from 3 images"));
}

// Those that ModelCommand has decode.
INSTANTIATE_TEST_SUITE_P(, OfImages, testing::Values("reference", "cpu"),
                         [](const auto& info) { return TestNameOf(info.param); });

}  // namespace
}  // namespace plumb::tools
