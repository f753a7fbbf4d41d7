#include <gmock/gmock.h>

#include <algorithm>
#include <bitset>
#include <filesystem>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/bundle_index.h"
#include "spec/checkpoint/slice_file.h"
#include "spec/checkpoint/table_builder.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {
namespace {

using testing::ElementsAre;

Tensor OnHeap(DType dtype, const Shape& shape) { return Tensor(dtype, shape); }

std::string Bytes(std::string_view hex) {
  std::string bytes;
  std::string digits;
  for (const char c : hex) {
    if (c != ' ') digits += c;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<char>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

// A call's code.
template <class F>
Code CodeOf(const F& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.status().code();
  }
  return Code::kOk;
}

class Checkpoint : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  Tensor Restored(const std::string& prefix, const std::string& name) const {
    BundleReader reader(Files(), Path(prefix));
    return reader.Read(reader.Find(name), OnHeap);
  }
  void Save(const std::string& prefix, const std::map<std::string, Tensor>& tensors) const {
    BundleWriter writer(Files(), Path(prefix));
    for (const auto& [name, tensor] : tensors) writer.Add(name, tensor);
    writer.Finish();
  }

  TemporaryFolder folder_;
};

// Numbers are written in pieces of 64 KiB.
TEST_F(Checkpoint, NumbersOfAnySizeComeBack) {
  std::map<std::string, Tensor> tensors;
  for (const int64_t elements : {0, 1, 16383, 16384, 16385, 32768, 100'000}) {
    Tensor tensor(DType::kFloat, Shape({elements}));
    float next = 0;
    for (float& number : tensor.mutable_data<float>()) number = next++;
    tensors.emplace(Str("of_", elements), tensor);
  }
  Save("p", tensors);
  for (const auto& [name, tensor] : tensors) EXPECT_TRUE(Restored("p", name).BitwiseEquals(tensor)) << name;
}

// TensorFlow's own bytes of {"a": [1, 2]}.
TEST_F(Checkpoint, ABundleIsReadAndWrittenByteForByte) {
  Save("p", {{"a", MakeVector<float>({1, 2})}});
  EXPECT_EQ(ReadFile(Path("p.data-00000-of-00001")), Bytes("0000803f00000040"));
  std::string index = Bytes(
      "00000608011a02080100010f610801120412020802280835593ce5350000000001000000 00 4419559e 0000000001000000 00 "
      "c0f2a1b0 "
      "00010262002400000000 01000000 00 5a996b35 2908 360e");
  index.resize(index.size() + 36);
  index += Bytes("57fb808b247547db");
  EXPECT_EQ(ReadFile(Path("p.index")), index);
  EXPECT_TRUE(Restored("p", "a").BitwiseEquals(MakeVector<float>({1, 2})));
}

// A file that TensorFlow 2.12 has written: {"t1-keys": ["k2"], "t1-values": [40], "v1": 20}.
constexpr std::string_view kFirstFormat =
    "0000420a400a150a0774312d6b657973120412020801180722020a000a170a0974312d76616c756573120412020801180122020a000a0a0a02"
    "7631120018032200120208 0100 0e150074312d6b657973000101 "
    "01807f12130a0774312d6b65797312020a001a0442026b32040c1976616c"
    "756573000101 "
    "01807f12170a0974312d76616c75657312020a001a062a040000204201050d7631000100120b0a02763112001a033a0114000000"
    "0001000000 00 4915bf61 0000000001000000 00 c0f2a1b0 00010301 00b0010000000001000000 00 f4213b8d b50108c2010f";

TEST_F(Checkpoint, TheFirstFormatIsReadAndWrittenByteForByte) {
  std::string bytes = Bytes(kFirstFormat);
  bytes.resize(bytes.size() + 34);
  bytes += Bytes("57fb808b247547db");
  WriteFile(Path("old-00001-of-00002"), bytes);
  SliceFileReader reader(Files(), Path("old-*-of-00002"));
  EXPECT_EQ(reader.Read(reader.Find("t1-keys"), 0).data<std::string>()[0], "k2");
  EXPECT_EQ(reader.Read(reader.Find("t1-values"), 0).data<float>()[0], 40);
  EXPECT_EQ(reader.Find("v1").shape, Shape());
  SliceFileWriter writer(Files(), Path("new"));
  for (const std::string name : {"t1-keys", "t1-values", "v1"}) {
    const SlicedTensor& tensor = reader.Find(name);
    writer.Add(name, tensor.shape, tensor.slices[0], reader.Read(tensor, 0));
  }
  writer.Finish();
  EXPECT_EQ(ReadFile(Path("new")), bytes);
  EXPECT_EQ(CodeOf([&] { reader.Find("v2"); }), Code::kNotFound);
  EXPECT_EQ(CodeOf([&] { SliceFileReader(Files(), Path("nothing-*")); }), Code::kNotFound);
}

TEST_F(Checkpoint, EveryTypeComesBack) {
  std::map<std::string, Tensor> tensors;
  for (int number = 1; number <= 23; ++number) {
    const DType dtype = DType(number);
    if (dtype == DType::kResource) continue;
    tensors.emplace(std::string(DTypeName(dtype)), Zeros(dtype, {2, 3}));
    tensors.emplace(Str("empty ", DTypeName(dtype)), Zeros(dtype, {0, 3}));
  }
  tensors["text"] = MakeVector<std::string>({"", "x", std::string(200, 'y'), std::string(100000, 'z')});
  tensors["large"] = Zeros(DType::kDouble, {100, 1000});
  Save("deep/p", tensors);
  for (const auto& [name, tensor] : tensors) EXPECT_TRUE(Restored("deep/p", name).BitwiseEquals(tensor)) << name;
  EXPECT_EQ(BundleReader(Files(), Path("deep/p")).List().size(), tensors.size());
}

TEST_F(Checkpoint, PartsHaveKeysOfTheirOwn) {
  EXPECT_EQ(SliceKey("v", ParseShapeAndSlice("6 4 0,3:-").slice), Bytes("0076000101028083807f"));
  EXPECT_EQ(SliceKey("", ParseShapeAndSlice("1000 63,65").slice), Bytes("0000010101bfc041"));
  const TensorSlice top = ParseShapeAndSlice("2 2 0,1:-").slice, bottom = ParseShapeAndSlice("2 2 1,1:-").slice;
  BundleWriter writer(Files(), Path("p"));
  writer.AddSlice("v", {2, 2}, top, MakeTensor<float>({1, 2}, {1, 2}));
  writer.AddSlice("v", {2, 2}, bottom, MakeTensor<float>({1, 2}, {3, 4}));
  writer.AddSlice("whole", {2}, TensorSlice{{{0, 2}}}, MakeVector<float>({5, 6}));
  EXPECT_EQ(CodeOf([&] {
              writer.AddSlice("v", {2, 2}, top, MakeTensor<float>({1, 2}, {1, 2}));
            }),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] {
              writer.AddSlice("v", {2, 3}, top, MakeTensor<float>({1, 3}, {1, 2, 3}));
            }),
            Code::kInvalidArgument);
  writer.Finish();
  BundleReader reader(Files(), Path("p"));
  EXPECT_TRUE(reader.Find("whole").slices.empty());
  const BundleEntry v = reader.Find("v");
  EXPECT_THAT(v.slices, ElementsAre(top, bottom));
  EXPECT_TRUE(reader.Read(reader.FindSlice(v, bottom), OnHeap).BitwiseEquals(MakeTensor<float>({1, 2}, {3, 4})));
}

