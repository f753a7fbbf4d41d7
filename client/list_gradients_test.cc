// Gradients of lists of tensors: what comes for an element goes where the element was taken from, and nothing goes
// where another one has been put in its place.
#include "client/gradients.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class ListGradients : public OnEachBackend {
 protected:
  Output Ints(std::initializer_list<int32_t> values) { return Constant(scope_, MakeVector<int32_t>(values)); }
  Output Lengths(std::initializer_list<int64_t> values) { return Constant(scope_, MakeVector<int64_t>(values)); }
  // The list of a matrix's rows of two.
  Output Rows(Output matrix) { return Call("TensorListFromTensor", {matrix, Ints({2})}); }
  // All rows of two of a list.
  Output Stacked(Output list) { return Call("TensorListStack", {list, Ints({2})}, kFloats); }
  // By x, where dy comes for y.
  std::vector<double> Gradient(Output y, Output dy, Output x) { return Value(DenseGradients({y * dy}, {x})[0]); }

  const AttrMap kFloats = {{"element_dtype", DType::kFloat}};
  const Output a_ = Matrix(3, 2, {1, 2, 3, 4, 5, 6});
  const Output b_ = Matrix(2, 2, {7, 8, 9, 10});
};
PLUMB_ON_EACH_BACKEND(ListGradients);

TEST_P(ListGradients, OfRowsThatAreStackedAgain) {
  const Output list = Call("TensorListFromTensor", {a_, Ints({2})});
  const Output y =
      Call("TensorListStack", {list, Ints({2})}, {{"element_dtype", DType::kFloat}, {"num_elements", int64_t{3}}});
  EXPECT_THAT(Gradient(y, Matrix(3, 2, {2, 3, 5, 7, 11, 13}), a_), ElementsAre(2, 3, 5, 7, 11, 13));
}

TEST_P(ListGradients, OfRowsThatAreGathered) {
  const Output y = Call("TensorListGather", {Rows(a_), Ints({2, 0}), Ints({2})}, kFloats);
  EXPECT_THAT(Gradient(y, Matrix(2, 2, {2, 3, 5, 7}), a_), ElementsAre(5, 7, 0, 0, 2, 3));
}

TEST_P(ListGradients, OfRowsThatAreScattered) {
  const Output by_index = Call("TensorListScatter", {b_, Ints({3, 1}), Ints({2})});
  EXPECT_THAT(Gradient(Stacked(by_index), Matrix(4, 2, {2, 3, 5, 7, 11, 13, 17, 19}), b_), ElementsAre(17, 19, 5, 7));
  const Output of_five = Call("TensorListScatterV2", {b_, Ints({3, 1}), Ints({2}), Int(5)});
  EXPECT_THAT(Gradient(Stacked(of_five), Matrix(5, 2, {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}), b_),
              ElementsAre(17, 19, 5, 7));
}

TEST_P(ListGradients, OfRowsThatAreScatteredOverOthers) {
  const Output y = Stacked(Call("TensorListScatterIntoExistingList", {Rows(a_), b_, Ints({2, 0})}));
  const Output dy = Matrix(3, 2, {2, 3, 5, 7, 11, 13});
  EXPECT_THAT(Gradient(y, dy, a_), ElementsAre(0, 0, 5, 7, 0, 0)) << "two of the rows are overwritten";
  EXPECT_THAT(Gradient(y, dy, b_), ElementsAre(11, 13, 2, 3));
}

// Of the pieces, one has no rows.
TEST_P(ListGradients, OfPieces) {
  const Output pieces = Call("TensorListSplit", {a_, Ints({-1, 2}), Lengths({2, 0, 1})});
  const Output last = Call("TensorListGetItem", {pieces, Int(2), Ints({1, 2})}, kFloats);
  EXPECT_THAT(Gradient(last, Matrix(1, 2, {2, 3}), a_), ElementsAre(0, 0, 0, 0, 2, 3));
  const Output joined =
      Call("TensorListConcat", {pieces}, {{"element_dtype", DType::kFloat}, {"element_shape", PartialShape({-1, 2})}});
  EXPECT_THAT(Gradient(joined, Matrix(3, 2, {2, 3, 5, 7, 11, 13}), a_), ElementsAre(2, 3, 5, 7, 11, 13));
}

