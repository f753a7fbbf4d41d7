#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"
#include "spec/checkpoint/hole_testing.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }
Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }

class Checkpoint : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  KernelCall Restore(std::string name, std::string slice, DType type = DType::kFloat) const {
    return {"RestoreV2", {Text(Path("p")), Texts({std::move(name)}), Texts({std::move(slice)})}, {}, {type}};
  }
  // A call of an op without outputs.
  static Code Effect(std::string_view op, std::vector<Value> inputs, AttrMap attrs = {}) {
    Node node;
    node.attrs = std::move(attrs);
    ResourceStore resources, step;
    std::unique_ptr<KernelState> state;
    OpContext context{
        .node = node, .inputs = {}, .outputs = {}, .dead = {}, .resources = resources, .step = step, .state = state};
    for (Value& input : inputs) context.inputs.push_back({std::move(input), nullptr});
    try {
      FindKernel(op)(context);
    } catch (const Error& error) {
      return error.status().code();
    }
    return Code::kOk;
  }

  TemporaryFolder folder_;
};

TEST(ShardedName, HasFiveDigits) {
  const auto name = [](int32_t shard, int32_t shards) {
    return KernelCall{"ShardedFilename", {Text("m"), MakeScalar(shard), MakeScalar(shards)}}()
        .tensor.scalar<std::string>();
  };
  EXPECT_EQ(name(3, 10), "m-00003-of-00010");
  EXPECT_EQ(name(1234567, -1), "m-1234567-of--0001");
  EXPECT_EQ((KernelCall{"ShardedFilespec", {Text("m"), MakeScalar(10)}}().tensor.scalar<std::string>()),
            "m-" + std::string(5, '?') + "-of-00010");
  EXPECT_EQ((KernelCall{"ShardedFilespec", {Text("m"), MakeVector<int32_t>({1})}}.Fails()), Code::kInvalidArgument);
}