// A signed number in ordered code: n ones, a zero and 7n - 1 bits, n being as small as the number allows; a negative
// one is its complement with every bit inverted.
std::string OrderedCode(int64_t value) {
  const std::string digits = std::bitset<63>(static_cast<uint64_t>(value < 0 ? ~value : value)).to_string();
  const size_t significant = digits.size() - std::min(digits.find('1'), digits.size());
  size_t count = 1;
  while (7 * count - 1 < significant) ++count;
  std::string bits = std::string(count, '1') + '0';
  bits += std::string(8 * count - bits.size() - significant, '0') + digits.substr(digits.size() - significant);
  std::string bytes;
  for (size_t i = 0; i < bits.size(); i += 8) {
    const auto byte = static_cast<char>(std::bitset<8>(bits, i, 8).to_ulong());
    bytes += value < 0 ? static_cast<char>(~byte) : byte;
  }
  return bytes;
}

std::string KeyOfStart(int64_t start) { return SliceKey("", TensorSlice{{{start, 1}}}); }

TEST(Slices, KeysHaveStartsInOrderedCode) {
  const auto key = [](std::string_view start) { return Bytes("0000010101") + Bytes(start) + Bytes("81"); };
  EXPECT_EQ(KeyOfStart(0), key("80"));
  EXPECT_EQ(KeyOfStart(64), key("c040"));
  EXPECT_EQ(KeyOfStart((1 << 13) - 1), key("dfff"));
  EXPECT_EQ(KeyOfStart(1 << 13), key("e02000"));
  EXPECT_EQ(KeyOfStart(int64_t{1} << 55), key("ff8080000000000000"));
  EXPECT_EQ(KeyOfStart(int64_t{1} << 62), key("ffc04000000000000000"));
  EXPECT_EQ(KeyOfStart(-65), key("3fbf"));
  std::vector<int64_t> starts = {INT64_MAX, INT64_MIN};
  for (int k = 0; k < 63; ++k) {
    const int64_t power = int64_t{1} << k;
    starts.insert(starts.end(), {power - 1, power, ~(power - 1), ~power});
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  for (const int64_t start : starts) {
    EXPECT_EQ(KeyOfStart(start), Bytes("0000010101") + OrderedCode(start) + Bytes("81")) << start;
  }
  for (size_t i = 1; i < starts.size(); ++i) {
    EXPECT_LT(KeyOfStart(starts[i - 1]), KeyOfStart(starts[i])) << starts[i];
  }
}

TEST(Slices, TextsAreChecked) {
  for (const std::string text : {"", "2", "2 x", "2 0", "2 0,0", "2 -1,1", "x -", "-2 -", "2 0,1,1", "2  -"}) {
    EXPECT_EQ(CodeOf([&] { ParseShapeAndSlice(text); }), Code::kInvalidArgument) << text;
  }
  for (const std::string text : {"2 1,2", "2 -:-", "2 9223372036854775807,9223372036854775807"}) {
    EXPECT_EQ(CodeOf([&] { ParseShapeAndSlice(text); }), Code::kInternal) << text;
  }
  EXPECT_EQ(ParseShapeAndSlice("6 4 1,3:-").slice_shape, Shape({3, 4}));
}

TEST_F(Checkpoint, ManyTensorsTakeManyBlocks) {
  BundleWriter writer(Files(), Path("p"));
  constexpr int kTensors = 4000;
  const std::string path(100, 'x');
  const auto name = [&](int i) { return Str(i, "/", path); };
  for (int i = 0; i < kTensors; ++i) writer.Add(name(i), MakeScalar<int32_t>(i));
  writer.Finish();
  BundleReader reader(Files(), Path("p"));
  for (int i = 0; i < kTensors; i += 13) {
    EXPECT_EQ(reader.Read(reader.Find(name(i)), OnHeap).scalar<int32_t>(), i);
  }
  EXPECT_EQ(CodeOf([&] { reader.Find(path); }), Code::kNotFound);
  EXPECT_EQ(CodeOf([&] { reader.Find("17"); }), Code::kNotFound);
  EXPECT_EQ(reader.List().size(), size_t{kTensors});
}

// No byte of either file may change, and none be missing, without an error or the same values.
TEST_F(Checkpoint, BrokenFilesAreRefused) {
  const std::map<std::string, Tensor> tensors = {{"a", MakeVector<float>({1, 2, 3})},
                                                 {"b", MakeVector<std::string>({"one", "", "three"})}};
  Save("p", tensors);
  const auto outcome = [&] {
    return CodeOf([&] {
      for (const auto& [name, tensor] : tensors) EXPECT_TRUE(Restored("p", name).BitwiseEquals(tensor));
    });
  };
  for (const std::string file : {"p.index", "p.data-00000-of-00001"}) {
    const std::string whole = ReadFile(Path(file));
    for (size_t i = 0; i < whole.size(); ++i) {
      WriteFile(Path(file), whole.substr(0, i));
      EXPECT_THAT(outcome(), testing::AnyOf(Code::kDataLoss, Code::kOutOfRange)) << file << " cut at " << i;
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << i % 8));
      WriteFile(Path(file), flipped);
      EXPECT_THAT(outcome(), testing::AnyOf(Code::kOk, Code::kDataLoss, Code::kUnimplemented)) << file << " at " << i;
    }
    WriteFile(Path(file), whole);
  }
  std::filesystem::remove(Path("p.data-00000-of-00001"));
  EXPECT_EQ(outcome(), Code::kNotFound);
  std::filesystem::remove(Path("p.index"));
  EXPECT_EQ(outcome(), Code::kNotFound);
}

