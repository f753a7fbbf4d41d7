#include "spec/formats/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/crc32c.h"
#include "spec/formats/event_file.h"
#include "spec/proto/event.pb.h"

namespace plumb {
namespace {

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[static_cast<uint8_t>(c) >> 4];
    text += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

Status ReadAll(const std::string& path, Compression compression, std::vector<std::string>* records) {
  try {
    RecordReader reader(path, compression);
    while (auto record = reader.Next()) records->push_back(*record);
  } catch (const Error& error) {
    return error.status();
  }
  return OkStatus();
}

TEST(Crc32c, Z1) {
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(MaskCrc(Crc32c("123456789")), 0xc78ab0e5u);
  EXPECT_EQ(MaskCrc(Crc32c("")), 0xa282ead8u);
  EXPECT_EQ(Crc32c("56789", Crc32c("1234")), Crc32c("123456789"));
}

// Processors with an instruction for it and those without agree, whatever the length.
TEST(Crc32c, IsTheSameByTable) {
  EXPECT_EQ(internal::Crc32cByTable("123456789"), 0xe3069283u);
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(internal::Crc32cByTable(bytes, 7), Crc32c(bytes, 7)) << bytes.size() << " bytes";
    bytes.push_back(static_cast<char>(i * 37));
  }
  for (int i = 0; i < 10'000; ++i) bytes.push_back(static_cast<char>(i * i));
  for (size_t size = bytes.size(); size > 3000; size -= 7) {
    const std::string_view part(bytes.data(), size);
    ASSERT_EQ(internal::Crc32cByTable(part, 7), Crc32c(part, 7)) << size << " bytes";
  }
}

TEST(Record, Z2) {
  EXPECT_EQ(Hex(FrameRecord("")),
            "0000000000000000"
            "29039807"
            "d8ea82a2");
  EXPECT_EQ(Hex(FrameRecord("a")),
            "0100000000000000"
            "0175de41"
            "61"
            "786ee428");
}

TEST(Record, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  std::string noise(200000, '\0');
  uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  const std::vector<std::string> written = {"", "a", std::string(200000, 'x'), noise};
  for (const Compression compression : {Compression::kNone, Compression::kZlib, Compression::kGzip}) {
    const std::string path = folder.path() + "/records";
    RecordWriter writer(path, compression);
    for (const std::string& record : written) writer.Write(record);
    writer.Close();
    std::vector<std::string> read;
    EXPECT_EQ(ReadAll(path, compression, &read).code(), Code::kOk);
    EXPECT_EQ(read, written);
  }
}

TEST(Record, Z3CutAnywhereButAtABoundaryIsDataLoss) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/records", whole = FrameRecord("first") + FrameRecord("second");
  for (size_t length = 0; length <= whole.size(); ++length) {
    WriteFile(path, whole.substr(0, length));
    std::vector<std::string> read;
    const bool at_boundary = length == 0 || length == FrameRecord("first").size() || length == whole.size();
    const Status status = ReadAll(path, Compression::kNone, &read);
    EXPECT_EQ(status.code(), at_boundary ? Code::kOk : Code::kDataLoss) << length;
    EXPECT_EQ(status.message().find("truncated record at offset") == 0, !at_boundary) << status.ToString();
  }
}

TEST(Record, Z3AnyFlippedByteIsDataLoss) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/records", whole = FrameRecord("payload");
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] ^= 0x10;
    WriteFile(path, broken);
    std::vector<std::string> read;
    const Status status = ReadAll(path, Compression::kNone, &read);
    EXPECT_EQ(status.code(), Code::kDataLoss) << at;
    EXPECT_NE(status.message().find("corrupted record"), std::string::npos);
  }
}

TEST(Record, ACompressedStreamCutShortIsDataLoss) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/records";
  RecordWriter writer(path, Compression::kGzip);
  writer.Write("some record");
  writer.Close();
  const std::string whole = ReadFile(path);
  for (size_t length = 1; length < whole.size(); ++length) {
    WriteFile(path, whole.substr(0, length));
    std::vector<std::string> read;
    EXPECT_EQ(ReadAll(path, Compression::kGzip, &read).code(), Code::kDataLoss) << length;
  }
}