TEST_F(Checkpoint, SlicesArePutTogetherFromParts) {
  EXPECT_EQ(Effect("SaveV2", {Text(Path("p")), Texts({"v", "v", "h"}), Texts({"2 3 0,1:-", "2 3 1,1:-", ""}),
                              MakeTensor<float>({1, 3}, {0, 1, 2}), MakeTensor<float>({1, 3}, {3, 4, 5}),
                              Zeros(DType::kHalf, {2})}),
            Code::kOk);
  EXPECT_THAT(Floats(Restore("v", "")()), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(Floats(Restore("v", "2 3 -:1,2")()), ElementsAre(1, 2, 4, 5));
  EXPECT_EQ(Restore("h", "2 -", DType::kHalf).Fails(), Code::kOk);
  EXPECT_EQ(Restore("h", "2 0,1", DType::kHalf).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Restore("v", "2 3 -:2,2").Fails(), Code::kInternal);
  EXPECT_EQ(Restore("v", "3 2 -:-").Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Restore("v", "", DType::kInt32).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Restore("w", "").Fails(), Code::kNotFound);
}

// As TensorFlow 2.12 reads them; none of these types is put together from parts.
TEST_F(Checkpoint, ARegionIsReadHoweverItIsWritten) {
  const auto comes_back = [&](const Tensor& tensor, const std::string& saved, const std::string& wanted) {
    EXPECT_EQ(Effect("SaveV2", {Text(Path("p")), Texts({"a"}), Texts({saved}), tensor}), Code::kOk);
    return Restore("a", wanted, tensor.dtype())().tensor.BitwiseEquals(tensor);
  };
  const Tensor half = MakeTensor<Half>({2, 2}, {Half(1), Half(2), Half(3), Half(4)});
  EXPECT_TRUE(comes_back(half, "", "2 2 0,2:0,2"));
  EXPECT_TRUE(comes_back(half, "2 2 0,2:0,2", "2 2 0,2:-"));
  EXPECT_TRUE(comes_back(half, "4 2 0,2:-", "4 2 0,2:0,2"));
  EXPECT_TRUE(comes_back(half, "4 2 2,2:0,2", "4 2 2,2:-"));
  EXPECT_TRUE(comes_back(MakeVector<uint32_t>({1, 2}), "2 -", "2 0,2"));
  EXPECT_TRUE(comes_back(Texts({"a", "b", "c", "d"}), "4 0,4", "4 0,4"));
  EXPECT_TRUE(comes_back(half, "4 2 1,2:-", "4 2 1,2:-"));
  EXPECT_EQ(Restore("a", "4 2 1,1:-", DType::kHalf).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Restore("a", "4 2 1,2:0,1", DType::kHalf).Fails(), Code::kInvalidArgument);
}

// A slice that is not covered is the caller's fault, whatever state the parts are in.
TEST_F(Checkpoint, HolesComeBeforeDamage) {
  WriteBundleWithHole(Path("p"));
  EXPECT_EQ(Restore("a", "").Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Restore("a", "4 0,2").Fails(), Code::kNotFound);
  EXPECT_EQ(Effect("SaveV2", {Text(Path("p")), Texts({"a"}), Texts({"4 0,2"}), MakeVector<float>({1, 2})}), Code::kOk);
  const std::string data = Path("p.data-00000-of-00001");
  std::string bytes = Files().Read(data);
  bytes[0] ^= 1;
  Files().Write(data, bytes);
  EXPECT_EQ(Restore("a", "").Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Restore("a", "4 0,2").Fails(), Code::kDataLoss);
  WriteFirstFormatWithHole(Path("old"));
  const auto restored = [&](const std::string& slice) {
    return KernelCall{"RestoreSlice", {Text(Path("old")), Text("a"), Text(slice)}, {}, {DType::kFloat}}.Fails();
  };
  EXPECT_EQ(restored(""), Code::kInvalidArgument);
  EXPECT_EQ(restored("4 0,2"), Code::kDataLoss);
}

TEST_F(Checkpoint, MergesAndRemovesEmptyFolders) {
  for (const std::string part : {"a", "b"}) {
    Effect("SaveV2", {Text(Path("temp/" + part)), Texts({part}), Texts({""}), MakeVector<float>({1})});
  }
  const AttrMap attrs = {{"delete_old_dirs", true}, {"allow_missing_files", false}};
  EXPECT_EQ(Effect("MergeV2Checkpoints", {Texts({Path("temp/a"), Path("temp/b")}), Text(Path("p"))}, attrs), Code::kOk);
  EXPECT_THAT(Floats(Restore("b", "")()), ElementsAre(1));
  EXPECT_FALSE(Files().Exists(Path("temp")));
  EXPECT_EQ(Effect("MergeV2Checkpoints", {Text(Path("p")), Text(Path("q"))}, attrs), Code::kInvalidArgument);
}

TEST_F(Checkpoint, TheFirstFormatIsReadByAll) {
  const Tensor path = Text(Path("p"));
  EXPECT_EQ(Effect("SaveSlices", {path, Texts({"v", "v"}), Texts({"3 0,2", "3 2,1"}), MakeVector<float>({1, 2}),
                                  MakeVector<float>({3})}),
            Code::kOk);
  EXPECT_THAT(Floats(Restore("v", "3 1,2")()), ElementsAre(2, 3));
  const KernelCall restore{"Restore", {Text(Path("*")), Text("v")}, {}, {DType::kFloat}};
  EXPECT_THAT(Floats(restore()), ElementsAre(1, 2, 3));
  const KernelCall missing{"RestoreSlice", {path, Text("w"), Text("")}, {}, {DType::kFloat}};
  EXPECT_EQ(missing.Fails(), Code::kNotFound);
  const KernelCall folder{"RestoreSlice", {Text(FolderOf(Path("p"))), Text("v"), Text("")}, {}, {DType::kFloat}};
  EXPECT_EQ(folder.Fails(), Code::kDataLoss);
  EXPECT_EQ(Effect("Save", {path, Texts({"x", "y"}), MakeVector<float>({1})}), Code::kInvalidArgument);
}

TEST_F(Checkpoint, TheFirstFormatHasNotAllTypes) {
  const auto saved = [&](DType type) {
    const std::vector<Value> inputs = {Text(Path("p")), Texts({"x"}), Zeros(type, {1})};
    const std::vector<Value> in_slices = {Text(Path("p")), Texts({"x"}), Texts({""}), Zeros(type, {1})};
    const Code code = Effect("Save", inputs);
    EXPECT_EQ(Effect("SaveSlices", in_slices), code);
    return code;
  };
  for (const DType type : {DType::kUint32, DType::kUint64}) EXPECT_EQ(saved(type), Code::kInvalidArgument);
  for (const DType type : {DType::kBfloat16, DType::kQint16, DType::kQuint16, DType::kVariant}) {
    EXPECT_EQ(saved(type), Code::kUnimplemented) << DTypeName(type);
  }
  for (const DType type : {DType::kHalf, DType::kUint16, DType::kQint8}) EXPECT_EQ(saved(type), Code::kOk);
}

TEST_F(Checkpoint, MatricesAreRemapped) {
  Effect("SaveV2", {Text(Path("p")), Texts({"m"}), Texts({""}), MakeTensor<float>({3, 2}, {0, 1, 10, 11, 20, 21})});
  const auto remapped = [&](Tensor rows, Tensor columns, Tensor initial) {
    return KernelCall{"LoadAndRemapMatrix",
                      {Text(Path("p")), Text("m"), std::move(rows), std::move(columns), std::move(initial)},
                      {{"num_rows", 2}, {"num_cols", 2}},
                      {DType::kFloat}};
  };
  const auto longs = [](std::initializer_list<int64_t> values) { return MakeVector<int64_t>(values); };
  EXPECT_THAT(Floats(remapped(longs({2, -1}), longs({1, -1}), Vector({-1, -2, -3}))()), ElementsAre(21, -1, -2, -3));
  EXPECT_THAT(Floats(remapped(longs({1, 2}), longs({}), Vector({}))()), ElementsAre(10, 11, 20, 21));
  EXPECT_THAT(Floats(remapped(longs({-1, -1}), longs({}), Vector({1, 2, 3, 4}))()), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(remapped(longs({2, -1}), longs({}), Vector({1})).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(remapped(longs({2, -1}), longs({}), Vector({1, 2, 3})).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(remapped(longs({2, 2}), longs({}), Vector({})).Fails(), Code::kUnimplemented);
  EXPECT_EQ(remapped(longs({3, -1}), longs({}), Vector({})).Fails(), Code::kInternal);
  EXPECT_EQ(remapped(longs({1, 2}), longs({0, 2}), Vector({})).Fails(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
