#include "spec/formats/idx.h"

#include <gtest/gtest.h>

#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using namespace std::string_literals;

Status StatusOf(const std::string& bytes, int rank) {
  try {
    ParseIdx(bytes, rank, "digits");
  } catch (const Error& error) {
    return error.status();
  }
  return OkStatus();
}

const std::string kTwoLabels =
    "\0\0\x08\x01"
    "\0\0\0\x02"
    "\x07\x03"s;
const std::string kOneImage =
    "\0\0\x08\x03"
    "\0\0\0\x01"
    "\0\0\0\x01"
    "\0\0\0\x02"
    "\xff\x01"s;

TEST(Idx, IsReadFromHandWrittenBytes) {
  EXPECT_TRUE(ParseIdx(kTwoLabels, 1, "").BitwiseEquals(MakeVector<uint8_t>({7, 3})));
  EXPECT_TRUE(ParseIdx(kOneImage, 3, "").BitwiseEquals(MakeTensor<uint8_t>({1, 1, 2}, {255, 1})));
}

TEST(Idx, MistakesNameFileAndOffset) {
  const auto expect = [](const std::string& bytes, int rank, Code code, const std::string& text) {
    const Status status = StatusOf(bytes, rank);
    EXPECT_EQ(status.code(), code) << status.ToString();
    EXPECT_NE(status.message().find("digits"), std::string::npos) << status.ToString();
    EXPECT_NE(status.message().find(text), std::string::npos) << status.ToString();
  };
  expect("", 1, Code::kDataLoss, "offset 0");
  expect(kTwoLabels, 3, Code::kInvalidArgument, "magic number 2049 at offset 0");
  expect(kOneImage.substr(0, 10), 3, Code::kDataLoss, "offset 10");
  expect(kOneImage.substr(0, 17), 3, Code::kDataLoss, "offset 17");
  expect(kOneImage + "x", 3, Code::kInvalidArgument, "offset 18");
  const std::string huge =
      "\0\0\x08\x03"
      "\xff\xff\xff\xff"
      "\xff\xff\xff\xff"
      "\xff\xff\xff\xff"s;
  expect(huge, 3, Code::kInvalidArgument, "offset 4");
  expect("\x1f\x8b garbage", 1, Code::kDataLoss, "compressed");
}

TEST(Idx, WhatIsWrittenIsReadPlainAndCompressed) {
  const TemporaryFolder folder;
  const Tensor images = MakeTensor<uint8_t>({2, 1, 2}, {1, 2, 3, 4});
  for (const char* name : {"/plain", "/small.gz"}) {
    WriteIdx(folder.path() + name, images);
    EXPECT_TRUE(ReadIdx(folder.path() + name, 3).BitwiseEquals(images));
  }
  EXPECT_EQ(ReadFile(folder.path() + "/small.gz").substr(0, 2), "\x1f\x8b");
}

TEST(Idx, DimensionsHave32Bits) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/images";
  const auto write = [&](int64_t width) { WriteIdx(path, Tensor(DType::kUint8, {0, width})); };
  write(UINT32_MAX);
  EXPECT_EQ(ReadIdx(path, 2).shape(), (Shape{0, UINT32_MAX}));
  try {
    write(int64_t{UINT32_MAX} + 1);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    EXPECT_NE(error.status().message().find("4294967296"), std::string::npos) << error.what();
  }
}

TEST(Mnist, TheUsualFourFilesOfAFolder) {
  const TemporaryFolder folder;
  const LabelledImages two{MakeTensor<uint8_t>({2, 1, 1}, {9, 8}), MakeVector<uint8_t>({0, 9})};
  const LabelledImages one{MakeTensor<uint8_t>({1, 1, 1}, {7}), MakeVector<uint8_t>({5})};
  WriteMnist(folder.path(), {two, one});
  const Mnist read = ReadMnist(folder.path());
  EXPECT_TRUE(read.train.images.BitwiseEquals(two.images));
  EXPECT_TRUE(read.train.labels.BitwiseEquals(two.labels));
  EXPECT_TRUE(read.test.images.BitwiseEquals(one.images));
  EXPECT_TRUE(read.test.labels.BitwiseEquals(one.labels));
}

TEST(Mnist, MissingFilesAndMismatchesAreNamed) {
  const TemporaryFolder folder;
  const LabelledImages one{MakeTensor<uint8_t>({1, 1, 1}, {7}), MakeVector<uint8_t>({5})};
  const auto status = [&] {
    try {
      ReadMnist(folder.path());
    } catch (const Error& error) {
      return error.status();
    }
    return OkStatus();
  };
  EXPECT_EQ(status().code(), Code::kNotFound);
  WriteMnist(folder.path(), {one, {one.images, MakeVector<uint8_t>({1, 2})}});
  EXPECT_EQ(status().code(), Code::kInvalidArgument);
  EXPECT_NE(status().message().find("t10k-labels-idx1-ubyte has 2 labels"), std::string::npos) << status().ToString();
  WriteMnist(folder.path(), {one, {one.images, MakeVector<uint8_t>({10})}});
  EXPECT_NE(status().message().find("label 10 at offset 8"), std::string::npos) << status().ToString();
}

}  // namespace
}  // namespace plumb
