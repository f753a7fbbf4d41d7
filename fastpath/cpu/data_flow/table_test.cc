#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include "fastpath/cpu/lib/state/lookup_table.h"
#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/core/little_memory_testing.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Entry Keys(std::initializer_list<int64_t> keys) { return In(MakeVector<int64_t>(keys)); }
Entry Texts(std::initializer_list<std::string> texts) { return In(MakeVector<std::string>(texts)); }
Entry Default(float value) { return In(MakeScalar(value)); }
Entry Floats(std::initializer_list<float> values) { return In(MakeVector<float>(values)); }

AttrMap Types(DType key, DType value) {
  return {{"key_dtype", key}, {"value_dtype", value}, {"use_node_name_sharing", false}};
}
const AttrMap kIntToFloat = Types(DType::kInt64, DType::kFloat);

TEST(Table, GivesTheValueOfEachKey) {  // L1, L2, L4
  KernelHarness harness;
  const Entry table = harness.Run("HashTableV2", {}, kIntToFloat)[0];
  EXPECT_EQ(harness.Value("LookupTableSizeV2", {table}).scalar<int64_t>(), 0);
  EXPECT_EQ(harness.CodeOf("LookupTableFindV2", {table, Keys({1}), Default(0)}), Code::kFailedPrecondition);
  const AttrMap types = {{"Tkeys", DType::kInt64}, {"Tvalues", DType::kFloat}};
  EXPECT_EQ(harness.CodeOf("LookupTableExportV2", {table}, types), Code::kAborted);
  harness.Run("InitializeTableV2", {table, Keys({5, 3, 5}), Floats({50, 30, 50})});
  EXPECT_EQ(harness.Value("LookupTableSizeV2", {table}).scalar<int64_t>(), 2);
  const Tensor found =
      harness.Value("LookupTableFindV2", {table, In(MakeTensor<int64_t>({2, 2}, {3, 4, 5, 3})), Default(-1)});
  EXPECT_EQ(found.shape(), Shape({2, 2}));
  EXPECT_THAT(Values<float>(found), ElementsAre(30, -1, 50, 30));
  const auto exported = harness.Run("LookupTableExportV2", {table}, types);
  EXPECT_THAT(Values<int64_t>(exported[0].tensor), ElementsAre(5, 3));
  EXPECT_THAT(Values<float>(exported[1].tensor), ElementsAre(50, 30));
}