TEST(Record, Z4UnknownCompressionIsNone) {
  EXPECT_EQ(ParseCompression("ZLIB"), Compression::kZlib);
  EXPECT_EQ(ParseCompression("GZIP"), Compression::kGzip);
  EXPECT_EQ(ParseCompression(""), Compression::kNone);
  EXPECT_EQ(ParseCompression("LZ4"), Compression::kNone);
}

TEST(EventFile, Z11) {
  EXPECT_EQ(Hex(FrameRecord(VersionEvent(1.0))),
            "1800000000000000"
            "a37f4b22"
            "09000000000000f03f1a0d627261696e2e4576656e743a32"
            "86bf577a");
}

TEST(EventFile, NeedsAFolder) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/file", "");
  const plumb::Status status = plumb::StatusOf([&] { EventWriter(folder.path() + "/file/log"); });
  EXPECT_THAT(status.message(), testing::HasSubstr("/file/log': Not a directory"));
  EventWriter(folder.path() + "/missing/log").AddScalar(1, "loss", 0.5F);
  EventWriter first(folder.path() + "/log", ".first"), second(folder.path() + "/log", ".second");
  first.AddScalar(1, "loss", 0.5F);
  first.Close();
  std::vector<std::string> records;
  EXPECT_TRUE(ReadAll(first.path(), Compression::kNone, &records).ok());
  EXPECT_EQ(records.size(), 2U) << "the version, and what was added";
}

TEST(EventFile, KeepsNothingInMemoryForLong) {
  const TemporaryFolder folder;
  double now = 1000;
  EventWriter writer(folder.path(), "", [&now] { return now; });
  const auto written = [&] {
    std::vector<std::string> records;
    EXPECT_TRUE(ReadAll(writer.path(), Compression::kNone, &records).ok());
    return records.size();
  };
  writer.AddScalar(1, "loss", 0.5F);
  EXPECT_EQ(written(), 1U) << "the version alone";
  now += 119;
  writer.FlushIfDue();
  EXPECT_EQ(written(), 1U);
  now += 1;
  writer.FlushIfDue();
  EXPECT_EQ(written(), 2U);
  now += 120;
  writer.AddScalar(2, "loss", 0.25F);
  EXPECT_EQ(written(), 3U);
}

TEST(EventFile, HoldsVersionGraphAndScalars) {
  const TemporaryFolder folder;
  EventWriter writer(folder.path() + "/log", ".suffix");
  const std::string name = writer.path().substr(writer.path().rfind('/') + 1);
  EXPECT_EQ(name.rfind("events.out.tfevents.", 0), 0u);  // Z10
  EXPECT_EQ(name.substr(name.size() - 7), ".suffix");
  std::vector<std::string> records;
  EXPECT_TRUE(ReadAll(writer.path(), Compression::kNone, &records).ok());
  EXPECT_EQ(records.size(), 1u);  // flushed at once

  writer.AddGraph("graph bytes");
  writer.AddScalars(7, std::vector<std::pair<std::string, float>>{{"loss", 0.5f}, {"rate", 2.0f}});
  writer.Close();
  records.clear();
  ASSERT_TRUE(ReadAll(writer.path(), Compression::kNone, &records).ok());
  ASSERT_EQ(records.size(), 3u);
  pb::Event graph, scalars;
  ASSERT_TRUE(graph.ParseFromString(records[1]) && scalars.ParseFromString(records[2]));
  EXPECT_EQ(graph.graph_def(), "graph bytes");
  EXPECT_EQ(scalars.step(), 7);
  ASSERT_EQ(scalars.summary().value_size(), 2);
  EXPECT_EQ(scalars.summary().value(0).tag(), "loss");
  EXPECT_EQ(scalars.summary().value(1).simple_value(), 2.0f);
}

}  // namespace
}  // namespace plumb
