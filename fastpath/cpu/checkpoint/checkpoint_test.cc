#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/checkpoint/hole_testing.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"

namespace plumb::fast::cpu {
namespace {

using ::testing::ElementsAre;

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }
Tensor Texts(std::initializer_list<std::string> texts) { return MakeVector<std::string>(texts); }
AttrMap Types(std::vector<DType> types) { return {{"dtypes", std::move(types)}}; }

class Checkpoint : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  // Saves and restores in parts.
  void Save(Tensor names, Tensor slices, std::vector<Tensor> tensors) const {
    std::vector<Tensor> inputs = {Text(Path("p")), std::move(names), std::move(slices)};
    inputs.insert(inputs.end(), tensors.begin(), tensors.end());
    RunKernel("SaveV2", std::move(inputs));
  }
  Tensor Restored(std::string name, std::string slice, DType type = DType::kFloat) const {
    return RunKernel1("RestoreV2", {Text(Path("p")), Texts({std::move(name)}), Texts({std::move(slice)})},
                      Types({type}), 2);
  }
  Code CodeOfRestore(std::string name, std::string slice, DType type = DType::kFloat) const {
    return CodeOfKernel("RestoreV2", {Text(Path("p")), Texts({std::move(name)}), Texts({std::move(slice)})},
                        Types({type}));
  }

  TemporaryFolder folder_;
};

TEST(ShardedName, HasFiveDigits) {
  EXPECT_EQ(RunKernel1("ShardedFilename", {Text("m"), MakeScalar(3), MakeScalar(10)}).scalar<std::string>(),
            "m-00003-of-00010");
  EXPECT_EQ(RunKernel1("ShardedFilename", {Text(""), MakeScalar(1234567), MakeScalar(-1)}).scalar<std::string>(),
            "-1234567-of--0001");
  EXPECT_EQ(RunKernel1("ShardedFilespec", {Text("m"), MakeScalar(10)}).scalar<std::string>(),
            "m-" + std::string(5, '?') + "-of-00010");
  EXPECT_EQ(CodeOfKernel("ShardedFilespec", {Text("m"), MakeVector<int32_t>({1})}), Code::kInvalidArgument);
}