TEST_F(Checkpoint, OtherMachinesAndPartsThatAreNoneAreRefused) {
  pb::BundleHeaderProto header;
  header.set_num_shards(1);
  pb::BundleEntryProto entry;
  entry.set_dtype(pb::DT_FLOAT);
  entry.mutable_shape()->add_dim()->set_size(4);
  auto* const extent = entry.add_slices()->add_extent();
  const auto outcome = [&] {
    checkpoint::WriteBundleIndex(Files(), Path("p"), header, {{"a", entry}})->Commit();
    return CodeOf([&] { BundleReader(Files(), Path("p")).Find("a"); });
  };
  EXPECT_EQ(outcome(), Code::kOk) << "all of it";
  extent->set_start(1);
  EXPECT_EQ(outcome(), Code::kDataLoss) << "from 1 on, without a length";
  extent->set_length(3);
  EXPECT_EQ(outcome(), Code::kOk);
  extent->set_length(0);
  EXPECT_EQ(outcome(), Code::kDataLoss);
  extent->set_start(-1);
  extent->set_length(2);
  EXPECT_EQ(outcome(), Code::kDataLoss);
  header.set_endianness(pb::BundleHeaderProto::BIG);
  EXPECT_EQ(outcome(), Code::kUnimplemented);
}

TEST_F(Checkpoint, ReadersThatAreTooOldOrBadRefuse) {
  pb::BundleHeaderProto header;
  header.set_num_shards(1);
  pb::VersionDef& version = *header.mutable_version();
  const auto outcome = [&] {
    checkpoint::WriteBundleIndex(Files(), Path("p"), header, {})->Commit();
    return CodeOf([&] { BundleReader(Files(), Path("p")); });
  };
  version.set_min_consumer(checkpoint::kBundleVersion);
  version.add_bad_consumers(checkpoint::kBundleVersion + 1);
  EXPECT_EQ(outcome(), Code::kOk);
  version.add_bad_consumers(checkpoint::kBundleVersion);
  EXPECT_EQ(outcome(), Code::kInvalidArgument);
  version.clear_bad_consumers();
  version.set_min_consumer(checkpoint::kBundleVersion + 1);
  EXPECT_EQ(outcome(), Code::kInvalidArgument);
}