TEST(Table, IsFilledOnce) {  // L1, L2
  KernelHarness harness;
  const Entry table = harness.Run("HashTableV2", {}, kIntToFloat)[0];
  EXPECT_EQ(harness.CodeOf("InitializeTableV2", {table, Keys({1, 2}), Floats({1})}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("InitializeTableV2", {table, Keys({}), Floats({})}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("InitializeTableV2", {table, Keys({1, 2, 1}), Floats({1, 2, 3})}),
            Code::kFailedPrecondition);
  EXPECT_EQ(harness.Value("LookupTableSizeV2", {table}).scalar<int64_t>(), 0);
  EXPECT_EQ(harness.CodeOf("InitializeTableV2", {table, Keys({1}), Floats({7})}), Code::kFailedPrecondition);
  harness.Run("LookupTableImportV2", {table, Keys({4}), Floats({4})});
  EXPECT_EQ(harness.Value("LookupTableSizeV2", {table}).scalar<int64_t>(), 3);  // 1 and 2 came before
  EXPECT_EQ(harness.CodeOf("InitializeTableV2", {table, Keys({7, 8, 9}), Floats({0, 0, 0})}), Code::kOk);
  EXPECT_EQ(harness.CodeOf("InitializeTableV2", {table, Keys({7}), Floats({0})}), Code::kFailedPrecondition);
  EXPECT_EQ(harness.CodeOf("LookupTableInsertV2", {table, Keys({7}), Floats({0})}), Code::kUnimplemented);
  EXPECT_EQ(harness.CodeOf("LookupTableRemoveV2", {table, Keys({7})}), Code::kUnimplemented);
  EXPECT_EQ(harness.CodeOf("LookupTableInsertV2", {table, Keys({7}), Floats({0, 1})}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("LookupTableRemoveV2", {table, Floats({7})}), Code::kInvalidArgument);
  EXPECT_THAT(Values<float>(harness.Value("LookupTableFindV2", {table, Keys({7, 4, 8}), Floats({-1, -2, -3})})),
              ElementsAre(-1, 4, -1));  // L4
  EXPECT_EQ(harness.CodeOf("LookupTableFindV2", {table, Keys({7}), Floats({0, 1})}), Code::kInvalidArgument);
  EXPECT_THAT(Values<float>(harness.Value("LookupTableFindV2", {table, Keys({7, 4}), Default(-1)})),
              ElementsAre(-1, 4));
}

TEST(Table, ChecksWhatItIsAsked) {  // L4, L6
  KernelHarness harness;
  const Entry table = harness.Run("HashTableV2", {}, kIntToFloat)[0];
  harness.Run("InitializeTableV2", {table, Keys({1}), Floats({1})});
  EXPECT_EQ(harness.CodeOf("LookupTableFindV2", {table, Texts({"a"}), Default(0)}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("LookupTableFindV2", {table, Keys({1}), Floats({0, 1})}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("HashTableV2", {}, Types(DType::kFloat, DType::kFloat)), Code::kInvalidArgument);
  AttrMap shared = kIntToFloat;
  shared["shared_name"] = "node1";  // not the name of that node's own table
  const Entry other = harness.Run("HashTableV2", {}, shared)[0];
  EXPECT_EQ(harness.Value("LookupTableSizeV2", {other}).scalar<int64_t>(), 0);
  shared["value_dtype"] = DType::kInt32;
  EXPECT_EQ(harness.CodeOf("HashTableV2", {}, shared), Code::kInvalidArgument);
}

// L6: the node that makes a table says of which kind it is, and what else there is to say.
TEST(Table, IsSharedByNodesOfOtherKinds) {
  KernelHarness harness;
  AttrMap shared = kIntToFloat;
  shared["shared_name"] = "shared";
  const Entry made = harness.Run("MutableHashTableV2", {}, shared)[0];
  harness.Run("LookupTableInsertV2", {made, Keys({1}), Floats({10})});
  const Entry once = harness.Run("HashTableV2", {}, shared)[0];
  EXPECT_THAT(Values<float>(harness.Value("LookupTableFindV2", {once, Keys({1}), Default(-1)})), ElementsAre(10));
  EXPECT_EQ(harness.CodeOf("InitializeTableV2", {once, Keys({2}), Floats({20})}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("LookupTableInsertV2", {once, Keys({2}), Floats({20})}), Code::kOk);
  shared["value_shape"] = PartialShape(Shape({3}));
  const Entry tensors = harness.Run("MutableHashTableOfTensorsV2", {}, shared)[0];
  EXPECT_EQ(harness.Value("LookupTableSizeV2", {tensors}).scalar<int64_t>(), 2);
  const Entry zero = In(MakeScalar<int64_t>(0));
  shared["initial_num_buckets"] = int64_t{4};
  shared["max_load_factor"] = 0.5F;
  EXPECT_EQ(harness.CodeOf("MutableDenseHashTableV2", {zero, zero}, shared), Code::kOk) << "nothing is made of them";
}

// L3: another step may have filled the table while the lines were read.
TEST(Table, TakesNoLinesOnceItIsFilled) {
  LookupTable table;
  table.Describe("table", {TableKind::kFilledOnce, DType::kInt64, DType::kFloat, Shape()});
  const Tensor keys = MakeVector<int64_t>({1, 2}), values = MakeVector<float>({10, 20});
  EXPECT_TRUE(table.InitializeWithLines(keys, values, /*are_all=*/true));
  EXPECT_FALSE(table.InitializeWithLines(MakeVector<int64_t>({3}), MakeVector<float>({30}), /*are_all=*/true));
  EXPECT_EQ(table.Entries()->size(), 2);
}

TEST(Table, AMutableOneChanges) {  // L5
  KernelHarness harness;
  const Entry table = harness.Run("MutableHashTableV2", {}, Types(DType::kString, DType::kInt32))[0];
  const auto ints = [](std::initializer_list<int32_t> values) { return In(MakeVector<int32_t>(values)); };
  const auto find = [&] {
    return Values<int32_t>(harness.Value("LookupTableFindV2", {table, Texts({"a", "b", "c"}), In(MakeScalar(-1))}));
  };
  EXPECT_THAT(find(), ElementsAre(-1, -1, -1));
  harness.Run("LookupTableInsertV2", {table, Texts({"a", "b", "a"}), ints({1, 2, 3})});
  EXPECT_THAT(find(), ElementsAre(3, 2, -1));
  harness.Run("LookupTableRemoveV2", {table, Texts({"a", "x"})});
  harness.Run("LookupTableInsertV2", {table, Texts({"c"}), ints({5})});
  EXPECT_THAT(find(), ElementsAre(-1, 2, 5));
  harness.Run("LookupTableImportV2", {table, Texts({"b"}), ints({9})});
  EXPECT_THAT(find(), ElementsAre(-1, 9, -1));
  harness.Run("LookupTableImportV2", {table, Texts({}), ints({})});
  const AttrMap types = {{"Tkeys", DType::kString}, {"Tvalues", DType::kInt32}};
  EXPECT_THAT(Values<std::string>(harness.Value("LookupTableExportV2", {table}, types)), IsEmpty());
}

// Tables to be filled with texts, whose rows are vectors of texts.
struct TextTable {
  static constexpr int64_t kWidth = 3;
  TextTable() { table.Describe("table", {TableKind::kMutable, DType::kString, DType::kString, Shape({kWidth})}); }
  static Tensor Vectors(const std::vector<std::string>& of) {
    Tensor values(DType::kString, {static_cast<int64_t>(of.size()), kWidth});
    for (size_t i = 0; i < of.size() * kWidth; ++i)
      values.mutable_data<std::string>()[i] = Str(of[i / 3], " at ", i % 3);
    return values;
  }
  static Tensor Row(const std::vector<std::string>& of) {
    return MakeTensor<std::string>({static_cast<int64_t>(of.size())}, std::span<const std::string>(of));
  }
  std::pair<Tensor, Tensor> Exported() {
    const auto entries = table.Entries();
    std::pair<Tensor, Tensor> exported(Tensor(DType::kString, {entries->size()}),
                                       Tensor(DType::kString, {entries->size(), kWidth}));
    entries->Export(exported.first, exported.second);
    return exported;
  }
  LookupTable table;
};

// Keys come and go, one by one and many at a time; what is there is what a plain list has, in the order in which the
// keys came, and a table that is restored goes on alike (L5, L7).
TEST(Table, KeepsManyKeysApartAndInOrder) {
  auto kept = std::make_unique<TextTable>();
  std::vector<std::string> plain;  // keys
  std::map<std::string, std::string> values;
  std::minstd_rand random(1);
  for (int64_t i = 0; i < 300; ++i) {
    std::vector<std::string> keys, numbers;
    for (size_t count = i % 7 == 0 ? 400 : random() % 4; count > 0; --count) {
      keys.push_back(Str("key ", std::string(random() % 3 * 10, 'x'), random() % 200));
      numbers.push_back(Str("value ", random()));
    }
    const bool removes = random() % 2 == 0;
    for (size_t k = 0; k < keys.size(); ++k) {
      const auto found = std::find(plain.begin(), plain.end(), keys[k]);
      if (removes && found != plain.end()) plain.erase(found);
      if (!removes && found == plain.end()) plain.push_back(keys[k]);
      values[keys[k]] = numbers[k];
    }
    if (removes) kept->table.Remove(TextTable::Row(keys));
    if (!removes) kept->table.Insert(TextTable::Row(keys), TextTable::Vectors(numbers));
    const auto [all, rows] = kept->Exported();
    ASSERT_EQ(Values<std::string>(all), plain) << "step " << i;
    std::vector<std::string> expected;
    for (const std::string& key : plain) expected.push_back(values[key]);
    ASSERT_TRUE(rows.BitwiseEquals(TextTable::Vectors(expected))) << "step " << i;
    Tensor found = TextTable::Vectors(plain);
    ThreadPool pool(0);
    kept->table.Entries()->Find(pool, all, TextTable::Vectors({"none"}), found);
    ASSERT_TRUE(found.BitwiseEquals(rows)) << "step " << i;
    if (i % 50 != 0) continue;
    SavedState state;
    kept->table.Save(StateWriter(state));
    kept = std::make_unique<TextTable>();
    kept->table.Restore(StateReader(state));
  }
  EXPECT_GT(plain.size(), 50);
}

// L5: a key for whose row there is no memory is not there.
TEST(Table, IsWholeWhereMemoryEnds) {
  if (!LittleMemory::kIsKept) GTEST_SKIP() << "sanitizers take memory of their own";
  constexpr int64_t kWidth = 1 << 20;
  KernelHarness harness;
  AttrMap of_rows = kIntToFloat;
  of_rows["value_shape"] = PartialShape({kWidth});
  const Entry table = harness.Run("MutableHashTableOfTensorsV2", {}, of_rows)[0];
  const Entry row = In(MakeTensor<float>({1, kWidth}, std::vector<float>(kWidth)));
  const auto size = [&] { return harness.Value("LookupTableSizeV2", {table}).scalar<int64_t>(); };
  int64_t key = 0;
  for (bool fits = true; fits && key < 1000; ++key) {
    const LittleMemory little(16 << 20);
    try {
      harness.Run("LookupTableInsertV2", {table, Keys({key}), row});
    } catch (const std::exception&) {
      fits = false;
    }
  }
  ASSERT_LT(key, 1000) << "memory did not end";
  EXPECT_EQ(size(), key - 1);
  harness.Run("LookupTableInsertV2", {table, Keys({key - 1}), row});
  EXPECT_EQ(size(), key);
}

// A search that goes on beside a change sees the table as it was.
TEST(Table, WhoReadsItHasASnapshot) {  // L4, L5
  LookupTable table;
  table.Describe("table", {TableKind::kMutable, DType::kInt64, DType::kFloat, Shape()});
  table.Insert(MakeVector<int64_t>({1, 2}), MakeVector<float>({10, 20}));
  const auto snapshot = table.Entries();
  const auto found = [&] {
    ThreadPool pool(0);
    Tensor values(DType::kFloat, {3});
    snapshot->Find(pool, MakeVector<int64_t>({1, 2, 3}), MakeScalar<float>(-1), values);
    return Values<float>(values);
  };
  table.Insert(MakeVector<int64_t>({2, 3}), MakeVector<float>({21, 30}));
  EXPECT_THAT(found(), ElementsAre(10, 20, -1));
  table.Remove(MakeVector<int64_t>({1}));
  EXPECT_THAT(found(), ElementsAre(10, 20, -1));
  EXPECT_EQ(snapshot->size(), 2);
  EXPECT_EQ(table.Entries()->size(), 2);
}

TEST(Table, TheOldFormNamesItByReference) {  // Q5
  KernelHarness harness;
  const Entry table = harness.Run("HashTable", {}, kIntToFloat)[0];
  harness.Run("InitializeTable", {table, Keys({1}), Floats({10})});
  EXPECT_THAT(Values<float>(harness.Value("LookupTableFind", {table, Keys({1, 2}), Default(0)})), ElementsAre(10, 0));
}

TEST(Table, OldOpsKnowTheSameTables) {  // Q5, L5, L7, L8
  KernelHarness harness;
  const AttrMap types = {{"Tkeys", DType::kInt64}, {"Tvalues", DType::kFloat}};
  const Entry table = harness.Run("MutableHashTable", {}, kIntToFloat)[0];
  harness.Run("LookupTableInsert", {table, Keys({3, 1}), Floats({30, 10})});
  EXPECT_EQ(harness.Value("LookupTableSize", {table}).scalar<int64_t>(), 2);
  const auto exported = harness.Run("LookupTableExport", {table}, types);
  EXPECT_THAT(Values<int64_t>(exported[0].tensor), ElementsAre(3, 1));
  EXPECT_THAT(Values<float>(exported[1].tensor), ElementsAre(30, 10));
  harness.Run("LookupTableImport", {table, Keys({7}), Floats({70})});
  EXPECT_THAT(Values<float>(harness.Value("LookupTableFind", {table, Keys({3, 7}), Default(-1)})), ElementsAre(-1, 70));
  EXPECT_EQ(harness.CodeOf("LookupTableImport", {table, Keys({3, 1}), Floats({30})}), Code::kInvalidArgument);

  const Entry fixed = harness.Run("HashTable", {}, kIntToFloat)[0];
  EXPECT_EQ(harness.CodeOf("LookupTableInsert", {fixed, Keys({3}), Floats({30})}), Code::kUnimplemented);
  EXPECT_EQ(harness.Value("LookupTableSize", {fixed}).scalar<int64_t>(), 0);
  EXPECT_EQ(harness.CodeOf("LookupTableExport", {fixed}, types), Code::kAborted);

  AttrMap of_rows = kIntToFloat;
  of_rows["value_shape"] = PartialShape{2};
  const Entry rows = harness.Run("MutableHashTableOfTensors", {}, of_rows)[0];
  EXPECT_THAT(Values<float>(harness.Value("LookupTableFind", {rows, Keys({3}), Floats({1, 2})})), ElementsAre(1, 2));
}

}  // namespace
}  // namespace plumb::fast::cpu