// An element of which only the number of rows is known counts among the joined rows.
TEST_P(ListGradients, OfElementsThatAreJoined) {
  const Output two =
      Call("TensorListSetItem", {Call("TensorListReserve", {Ints({-1, 2}), Int(3)}, kFloats), Int(0), b_});
  const Output three = Call("TensorListSetItem", {two, Int(2), a_});
  const Output y = Call("TensorListConcatV2", {three, Ints({-1, 2}), Lengths({0, 1, 0})}, kFloats);
  const Output dy = Matrix(6, 2, {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37});
  EXPECT_THAT(Gradient(y, dy, b_), ElementsAre(2, 3, 5, 7));
  EXPECT_THAT(Gradient(y, dy, a_), ElementsAre(17, 19, 23, 29, 31, 37));
}

TEST_P(ListGradients, OfElementsThatArePushedAndPopped) {
  const Output first = Floats({1, 2}), second = Floats({3, 4});
  const Output empty = Call("EmptyTensorList", {Ints({2}), Int(-1)}, kFloats);
  const Output one = Call("TensorListPushBack", {empty, first}), both = Call("TensorListPushBack", {one, second});
  const NodeId pop = scope_.Add("TensorListPopBack", {both, Ints({2})}, kFloats);
  const Output rest = Stacked(OutputOf(pop, 0)), last = OutputOf(pop, 1);
  // Where nothing comes for the list, TensorFlow's rule takes an empty one, which has no place for the first.
  EXPECT_TRUE(Refuses([&] { Gradient(last, Floats({2, 3}), first); }, Code::kInvalidArgument, "the list is empty"));
  EXPECT_THAT(Gradient(last, Floats({2, 3}), second), ElementsAre(2, 3));
  EXPECT_THAT(Gradient(rest, Matrix(1, 2, {5, 7}), first), ElementsAre(5, 7));
  EXPECT_THAT(Gradient(rest, Matrix(1, 2, {5, 7}), second), ElementsAre(0, 0)) << "it is in the list no more";
  const Output y = rest * Matrix(1, 2, {5, 7}) + last * Floats({2, 3});
  EXPECT_THAT(Gradient(y, Matrix(1, 2, {10, 100}), first), ElementsAre(50, 700));
  EXPECT_THAT(Gradient(y, Matrix(1, 2, {10, 100}), second), ElementsAre(20, 300));
}

TEST_P(ListGradients, OfElementsThatAreReplaced) {
  const Output item = Floats({7, 8});
  const Output list = Call("TensorListSetItem", {Rows(a_), Int(1), item});
  const Output dy = Matrix(3, 2, {2, 3, 5, 7, 11, 13});
  EXPECT_THAT(Gradient(Stacked(list), dy, a_), ElementsAre(2, 3, 0, 0, 11, 13));
  EXPECT_THAT(Gradient(Stacked(list), dy, item), ElementsAre(5, 7));
  const Output kept = Call("TensorListGetItem", {list, Int(2), Ints({2})}, kFloats);
  EXPECT_THAT(Gradient(kept, Floats({2, 3}), a_), ElementsAre(0, 0, 0, 0, 2, 3));
}

TEST_P(ListGradients, OfListsThatShrinkAndGrow) {
  const Output shorter = Stacked(Call("TensorListResize", {Rows(a_), Int(2)}));
  EXPECT_THAT(Gradient(shorter, Matrix(2, 2, {2, 3, 5, 7}), a_), ElementsAre(2, 3, 5, 7, 0, 0));
  const Output longer = Stacked(Call("TensorListResize", {Rows(a_), Int(4)}));
  EXPECT_THAT(Gradient(longer, Matrix(4, 2, {2, 3, 5, 7, 11, 13, 17, 19}), a_), ElementsAre(2, 3, 5, 7, 11, 13));
}

}  // namespace
}  // namespace plumb