TEST_F(Checkpoint, EntriesThatMakeNoSenseAreRefused) {
  pb::BundleHeaderProto header;
  header.set_num_shards(2);
  const auto outcome = [&](const auto& change) {
    pb::BundleEntryProto entry;
    entry.set_dtype(pb::DT_FLOAT);
    change(entry);
    checkpoint::WriteBundleIndex(Files(), Path("p"), header, {{"a", entry}})->Commit();
    return CodeOf([&] { BundleReader(Files(), Path("p")).Find("a"); });
  };
  using Entry = pb::BundleEntryProto;
  EXPECT_EQ(outcome([](Entry& entry) { entry.set_shard_id(1); }), Code::kOk);
  for (const int32_t shard : {-1, 2}) {
    EXPECT_EQ(outcome([&](Entry& entry) { entry.set_shard_id(shard); }), Code::kDataLoss) << shard;
  }
  for (const pb::DataType type : {pb::DT_INVALID, pb::DT_FLOAT_REF}) {
    EXPECT_EQ(outcome([&](Entry& entry) { entry.set_dtype(type); }), Code::kDataLoss) << type;
  }
  EXPECT_EQ(outcome([](Entry& entry) { entry.set_offset(-1); }), Code::kDataLoss);
  EXPECT_EQ(outcome([](Entry& entry) { entry.set_size(-1); }), Code::kDataLoss);
}