TEST_F(Checkpoint, SlicesArePutTogetherFromParts) {
  Save(Texts({"v", "v", "text"}), Texts({"4 3 0,1:-", "4 3 1,3:-", ""}),
       {MakeTensor<float>({1, 3}, {0, 1, 2}), MakeTensor<float>({3, 3}, {3, 4, 5, 6, 7, 8, 9, 10, 11}),
        Texts({"a", "bc"})});
  EXPECT_THAT(Values<float>(Restored("v", "")), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(Values<float>(Restored("v", "4 3 0,2:1,2")), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(Values<float>(Restored("v", "4 3 1,3:-")), ElementsAre(3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_THAT(Values<std::string>(Restored("text", "2 -", DType::kString)), ElementsAre("a", "bc"));
  EXPECT_EQ(CodeOfRestore("text", "2 0,1", DType::kString), Code::kInvalidArgument);
}

TEST_F(Checkpoint, RequestsAreChecked) {
  Save(Texts({"v", "part"}), Texts({"", "4 0,1"}), {MakeVector<float>({1, 2}), MakeVector<float>({1})});
  EXPECT_EQ(CodeOfRestore("v", ""), Code::kOk);
  EXPECT_EQ(CodeOfRestore("w", ""), Code::kNotFound);
  EXPECT_EQ(CodeOfRestore("", ""), Code::kNotFound);
  EXPECT_EQ(CodeOfRestore("v", "", DType::kInt32), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfRestore("v", "3 -"), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfRestore("v", "2 1,2"), Code::kInternal);
  EXPECT_EQ(CodeOfRestore("v", "2"), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfRestore("part", ""), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfRestore("part", "4 0,1"), Code::kOk);
  EXPECT_EQ(CodeOfKernel("RestoreV2", {Text(Path("none")), Texts({"v"}), Texts({""})}, Types({DType::kFloat})),
            Code::kNotFound);
  EXPECT_EQ(CodeOfKernel("RestoreV2", {Text(Path("p")), Texts({"v", "w"}), Texts({""})}, Types({DType::kFloat})),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SaveV2", {Text(Path("q")), Texts({"v"}), Texts({"3 -"}), MakeVector<float>({1, 2})}),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SaveV2", {Text(Path("q")), Text("v"), Texts({""}), MakeVector<float>({1, 2})}),
            Code::kInvalidArgument);
  EXPECT_EQ(Files().Exists(Path("q.index")), false);
}

// As TensorFlow 2.12 reads them; none of these types is put together from parts.
TEST_F(Checkpoint, ARegionIsReadHoweverItIsWritten) {
  const auto comes_back = [&](const Tensor& tensor, const std::string& saved, const std::string& wanted) {
    Save(Texts({"a"}), Texts({saved}), {tensor});
    return Restored("a", wanted, tensor.dtype()).BitwiseEquals(tensor);
  };
  const Tensor half = MakeTensor<Half>({2, 2}, {Half(1), Half(2), Half(3), Half(4)});
  EXPECT_TRUE(comes_back(half, "", "2 2 0,2:0,2"));
  EXPECT_TRUE(comes_back(half, "2 2 0,2:0,2", "2 2 0,2:-"));
  EXPECT_TRUE(comes_back(half, "4 2 0,2:-", "4 2 0,2:0,2"));
  EXPECT_TRUE(comes_back(half, "4 2 2,2:0,2", "4 2 2,2:-"));
  EXPECT_TRUE(comes_back(MakeVector<uint32_t>({1, 2}), "2 -", "2 0,2"));
  EXPECT_TRUE(comes_back(Texts({"a", "b", "c", "d"}), "4 0,4", "4 0,4"));
  EXPECT_TRUE(comes_back(half, "4 2 1,2:-", "4 2 1,2:-"));
  EXPECT_EQ(CodeOfRestore("a", "4 2 1,1:-", DType::kHalf), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfRestore("a", "4 2 1,2:0,1", DType::kHalf), Code::kInvalidArgument);
}

// A slice that is not covered is the caller's fault, whatever state the parts are in.
TEST_F(Checkpoint, HolesComeBeforeDamage) {
  WriteBundleWithHole(Path("p"));
  EXPECT_EQ(CodeOfRestore("a", ""), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfRestore("a", "4 0,2"), Code::kNotFound);
  Save(Texts({"a"}), Texts({"4 0,2"}), {MakeVector<float>({1, 2})});
  const std::string data = Path("p.data-00000-of-00001");
  std::string bytes = Files().Read(data);
  bytes[0] ^= 1;
  Files().Write(data, bytes);
  EXPECT_EQ(CodeOfRestore("a", ""), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfRestore("a", "4 0,2"), Code::kDataLoss);
  WriteFirstFormatWithHole(Path("old"));
  const auto restored = [&](const std::string& slice) {
    return CodeOfKernel("RestoreSlice", {Text(Path("old")), Text("a"), Text(slice)}, {{"dt", DType::kFloat}});
  };
  EXPECT_EQ(restored(""), Code::kInvalidArgument);
  EXPECT_EQ(restored("4 0,2"), Code::kDataLoss);
}

TEST_F(Checkpoint, MergesAndRemovesEmptyFolders) {
  for (const std::string part : {"a", "b"}) {
    RunKernel("SaveV2", {Text(Path("temp/" + part)), Texts({part}), Texts({""}), MakeScalar(part)});
  }
  RunKernel("MergeV2Checkpoints", {Texts({Path("temp/a"), Path("temp/b")}), Text(Path("p"))});
  EXPECT_EQ(Restored("b", "", DType::kString).scalar<std::string>(), "b");
  EXPECT_FALSE(Files().Exists(Path("temp")));
  EXPECT_EQ(CodeOfKernel("MergeV2Checkpoints", {Text(Path("p")), Text(Path("q"))}), Code::kInvalidArgument);
}

TEST_F(Checkpoint, TheFirstFormatIsReadByAll) {
  const Tensor path = Text(Path("old-00000-of-00001"));
  RunKernel("SaveSlices", {path, Texts({"v", "v"}), Texts({"3 0,2", "3 2,1"}), MakeVector<int32_t>({1, 2}),
                           MakeVector<int32_t>({3})});
  const AttrMap ints = {{"dt", DType::kInt32}};
  EXPECT_THAT(Values<int32_t>(RunKernel1("Restore", {Text(Path("old-*")), Text("v")}, ints)), ElementsAre(1, 2, 3));
  EXPECT_THAT(Values<int32_t>(RunKernel1("RestoreSlice", {path, Text("v"), Text("3 1,2")}, ints)), ElementsAre(2, 3));
  EXPECT_THAT(Values<int32_t>(RunKernel1("RestoreV2", {path, Texts({"v"}), Texts({""})}, Types({DType::kInt32}))),
              ElementsAre(1, 2, 3));
  EXPECT_EQ(CodeOfKernel("Restore", {path, Text("w")}, ints), Code::kNotFound);
  EXPECT_EQ(CodeOfKernel("Restore", {Text(Path("no*")), Text("v")}, ints), Code::kNotFound);
  EXPECT_EQ(CodeOfKernel("Restore", {Text(FolderOf(path.scalar<std::string>())), Text("v")}, ints), Code::kDataLoss);
  EXPECT_EQ(CodeOfKernel("Restore", {path, Text("v")}, {{"dt", DType::kFloat}}), Code::kInvalidArgument);
  RunKernel("Save", {path, Texts({"x"}), Texts({"y"})});
  EXPECT_THAT(Values<std::string>(RunKernel1("Restore", {path, Text("x")}, {{"dt", DType::kString}})),
              ElementsAre("y"));
}

TEST_F(Checkpoint, TheFirstFormatHasNotAllTypes) {
  const auto saved = [&](DType type) {
    const Tensor path = Text(Path("p")), names = Texts({"x"}), tensor = Zeros(type, {1});
    const Code code = CodeOfKernel("Save", {path, names, tensor});
    EXPECT_EQ(CodeOfKernel("SaveSlices", {path, names, Texts({""}), tensor}), code);
    return code;
  };
  for (const DType type : {DType::kUint32, DType::kUint64}) EXPECT_EQ(saved(type), Code::kInvalidArgument);
  for (const DType type : {DType::kBfloat16, DType::kQint16, DType::kQuint16, DType::kVariant}) {
    EXPECT_EQ(saved(type), Code::kUnimplemented) << DTypeName(type);
  }
  for (const DType type : {DType::kHalf, DType::kUint16, DType::kQint8}) EXPECT_EQ(saved(type), Code::kOk);
}

TEST_F(Checkpoint, MatricesAreRemapped) {
  Save(
      Texts({"m", "m", "v"}), Texts({"4 2 0,1:-", "4 2 1,3:-", ""}),
      {MakeTensor<float>({1, 2}, {0, 1}), MakeTensor<float>({3, 2}, {10, 11, 20, 21, 30, 31}), MakeVector<float>({1})});
  const auto inputs = [&](const std::vector<int64_t>& rows, const std::vector<int64_t>& columns,
                          const std::vector<float>& initial) {
    const auto vector = []<class T>(const std::vector<T>& values) {
      Tensor tensor(DTypeOf<T>, Shape{static_cast<int64_t>(values.size())});
      std::copy(values.begin(), values.end(), tensor.template mutable_data<T>().begin());
      return tensor;
    };
    return std::vector<Tensor>{Text(Path("p")), Text("m"), vector(rows), vector(columns), vector(initial)};
  };
  const AttrMap attrs = {{"num_rows", 3}, {"num_cols", 2}};
  EXPECT_THAT(Values<float>(RunKernel1("LoadAndRemapMatrix",
                                       {Text(Path("p")), Text("m"), MakeVector<int64_t>({2, -1, 1}),
                                        MakeVector<int64_t>({1, -1}), MakeVector<float>({-1, -2, -3, -4})},
                                       attrs)),
              ElementsAre(21, -1, -2, -3, 11, -4));
  EXPECT_THAT(Values<float>(RunKernel1("LoadAndRemapMatrix", inputs({3, -1, 0}, {}, {5, 6}), attrs)),
              ElementsAre(30, 31, 5, 6, 0, 1));
  EXPECT_THAT(Values<float>(RunKernel1("LoadAndRemapMatrix", inputs({-1, -1, -1}, {}, {1, 2, 3, 4, 5, 6}), attrs)),
              ElementsAre(1, 2, 3, 4, 5, 6));
  const auto code = [&](const std::vector<int64_t>& rows, const std::vector<int64_t>& columns,
                        const std::vector<float>& initial) {
    return CodeOfKernel("LoadAndRemapMatrix", inputs(rows, columns, initial), attrs);
  };
  EXPECT_EQ(code({3, -1, 0}, {}, {5}), Code::kInvalidArgument);
  EXPECT_EQ(code({3, -1, 0}, {}, {5, 6, 7}), Code::kInvalidArgument);
  EXPECT_EQ(code({3, 3, 0}, {}, {}), Code::kUnimplemented);
  EXPECT_EQ(code({4, -1, 0}, {}, {}), Code::kInternal);
  EXPECT_EQ(code({3, 1, 0}, {0, 2}, {}), Code::kInvalidArgument);
  EXPECT_EQ(code({3, 1}, {}, {}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel(
                "LoadAndRemapMatrix",
                {Text(Path("p")), Text("v"), MakeVector<int64_t>({0}), MakeVector<int64_t>({0}), MakeVector<float>({})},
                {{"num_rows", 1}, {"num_cols", 1}}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
