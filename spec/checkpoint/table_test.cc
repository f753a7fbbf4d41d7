// Tables by themselves: what was added is found, blocks end where they should, and places that lie are refused.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "spec/checkpoint/table_builder.h"
#include "spec/checkpoint/table_format.h"
#include "spec/checkpoint/table_reader.h"
#include "spec/core/bytes.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb::checkpoint {
namespace {

using Pairs = std::map<std::string, std::string>;

class Table : public testing::Test {
 protected:
  std::string Path() const { return folder_.path() + "/table"; }
  void Write(const Pairs& pairs) const {
    const auto file = Files().Replace(Path());
    TableBuilder table(file.get());
    for (const auto& [key, value] : pairs) table.Add(key, value);
    table.Finish();
    file->Commit();
  }
  TableReader Reader() const { return TableReader(Files().Open(Path())); }

  const TemporaryFolder folder_;
};

// Keys that share much and little, ends of bytes, and so many blocks that the index has several restarts.
TEST_F(Table, WhatWasAddedIsFoundAndNothingElse) {
  for (const size_t most : {size_t{20}, kBlockSize / 3}) {
    Pairs pairs;
    std::mt19937 random(5);
    while (pairs.size() < 120) {
      std::string key(random() % 4, 'k');
      for (size_t i = random() % 5; i > 0; --i) key += "\x01\x7f\x80\xfe\xff"[random() % 5];
      pairs[key] = std::string(random() % most, static_cast<char>('a' + random() % 26));
    }
    Write(pairs);
    TableReader reader = Reader();
    Pairs all;
    reader.ForEach([&](std::string_view key, std::string_view value) { all.emplace(key, value); });
    EXPECT_EQ(all, pairs);
    for (const auto& [key, value] : pairs) {
      EXPECT_EQ(reader.Find(key), value);
      for (const std::string& other : {key + '\0', key + "\xff", key.substr(0, key.size() / 2)}) {
        EXPECT_EQ(reader.Find(other).has_value(), pairs.contains(other));
      }
    }
  }
}

TEST_F(Table, ABlockEndsAtItsSize) {
  const auto size_with = [&](size_t value) {
    Write({{"a", std::string(value, 'x')}, {"b", ""}});
    return Files().Open(Path())->size();
  };
  // What the block has besides the value: three lengths of 1, 1 and 3 bytes, the key, a restart and their number.
  constexpr size_t kRest = 5 + 1 + 2 * sizeof(uint32_t);
  EXPECT_EQ(size_with(kBlockSize - kRest - 1), size_with(kBlockSize - kRest - 2) + 1);
  EXPECT_GT(size_with(kBlockSize - kRest), size_with(kBlockSize - kRest - 1) + 20) << "b stands in a block of its own";
}

TEST_F(Table, AnEntryOfTwoBlocksBeginsOne) {
  const auto size_with = [&](size_t value) {
    Write({{"a", ""}, {"b", std::string(value, 'x')}});
    return Files().Open(Path())->size();
  };
  constexpr size_t kLargest = 2 * kBlockSize - 2;  // with its key it is less than two blocks
  EXPECT_EQ(size_with(kLargest), size_with(kBlockSize) + static_cast<int64_t>(kLargest - kBlockSize));
  EXPECT_GT(size_with(kLargest + 1), size_with(kLargest) + 20) << "a stands in a block of its own";
}

TEST_F(Table, PlacesThatLeaveTheFileAreRefused) {
  Write({{"key", "value"}});
  const std::string file = ReadFile(Path());
  const std::string head = file.substr(0, file.size() - kFooterSize),
                    tail = file.substr(file.size() - sizeof(uint64_t));
  const auto code = [&](uint64_t offset, uint64_t size) {
    std::string places;
    for (int block = 0; block < 2; ++block) {  // of meta data, and the index
      AppendVarint(offset, &places);
      AppendVarint(size, &places);
    }
    places.resize(kFooterSize - sizeof(uint64_t));
    WriteFile(Path(), head + places + tail);
    return StatusOf([&] { Reader(); }).code();
  };
  const uint64_t end = file.size();
  for (uint64_t room = 0; room < 2 * kTrailerSize; ++room) {
    EXPECT_EQ(code(end - room, 0), Code::kDataLoss) << room;
    EXPECT_EQ(code(end - room, room), Code::kDataLoss) << room;
    EXPECT_EQ(code(0, end - room), Code::kDataLoss) << room;
    EXPECT_EQ(code(10, end - room), Code::kDataLoss) << room;
    EXPECT_EQ(code(end + room, 0), Code::kDataLoss) << room;
  }
  EXPECT_EQ(code(UINT64_MAX, 1), Code::kDataLoss);
  EXPECT_EQ(code(1, UINT64_MAX), Code::kDataLoss);
}

}  // namespace
}  // namespace plumb::checkpoint