TEST_F(Checkpoint, NothingIsReplacedBeforeTheEnd) {
  Save("p", {{"a", MakeScalar<int32_t>(1)}});
  {
    BundleWriter writer(Files(), Path("p"));
    writer.Add("a", MakeScalar<int32_t>(2));
    EXPECT_EQ(CodeOf([&] { writer.Add("a", MakeScalar<int32_t>(3)); }), Code::kInvalidArgument);
    EXPECT_EQ(CodeOf([&] { writer.Add("", MakeScalar<int32_t>(3)); }), Code::kInvalidArgument);
    EXPECT_EQ(CodeOf([&] { writer.Add("r", Zeros(DType::kResource, {})); }), Code::kInvalidArgument);
  }
  EXPECT_EQ(Restored("p", "a").scalar<int32_t>(), 1);
  EXPECT_THAT(Files().List(folder_.path()), ElementsAre("p.data-00000-of-00001", "p.index"));
  EXPECT_EQ(CodeOf([&] { Save("no/such/p", {}); }), Code::kNotFound);
}

TEST_F(Checkpoint, MergesNameATensorThatIsThereTwice) {
  const TensorSlice top = ParseShapeAndSlice("2 0,1").slice;
  for (const char* prefix : {"x", "y"}) {
    BundleWriter writer(Files(), Path(prefix));
    writer.AddSlice("layer/v", {2}, top, MakeVector<float>({1}));
    writer.Finish();
  }
  try {
    MergeBundles(Files(), {Path("x"), Path("y")}, Path("all"), false);
    FAIL() << "a slice was merged twice";
  } catch (const Error& error) {
    EXPECT_THAT(error.status().message(), testing::HasSubstr("the tensor 'layer/v' of '" + Path("y") + "'"));
  }
}

// The tensors of the second data file come first by name, so that the files change places.
TEST_F(Checkpoint, IsMergedIntoItself) {
  Save("x", {{"b", MakeScalar<float>(2)}});
  Save("y", {{"a", MakeScalar<float>(1)}});
  MergeBundles(Files(), {Path("x"), Path("y")}, Path("all"), false);
  MergeBundles(Files(), {Path("all")}, Path("all"), false);
  EXPECT_EQ(Restored("all", "a").scalar<float>(), 1);
  EXPECT_EQ(Restored("all", "b").scalar<float>(), 2);
  EXPECT_THAT(Files().List(folder_.path()),
              ElementsAre("all.data-00000-of-00002", "all.data-00001-of-00002", "all.index"));
}

TEST_F(Checkpoint, MergesRenameTheData) {
  const TensorSlice top = ParseShapeAndSlice("2 0,1").slice, bottom = ParseShapeAndSlice("2 1,1").slice;
  const auto save = [&](const std::string& prefix, const TensorSlice& part, float value) {
    BundleWriter writer(Files(), Path(prefix));
    writer.Add(prefix, MakeScalar(value));
    writer.AddSlice("v", {2}, part, MakeVector<float>({value}));
    writer.Finish();
  };
  save("x", top, 1);
  save("y", bottom, 2);
  MergeBundles(Files(), {Path("x"), Path("y"), Path("z")}, Path("all"), /*allow_missing=*/true);
  EXPECT_EQ(Restored("all", "y").scalar<float>(), 2);
  BundleReader reader(Files(), Path("all"));
  const BundleEntry v = reader.Find("v");
  EXPECT_EQ(reader.Read(reader.FindSlice(v, bottom), OnHeap).data<float>()[0], 2);
  EXPECT_THAT(Files().List(folder_.path()),
              ElementsAre("all.data-00000-of-00002", "all.data-00001-of-00002", "all.index"));
  Save("twice", {{"y", MakeScalar<float>(1)}});
  EXPECT_EQ(CodeOf([&] {
              MergeBundles(Files(), {Path("all"), Path("twice")}, Path("n"), false);
            }),
            Code::kInvalidArgument);
  Save("whole", {{"v", MakeVector<float>({1, 2})}});
  EXPECT_EQ(CodeOf([&] {
              MergeBundles(Files(), {Path("all"), Path("whole")}, Path("n"), false);
            }),
            Code::kInternal)
      << "in parts elsewhere";
  EXPECT_EQ(CodeOf([&] { MergeBundles(Files(), {Path("none")}, Path("n"), false); }), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { MergeBundles(Files(), {Path("none")}, Path("n"), true); }), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
