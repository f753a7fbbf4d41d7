// Gradients of the ops on TensorArrays, one by one (rule TA7); loops over them are tried in client/control_flow/.
#include "client/gradients.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class ArrayGradients : public OnEachBackend {
 protected:
  struct Array {
    Output handle, flow;
  };
  // Of elements that may be read more than once.
  Array OfSize(int32_t size) {
    const NodeId node =
        scope_.Add("TensorArrayV3", {Int(size)}, {{"dtype", DType::kFloat}, {"clear_after_read", false}});
    return {OutputOf(node, 0), OutputOf(node, 1)};
  }
  Output Ints(std::initializer_list<int32_t> values) { return Constant(scope_, MakeVector<int32_t>(values)); }
  Output Lengths(std::initializer_list<int64_t> values) { return Constant(scope_, MakeVector<int64_t>(values)); }
  // By x, where dy comes for y.
  std::vector<double> Gradient(Output y, Output dy, Output x) { return Value(DenseGradients({y * dy}, {x})[0]); }

  const AttrMap kFloats = {{"dtype", DType::kFloat}};
  const Output x_ = Matrix(3, 2, {1, 2, 3, 4, 5, 6});
};
PLUMB_ON_EACH_BACKEND(ArrayGradients);

TEST_P(ArrayGradients, OfElementsThatAreWrittenAndRead) {
  const Array array = OfSize(2);
  const Output a = Floats({1, 2}), b = Floats({3, 4});
  const Output first = Call("TensorArrayWriteV3", {array.handle, Int(1), a, array.flow});
  const Output flow = Call("TensorArrayWriteV3", {array.handle, Int(0), b, first});
  const Output of_a = Call("TensorArrayReadV3", {array.handle, Int(1), flow}, kFloats);
  const Output again = Call("TensorArrayReadV3", {array.handle, Int(1), flow}, kFloats);
  const Output of_b = Call("TensorArrayReadV3", {array.handle, Int(0), flow}, kFloats);
  EXPECT_THAT(Gradient(of_a, Floats({2, 3}), a), ElementsAre(2, 3));
  EXPECT_THAT(Gradient(of_b * of_b, Floats({10, 100}), b), ElementsAre(60, 800));
  EXPECT_THAT(Gradient(of_a + 10.0 * again, Floats({2, 3}), a), ElementsAre(22, 33)) << "what comes twice is added up";
}

TEST_P(ArrayGradients, OfRowsThatAreScatteredAndGathered) {
  const Array array = OfSize(3);
  const Output flow = Call("TensorArrayScatterV3", {array.handle, Ints({2, 0, 1}), x_, array.flow});
  const Output y = Call("TensorArrayGatherV3", {array.handle, Ints({1, 2}), flow},
                        {{"dtype", DType::kFloat}, {"element_shape", PartialShape({2})}});
  EXPECT_THAT(Gradient(y, Matrix(2, 2, {2, 3, 5, 7}), x_), ElementsAre(5, 7, 0, 0, 2, 3));
}

TEST_P(ArrayGradients, OfPiecesThatAreJoined) {
  const Array array = OfSize(2);
  const Output flow = Call("TensorArraySplitV3", {array.handle, x_, Lengths({2, 1}), array.flow});
  const Output last = Call("TensorArrayReadV3", {array.handle, Int(1), flow}, kFloats);
  EXPECT_THAT(Gradient(last, Matrix(1, 2, {2, 3}), x_), ElementsAre(0, 0, 0, 0, 2, 3));
  const Output y = Call("TensorArrayConcatV3", {array.handle, flow},
                        {{"dtype", DType::kFloat}, {"element_shape_except0", PartialShape({2})}});
  EXPECT_THAT(Gradient(y, Matrix(3, 2, {2, 3, 5, 7, 11, 13}), x_), ElementsAre(2, 3, 5, 7, 11, 13));
}

// Each element gets the rows that it gave, however they lie in the array.
TEST_P(ArrayGradients, OfElementsOfUnequalLengthsThatAreJoined) {
  const Array array = OfSize(2);
  const Output one = Matrix(1, 2, {7, 8});
  const Output first = Call("TensorArrayWriteV3", {array.handle, Int(1), x_, array.flow});
  const Output flow = Call("TensorArrayWriteV3", {array.handle, Int(0), one, first});
  const Output y = Call("TensorArrayConcatV3", {array.handle, flow}, kFloats);
  const Output dy = Matrix(4, 2, {2, 3, 5, 7, 11, 13, 17, 19});
  EXPECT_THAT(Gradient(y, dy, one), ElementsAre(2, 3));
  EXPECT_THAT(Gradient(y, dy, x_), ElementsAre(5, 7, 11, 13, 17, 19));
}

}  // namespace
}  // namespace plumb
