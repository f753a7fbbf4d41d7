#include "fastpath/cpu/lib/state/tensor_array.h"

#include <gtest/gtest.h>

#include <utility>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
Entry Index(int32_t index) { return In(MakeScalar(index)); }
Entry Vector(std::initializer_list<float> values) { return In(MakeVector<float>(values)); }

// A TensorArray with its ops.
class Array {
 public:
  Array(KernelHarness& harness, int32_t size, AttrMap attrs = {}) : harness_(harness) {
    attrs.try_emplace("dtype", DType::kFloat);
    const auto outputs = harness.Run("TensorArrayV3", {Index(size)}, std::move(attrs));
    handle_ = outputs[0];
    flow_ = outputs[1];
  }
  Array Gradient(const std::string& source) {
    const auto outputs = harness_.Run("TensorArrayGradV3", {handle_, flow_}, {{"source", source}});
    return Array(harness_, outputs[0], outputs[1]);
  }
  Code CodeOfGradient(const std::string& source) {
    return harness_.CodeOf("TensorArrayGradV3", {handle_, flow_}, {{"source", source}});
  }
  Array GradientWithShape(const std::string& source, std::initializer_list<int32_t> prefix) {
    const auto outputs = harness_.Run("TensorArrayGradWithShape", {handle_, flow_, In(MakeVector<int32_t>(prefix))},
                                      {{"source", source}});
    return Array(harness_, outputs[0], outputs[1]);
  }

  Code Write(int32_t index, Entry value) {
    return harness_.CodeOf("TensorArrayWriteV3", {handle_, Index(index), std::move(value), flow_});
  }
  Code CodeOfRead(int32_t index) {
    return harness_.CodeOf("TensorArrayReadV3", {handle_, Index(index), flow_}, Type());
  }
  Tensor Read(int32_t index) { return harness_.Value("TensorArrayReadV3", {handle_, Index(index), flow_}, Type()); }
  int32_t Size() { return harness_.Value("TensorArraySizeV3", {handle_, flow_}).scalar<int32_t>(); }
  Code Close() { return harness_.CodeOf("TensorArrayCloseV3", {handle_}); }
  Tensor Gather(std::initializer_list<int32_t> indices) {
    return harness_.Value("TensorArrayGatherV3", {handle_, In(MakeVector<int32_t>(indices)), flow_}, Type());
  }
  Code CodeOfGather(std::initializer_list<int32_t> indices) {
    return harness_.CodeOf("TensorArrayGatherV3", {handle_, In(MakeVector<int32_t>(indices)), flow_}, Type());
  }
  Code Scatter(std::initializer_list<int32_t> indices, Tensor value) {
    return harness_.CodeOf("TensorArrayScatterV3",
                           {handle_, In(MakeVector<int32_t>(indices)), In(std::move(value)), flow_});
  }
  std::vector<Entry> Concat() { return harness_.Run("TensorArrayConcatV3", {handle_, flow_}, Type()); }
  Code CodeOfConcat() { return harness_.CodeOf("TensorArrayConcatV3", {handle_, flow_}, Type()); }
  Code Split(Tensor value, std::initializer_list<int64_t> lengths) {
    return harness_.CodeOf("TensorArraySplitV3",
                           {handle_, In(std::move(value)), In(MakeVector<int64_t>(lengths)), flow_});
  }

 private:
  Array(KernelHarness& harness, Entry handle, Entry flow)
      : harness_(harness), handle_(std::move(handle)), flow_(std::move(flow)) {}
  static AttrMap Type() { return {{"dtype", DType::kFloat}}; }

  KernelHarness& harness_;
  Entry handle_, flow_;
};

