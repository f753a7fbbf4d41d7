// Loops that are cut into chunks on such sizes only as the court has few of, or none: whatever stands together, in many
// chunks, has the results that its pieces have, each alone and in one chunk.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

using Tensors = std::vector<Tensor>;

// Which results are compared: `axis` goes through the pieces, when the result is seen in `view`'s shape, if it has one.
struct Piece {
  size_t output;
  int axis;
  std::function<Shape(int64_t count)> view = nullptr;
};
struct Cut {
  const char* loop;  // a part of its choice point's name
  const char* op;
  AttrMap attrs;
  int64_t pieces, size;                                              // of each
  std::function<Tensors(int64_t first, int64_t count)> inputs = {};  // of the things from `first` on
  std::vector<Piece> compared = {};
};

// The pieces [first, first + count) along an axis, as bytes.
std::string Bytes(const Tensor& tensor, const Shape& shape, int axis, int64_t first, int64_t count) {
  int64_t outer = 1, inner = static_cast<int64_t>(ElementSize(tensor.dtype()));
  for (int i = 0; i < axis; ++i) outer *= shape[i];
  for (int i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  std::string bytes;
  for (int64_t i = 0; i < outer; ++i) {
    bytes.append(static_cast<const char*>(tensor.raw()) + (i * shape[axis] + first) * inner,
                 static_cast<size_t>(count * inner));
  }
  return bytes;
}

bool IsCut(const std::string& loop) {
  const auto choices = Choices::Taken();
  return std::any_of(choices.begin(), choices.end(), [&](const Choices::Choice& choice) {
    return choice.large && choice.name.find(loop) != std::string::npos;
  });
}

void Try(const Cut& cut) {
  const int64_t total = cut.pieces * cut.size;
  Choices::Forget();
  const Tensors together = RunKernel(cut.op, cut.inputs(0, total), cut.attrs, /*threads=*/2);
  EXPECT_TRUE(IsCut(cut.loop)) << cut.loop << " ran in one chunk";
  for (int64_t i = 0; i < cut.pieces; ++i) {
    Choices::Forget();
    const Tensors alone = RunKernel(cut.op, cut.inputs(i * cut.size, cut.size), cut.attrs);
    EXPECT_FALSE(IsCut(cut.loop)) << cut.loop << " ran in several chunks";
    for (const auto& [output, axis, view] : cut.compared) {
      const auto shape = [&](const Tensor& tensor, int64_t count) { return view ? view(count) : tensor.shape(); };
      EXPECT_EQ(Bytes(together[output], shape(together[output], total), axis, i * cut.size, cut.size),
                Bytes(alone[output], shape(alone[output], cut.size), axis, 0, cut.size))
          << cut.op << ", output " << output << " of piece " << i;
    }
  }
}

// Numbers in (-4, 4), none of them 0, by where they stand: `axis` begins with thing `first`. `salt` tells tensors
// apart.
template <class T>
T NumberAt(int64_t place, int64_t salt) {
  const auto mixed = static_cast<uint64_t>(place * 7 + salt + 1) * 0x9e3779b97f4a7c15;
  return static_cast<T>(2 * static_cast<int64_t>(mixed >> 58) - 63) / T(16);
}
Tensor Floats(const Shape& shape, int axis, int64_t first, int64_t salt) {
  Tensor tensor(DType::kFloat, shape);
  int64_t inner = 1;
  for (int i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  float* const to = tensor.mutable_data<float>().data();
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const int64_t outer = i / inner / shape[axis], thing = first + i / inner % shape[axis];
    to[i] = NumberAt<float>((outer * 100'003 + thing) * 1009 + i % inner, salt);
  }
  return tensor;
}
Tensor None(const Shape& shape) { return Zeros(DType::kFloat, shape); }

// ---- Cells of recurrent networks -----------------------------------------------------------------------------------

// What a sequence's gradient is given. No weights lead from one cell or row to another.
Tensors OfSequence(int64_t rows, int64_t cells, int axis, int64_t first) {
  constexpr int64_t kTimes = 2;
  const auto state = [&](int64_t salt) { return Floats({rows, cells}, axis, first, salt); };
  const auto along = [&](int64_t salt) { return Floats({kTimes, rows, cells}, axis + 1, first, salt); };
  const auto weights = [&](int64_t salt) { return Floats({cells}, 0, axis == 1 ? first : 0, salt); };
  Tensors inputs = {MakeScalar<int64_t>(kTimes),
                    None({kTimes, rows, 1}),
                    state(1),
                    state(2),
                    None({1 + cells, 4 * cells}),
                    weights(3),
                    weights(4),
                    weights(5),
                    None({4 * cells})};
  for (int64_t salt = 6; salt < 15; ++salt) inputs.push_back(along(salt));
  return inputs;
}
const AttrMap kPeepholes = {{"use_peephole", true}};

TEST(CutLoops, OfCellsOfALongRow) {
  constexpr int64_t kRows = 64;
  const Cut cut = {.loop = "PeepholeSums",
                   .op = "BlockLSTMGrad",
                   .attrs = kPeepholes,
                   .pieces = 6,
                   .size = 60,
                   .inputs = [](int64_t first, int64_t count) { return OfSequence(kRows, count, 1, first); },
                   .compared = {{1, 1}, {2, 1}, {4, 0}, {5, 0}, {6, 0}, {7, 1, [](int64_t n) {
                                                                           return Shape{4, n};
                                                                         }}}};
  Try(cut);
  Cut weights = cut;
  weights.loop = "BlockLstmGrad::Weights";
  Try(weights);
}

TEST(CutLoops, OfManyRowsOfCells) {
  constexpr int64_t kCells = 100;
  Try({.loop = "BlockLstmGrad::Add",
       .op = "BlockLSTMGrad",
       .attrs = kPeepholes,
       .pieces = 4,
       .size = 200,
       .inputs = [](int64_t first, int64_t count) { return OfSequence(count, kCells, 0, first); },
       .compared = {{1, 0}}});
}

// ---- Images --------------------------------------------------------------------------------------------------------

TEST(CutLoops, OfImagesWhoseLargestElementsAreNamed) {
  const std::vector<int64_t> two = {1, 2, 2, 1};
  Try({.loop = "MaxPoolGradWithArgmaxKernel",
       .op = "MaxPoolGradWithArgmax",
       .attrs = {{"ksize", two}, {"strides", two}, {"padding", std::string("VALID")}},
       .pieces = 5,
       .size = 8,
       .inputs =
           [](int64_t first, int64_t count) {
             const Shape image{count, 32, 32, 16}, pooled{count, 16, 16, 16};
             Tensor argmax(DType::kInt64, pooled);
             int64_t* const at = argmax.mutable_data<int64_t>().data();
             const int64_t each = argmax.elements() / count;
             for (int64_t i = 0; i < argmax.elements(); ++i) at[i] = (i % each * 3 + first + i / each) % (32 * 32 * 16);
             return Tensors{None(image), Floats(pooled, 0, first, 1), argmax};
           },
       .compared = {{0, 0}}});
}

TEST(CutLoops, OfChannelsOfCodes) {
  const std::vector<int64_t> pairs = {1, 1, 1, 2};
  Try({.loop = "PoolChannels",
       .op = "QuantizedMaxPool",
       .attrs = {{"ksize", pairs}, {"strides", pairs}, {"padding", std::string("VALID")}},
       .pieces = 4,
       .size = 2,
       .inputs =
           [](int64_t first, int64_t count) {
             Tensor codes(DType::kQuint8, {count, 16, 16, 64});
             auto* const to = static_cast<uint8_t*>(codes.mutable_raw());
             const int64_t each = codes.elements() / count;
             for (int64_t i = 0; i < codes.elements(); ++i) {
               to[i] = static_cast<uint8_t>(128 + 8 * NumberAt<float>(first * each + i, 1));
             }
             return Tensors{codes, MakeScalar(-1.0F), MakeScalar(2.0F)};
           },
       .compared = {{0, 0}}});
}

TEST(CutLoops, OfImagesWithManyBoxes) {
  Try({.loop = "BoxProposals",
       .op = "GenerateBoundingBoxProposals",
       .attrs = {{"post_nms_topn", int64_t{7}}},
       .pieces = 4,
       .size = 1,
       .inputs =
           [](int64_t first, int64_t count) {
             Tensor info(DType::kFloat, {count, 5}), anchors(DType::kFloat, {16, 16, 16});
             float *const of_image = info.mutable_data<float>().data(), *const corner =
                                                                            anchors.mutable_data<float>().data();
             for (int64_t i = 0; i < count; ++i) {
               std::fill_n(of_image + 5 * i, 5, 0.0F);
               of_image[5 * i] = of_image[5 * i + 1] = static_cast<float>(40 + 10 * (first + i));
               of_image[5 * i + 2] = 1;
             }
             for (int64_t i = 0; i < anchors.elements(); ++i)
               corner[i] = static_cast<float>(i / 4 % 23 + i % 4 / 2 * 15);
             return Tensors{Floats({count, 16, 16, 4}, 0, first, 1),
                            Floats({count, 16, 16, 16}, 0, first, 2),
                            info,
                            anchors,
                            MakeScalar(0.5F),
                            MakeScalar<int32_t>(100),
                            MakeScalar(1.0F)};
           },
       .compared = {{0, 0}, {1, 0}}});
}

// ---- Sequences and matrices ----------------------------------------------------------------------------------------

TEST(CutLoops, OfPointsOfASequence) {
  Try({.loop = "SobolKernel",
       .op = "SobolSample",
       .attrs = {},
       .pieces = 5,
       .size = 200,
       .inputs =
           [](int64_t first, int64_t count) {
             return Tensors{MakeScalar<int32_t>(100), MakeScalar(static_cast<int32_t>(count)),
                            MakeScalar(static_cast<int32_t>(first))};
           },
       .compared = {{0, 0}}});
}

// What is infinite is multiplied term by term.
TEST(CutLoops, OfRowsOfAProductWithInfinities) {
  Try({.loop = "MultiplyByTerms",
       .op = "SparseMatMul",
       .attrs = {{"a_is_sparse", true}},
       .pieces = 5,
       .size = 10,
       .inputs =
           [](int64_t first, int64_t count) {
             Tensor b = Floats({64, 64}, 0, 0, 2);
             b.mutable_data<float>()[70] = std::numeric_limits<float>::infinity();
             return Tensors{Floats({count, 64}, 0, first, 1), b};
           },
       .compared = {{0, 0}}});
}

TEST(CutLoops, OfMatricesOfWhichAFunctionIsTaken) {
  using Complex = std::complex<double>;
  Try({.loop = "MatrixFunctionKernel",
       .op = "MatrixSquareRoot",
       .attrs = {},
       .pieces = 4,
       .size = 1,
       .inputs =
           [](int64_t first, int64_t count) {
             constexpr int64_t kSize = 10;
             Tensor matrices(DType::kComplex128, {count, kSize, kSize});
             Complex* const to = matrices.mutable_data<Complex>().data();
             for (int64_t i = 0; i < matrices.elements(); ++i) {
               const int64_t place = first * kSize * kSize + i, in_matrix = i % (kSize * kSize);
               const bool is_diagonal = in_matrix % (kSize + 1) == 0;
               to[i] = Complex((is_diagonal ? 40 : 0) + NumberAt<double>(place, 1), NumberAt<double>(place, 2));
             }
             return Tensors{matrices};
           },
       .compared = {{0, 0}}});
}

}  // namespace
}  // namespace plumb::fast::cpu