TEST(TensorArray, AnElementIsWrittenOnceAndReadOnce) {  // TA2, TA4
  KernelHarness harness;
  Array array(harness, 2);
  EXPECT_EQ(array.Write(0, Vector({1, 2})), Code::kOk);
  EXPECT_EQ(array.Write(0, Vector({1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(array.Write(2, Vector({1})), Code::kInvalidArgument);
  EXPECT_EQ(array.Write(-1, Vector({1})), Code::kInvalidArgument);
  EXPECT_EQ(array.Write(1, Index(3)), Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(array.Read(0)), Floats({1, 2}));
  EXPECT_EQ(array.CodeOfRead(0), Code::kInvalidArgument);
  EXPECT_EQ(array.Write(0, Vector({1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(array.CodeOfRead(1), Code::kInvalidArgument);  // never written, of unknown shape
  EXPECT_EQ(array.CodeOfRead(2), Code::kInvalidArgument);
}

TEST(TensorArray, OptionsChangeTheRules) {
  KernelHarness harness;
  Array kept(harness, 1, {{"clear_after_read", false}});
  kept.Write(0, Vector({1}));
  EXPECT_EQ(kept.CodeOfRead(0), Code::kOk);
  EXPECT_EQ(kept.CodeOfRead(0), Code::kOk);
  Array growing(harness, 0, {{"dynamic_size", true}});
  EXPECT_EQ(growing.Write(2000000000, Vector({1})), Code::kOk);  // costs one element of memory
  EXPECT_EQ(growing.Size(), 2000000001);
  Array shaped(harness, 2, {{"element_shape", PartialShape{2}}});
  EXPECT_EQ(shaped.Write(0, Vector({1})), Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(shaped.Read(1)), Floats({0, 0}));
  EXPECT_EQ(shaped.Write(1, Vector({1, 2})), Code::kInvalidArgument);
  Array identical(harness, 2, {{"identical_element_shapes", true}});  // TA3
  EXPECT_EQ(identical.Write(0, Vector({1})), Code::kOk);
  EXPECT_EQ(identical.Write(1, Vector({1, 2})), Code::kInvalidArgument);
}

TEST(TensorArray, GathersAndScattersAlongANewAxis) {  // TA5
  KernelHarness harness;
  Array array(harness, 3);
  EXPECT_EQ(array.Scatter({2, 0, 1}, MakeTensor<float>({3, 1}, {1, 2, 3})), Code::kOk);
  const Tensor all = array.Gather({0, 1, 2});
  EXPECT_EQ(all.shape(), Shape({3, 1}));
  EXPECT_EQ(Values<float>(all), Floats({2, 3, 1}));
  Array other(harness, 3);
  EXPECT_EQ(other.Scatter({0, 0}, MakeTensor<float>({2}, {1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(other.Scatter({1}, MakeTensor<float>({2}, {1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(other.Scatter({3}, MakeTensor<float>({1}, {1})), Code::kInvalidArgument);
  EXPECT_EQ(other.CodeOfGather({}), Code::kUnimplemented);
  Array shaped(harness, 1, {{"element_shape", PartialShape{2}}});
  EXPECT_EQ(shaped.CodeOfGather({}), Code::kUnimplemented);  // the op's own element_shape counts, not the array's
  other.Write(1, Vector({1}));
  other.Write(2, Vector({1, 2}));
  EXPECT_EQ(other.CodeOfGather({1, 2}), Code::kInvalidArgument);
}

TEST(TensorArray, ConcatenatesAndSplitsAlongTheFirstAxis) {  // TA5
  KernelHarness harness;
  Array array(harness, 3);
  EXPECT_EQ(array.Split(MakeVector<float>({1, 2, 3}), {2, 0, 1}), Code::kOk);
  const auto outputs = array.Concat();
  EXPECT_EQ(Values<float>(outputs[0].tensor), Floats({1, 2, 3}));
  EXPECT_EQ(Values<int64_t>(outputs[1].tensor), (std::vector<int64_t>{2, 0, 1}));
  Array other(harness, 2);
  EXPECT_EQ(other.Split(MakeVector<float>({1, 2, 3}), {2, 2}), Code::kInvalidArgument);
  EXPECT_EQ(other.Split(MakeVector<float>({1, 2, 3}), {4, -1}), Code::kInvalidArgument);
  EXPECT_EQ(other.Split(MakeVector<float>({1, 2, 3}), {3}), Code::kInvalidArgument);
  Array growing(harness, 3, {{"dynamic_size", true}});
  EXPECT_EQ(growing.Split(MakeVector<float>({1, 2}), {1, 1}), Code::kInvalidArgument);  // growing is not shrinking
  EXPECT_EQ(growing.Split(MakeVector<float>({1, 2, 3, 4}), {1, 1, 1, 1}), Code::kOk);
  other.Write(0, In(MakeScalar<float>(1)));
  other.Write(1, In(MakeScalar<float>(1)));
  EXPECT_EQ(other.CodeOfConcat(), Code::kInvalidArgument);
}

TEST(TensorArray, WritingNothingOfAnotherTypeIsRefused) {  // TA2
  KernelHarness harness;
  Array array(harness, 0);
  EXPECT_EQ(array.Scatter({}, Tensor(DType::kInt64, {0})), Code::kInvalidArgument);
  EXPECT_EQ(array.Split(Tensor(DType::kInt64, {0}), {}), Code::kInvalidArgument);
  EXPECT_EQ(array.Scatter({}, Tensor(DType::kFloat, {0})), Code::kOk);
  EXPECT_EQ(array.Split(Tensor(DType::kFloat, {0}), {}), Code::kOk);
}

TEST(TensorArray, GradientsAddUpAndStartAtZero) {  // TA7
  KernelHarness harness;
  Array array(harness, 2, {{"dynamic_size", true}});
  array.Write(0, Vector({1, 2}));
  array.Write(1, Vector({3, 4}));
  Array gradient = array.Gradient("gradients");
  EXPECT_EQ(array.Write(2, Vector({5, 6})), Code::kInvalidArgument);  // no growth any more
  EXPECT_EQ(gradient.Size(), 2);
  EXPECT_EQ(gradient.Write(0, Vector({1, 1})), Code::kOk);
  EXPECT_EQ(array.Gradient("gradients").Write(0, Vector({1, 2})), Code::kOk);  // the same array
  EXPECT_EQ(gradient.Write(0, Vector({1})), Code::kInvalidArgument);
  EXPECT_EQ(array.Gradient("others").Size(), 2);
  EXPECT_EQ(Values<float>(gradient.Read(0)), Floats({2, 3}));
  EXPECT_EQ(Values<float>(gradient.Read(1)), Floats({0, 0}));
  EXPECT_EQ(gradient.Write(1, Vector({1, 1})), Code::kInvalidArgument);
}

TEST(TensorArray, AGradientMayBeReadBeyondItsEnd) {  // TA7: nothing was written there, so it is zero
  KernelHarness harness;
  Array array(harness, 1, {{"element_shape", PartialShape{2}}});
  array.Write(0, Vector({1, 2}));
  EXPECT_EQ(array.CodeOfRead(1), Code::kInvalidArgument);
  Array gradient = array.Gradient("g");
  EXPECT_EQ(Values<float>(gradient.Read(1)), Floats({0, 0}));
  EXPECT_EQ(gradient.Size(), 2);
  EXPECT_EQ(gradient.CodeOfRead(-1), Code::kInvalidArgument);
}

// Neither what the forward array has grown by since, nor what reading beyond its end adds to the gradient.
TEST(TensorArray, ConcatOfAGradientTakesWhatWasSplit) {  // TA7
  KernelHarness harness;
  const AttrMap grows = {{"dynamic_size", true}, {"element_shape", PartialShape{1}}};
  Array split(harness, 2, grows);
  EXPECT_EQ(split.Split(MakeVector<float>({1, 2}), {1, 1}), Code::kOk);
  EXPECT_EQ(split.Write(2, Vector({3})), Code::kOk);
  EXPECT_EQ(Values<float>(split.Concat()[0].tensor), Floats({1, 2, 3}));
  Array once_more(harness, 2, grows);
  once_more.Split(MakeVector<float>({1, 2}), {1, 1});
  once_more.Write(2, Vector({3}));
  EXPECT_EQ(Values<float>(once_more.Gradient("read").Concat()[0].tensor), Floats({0, 0}));
  Array written = once_more.Gradient("written");
  EXPECT_EQ(written.Split(MakeVector<float>({4, 5, 6}), {1, 1, 1}), Code::kOk);
  EXPECT_EQ(Values<float>(written.Gradient("again").Concat()[0].tensor), Floats({0, 0}));
  EXPECT_EQ(Values<float>(written.Concat()[0].tensor), Floats({4, 5}));
  Array unsplit(harness, 1, grows);
  unsplit.Write(0, Vector({3}));
  Array gradient = unsplit.Gradient("g");
  EXPECT_EQ(gradient.CodeOfRead(4), Code::kOk);
  EXPECT_EQ(Values<float>(gradient.Concat()[0].tensor), Floats({0}));
}

TEST(TensorArray, AggregationLeavesTheWrittenValueAlone) {
  KernelHarness harness;
  Array array(harness, 1);
  Array gradient = array.Gradient("g");
  const Entry value = Vector({1});
  gradient.Write(0, value);
  gradient.Write(0, Vector({2}));
  EXPECT_EQ(Values<float>(value.tensor), Floats({1}));
  EXPECT_EQ(Values<float>(gradient.Read(0)), Floats({3}));
}

TEST(TensorArray, GradientsMayHaveMoreDimensionsInFront) {
  KernelHarness harness;
  Array array(harness, 1, {{"element_shape", PartialShape{2}}});
  Array gradient = array.GradientWithShape("g", {3});
  EXPECT_EQ(gradient.Write(0, Vector({1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(gradient.Read(0).shape(), Shape({3, 2}));
}

// TA7: what holds of the shapes of an array's elements holds of those of its gradient.
TEST(TensorArray, GradientsAreOfOneShapeWhereTheArrayIs) {
  for (const bool identical : {false, true}) {
    KernelHarness harness;
    Array array(harness, 2, {{"identical_element_shapes", identical}});
    Array gradient = array.Gradient("g");
    EXPECT_EQ(gradient.Write(0, Vector({1, 2})), Code::kOk);
    EXPECT_EQ(gradient.Write(1, Vector({1})), identical ? Code::kInvalidArgument : Code::kOk);
  }
}

TEST(TensorArray, ClosedOrNegativeOnesAreRefused) {  // TA6
  KernelHarness harness;
  Array array(harness, 1);
  EXPECT_EQ(array.Close(), Code::kOk);
  EXPECT_EQ(array.Write(0, Vector({1})), Code::kInvalidArgument);
  EXPECT_EQ(array.CodeOfRead(0), Code::kInvalidArgument);
  Array with_gradient(harness, 1);
  with_gradient.Gradient("g");
  EXPECT_EQ(with_gradient.Close(), Code::kOk);
  EXPECT_EQ(with_gradient.CodeOfGradient("g"), Code::kInvalidArgument);  // though there is one
  EXPECT_EQ(with_gradient.CodeOfGradient("h"), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("TensorArrayV3", {Index(-1)}, {{"dtype", DType::kFloat}}), Code::kInvalidArgument);
}

// What a restored array answers is what the saved one would have answered.
TEST(TensorArray, GoesOnWhereItWasSaved) {
  ThreadPool pool(1);
  TensorArray array, restored;
  array.Initialize("a", 2, {.dtype = DType::kFloat, .element_shape = PartialShape({-1}), .dynamic_size = true});
  array.Write(pool, 0, MakeVector<float>({1, 2}));
  array.Write(pool, 3, MakeVector<float>({3}));
  array.Read(pool, 3);
  SavedState state;
  array.Save(StateWriter(state, "array/"));
  restored.Restore(StateReader(state, "array/"));
  for (TensorArray* each : {&array, &restored}) {
    EXPECT_EQ(each->Size(), 4);
    EXPECT_EQ(Values<float>(each->Read(pool, 0)), (std::vector<float>{1, 2}));
    EXPECT_THROW(each->Read(pool, 3), Error);                         // TA4
    EXPECT_THROW(each->Read(pool, 1), Error);                         // its shape is not known
    EXPECT_THROW(each->Write(pool, 1, MakeScalar<float>(1)), Error);  // another rank
    each->Write(pool, 1, MakeVector<float>({7}));
    EXPECT_EQ(Values<float>(each->Read(pool, 1)), (std::vector<float>{7}));
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
