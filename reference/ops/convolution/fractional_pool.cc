// Pooling in cells whose sizes are drawn at random: rows are cut at a sequence of positions, columns at another. The
// largest element or the mean of each cell, and the gradients, which are given the sequences.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

using Positions = std::vector<int64_t>;

// Where cells begin, and where the last one ends.
struct Cuts {
  Positions rows, columns;
  bool overlapping;  // a cell also holds the first element of the next one

  // The elements of cell `i` along an axis of `size`.
  std::pair<int64_t, int64_t> Cell(const Positions& cuts, int64_t i, int64_t size) const {
    return {cuts[i], std::min(overlapping ? cuts[i + 1] : cuts[i + 1] - 1, size - 1)};
  }
};

// Calls visit(output pixel, input pixels of its cell, in row-major order) for all cells of the outputs.
template <class F>
void ForEachCell(const Cuts& cuts, const Shape& input, const Shape& outputs, const F& visit) {
  Positions cell;
  int64_t output = 0;
  for (int64_t n = 0; n < outputs.dim(0); ++n) {
    for (int64_t r = 0; r < outputs.dim(1); ++r) {
      const auto [first_row, last_row] = cuts.Cell(cuts.rows, r, input.dim(1));
      for (int64_t c = 0; c < outputs.dim(2); ++c) {
        const auto [first_column, last_column] = cuts.Cell(cuts.columns, c, input.dim(2));
        cell.clear();
        for (int64_t i = first_row; i <= last_row; ++i) {
          for (int64_t j = first_column; j <= last_column; ++j) {
            cell.push_back((n * input.dim(1) + i) * input.dim(2) + j);
          }
        }
        visit(output++, cell);
      }
    }
  }
}

// Sizes k or k + 1 in random order, as R78 shuffles.
Positions Shuffled(int64_t input, int64_t output, Philox generator) {
  Positions sizes(static_cast<size_t>(output), input / output);
  for (int64_t i = 0; i < input % output; ++i) ++sizes[i];
  PhiloxWords words(generator);
  for (int64_t i = 0; i + 1 < output; ++i) std::swap(sizes[i], sizes[i + words.Next() % (output - i)]);
  return sizes;
}

// Sizes k or k + 1 between the numbers ⌈α(i + u)⌉, where α is input / output and u the random number.
Positions Regular(int64_t input, int64_t output, Philox generator) {
  const double alpha = static_cast<double>(input) / static_cast<double>(output);
  const int64_t k = input / output;
  const double first = static_cast<double>(k + 2) / alpha - 1;
  const double last = static_cast<double>(input + 1 - k) / alpha - static_cast<double>(output - 1);
  PhiloxWords words(generator);
  const uint32_t word = words.Next();
  const double u = UniformDouble(word, words.Next()) * std::min(first, last);
  Positions sizes;
  int64_t before = 1;
  for (int64_t i = 1; i <= output; ++i) {
    const int64_t cut = i == output ? input + 1 : static_cast<int64_t>(std::ceil(alpha * (static_cast<double>(i) + u)));
    sizes.push_back(cut - before);
    before = cut;
  }
  return sizes;
}

Positions CutsOf(const Positions& sizes) {
  Positions cuts = {0};
  for (const int64_t size : sizes) cuts.push_back(cuts.back() + size);
  return cuts;
}

int64_t BlocksFor(int64_t output, bool regular) { return regular ? 1 : (output + 3) / 4; }

// With `deterministic`, each execution starts the stream anew.
Cuts DrawnCuts(OpContext& c, const Shape& input, const Shape& output) {
  const bool regular = c.attr<bool>("pseudo_random");
  const int64_t row_blocks = BlocksFor(output.dim(1), regular), column_blocks = BlocksFor(output.dim(2), regular);
  Philox generator =
      ReserveBlocks(c, c.attr<bool>("deterministic") ? 0 : static_cast<uint64_t>(row_blocks + column_blocks));
  const auto draw = [&](int axis) {
    const auto sizes = regular ? Regular : Shuffled;
    return CutsOf(sizes(input.dim(axis), output.dim(axis), generator));
  };
  Positions rows = draw(1);
  generator.Skip(static_cast<uint64_t>(row_blocks));
  return {std::move(rows), draw(2), c.attr<bool>("overlapping")};
}

void CheckAttributes(const Node& node) {
  const auto& ratios = GetAttr<std::vector<float>>(node.attrs, "pooling_ratio");
  Require(ratios.size() == 4, "pooling_ratio must have four entries, not ", ratios.size());
  for (const float ratio : ratios) Require(ratio >= 1, "pooling_ratio must not be below 1: ", ratio);
  if (ratios[0] != 1 || ratios[3] != 1) {
    throw Unimplemented("fractional pooling is not supported over batch or channels, at node '", node.name, "'");
  }
  Require(GetAttr<bool>(node.attrs, "deterministic") ||
              (GetAttr<int64_t>(node.attrs, "seed") == 0 && GetAttr<int64_t>(node.attrs, "seed2") == 0),
          "seed and seed2 are for deterministic pooling, at node '", node.name, "'");
}

Shape PooledShape(const OpContext& c) {
  const Shape& input = c.tensor(0).shape();
  Require(input.rank() == 4, "an image tensor has four dimensions, not the shape ", input.ToString());
  const auto& ratios = c.attr<std::vector<float>>("pooling_ratio");
  std::vector<int64_t> dims;
  for (int i = 0; i < 4; ++i) {
    const auto size = static_cast<float>(input.dim(i));
    Require(size >= ratios[i], "dimension ", i, " has the size ", input.dim(i), ", below its pooling_ratio ",
            ratios[i]);
    dims.push_back(static_cast<int64_t>(std::floor(size / ratios[i])));
  }
  return Shape(dims);
}

Tensor Vector(const Positions& values) {
  return MakeTensor<int64_t>({std::ssize(values)}, std::span<const int64_t>(values));
}

template <class N>
N Lowest(DType dtype) {
  if constexpr (std::is_same_v<N, Real>) return -LargestFinite(dtype);
  if constexpr (std::is_same_v<N, Integer>) {
    return dtype == DType::kInt32 ? Integer(std::numeric_limits<int32_t>::min())
                                  : Integer(std::numeric_limits<int64_t>::min());
  }
}
void Widen(Real& x, const Real& other) { x.e = std::max(x.e, other.e); }
void Widen(Integer&, const Integer&) {}

// NaN is larger than nothing (rule N12).
template <class N>
N LargestOf(const Array<N>& x, const Positions& cell, int64_t depth, int64_t channel) {
  N largest = Lowest<N>(x.dtype);
  for (const int64_t pixel : cell) {
    if (x[pixel * depth + channel] > largest) largest = x[pixel * depth + channel];
  }
  for (const int64_t pixel : cell) Widen(largest, x[pixel * depth + channel]);
  return largest;
}

template <class N>
N MeanOf(const Array<N>& x, const Positions& cell, int64_t depth, int64_t channel) {
  SumOf<N> sum;
  for (const int64_t pixel : cell) sum.Add(x[pixel * depth + channel]);
  const auto count = static_cast<int64_t>(cell.size());
  if constexpr (std::is_same_v<N, Real>) return sum.Result() / Real(static_cast<double>(count));
  if constexpr (std::is_same_v<N, Integer>) return Wrap(sum.Result(), x.dtype) / Integer(count);
}

// pick(x, cell, depth, channel) makes an output out of a cell.
template <class Pick>
void FractionalPool(OpContext& c, const Pick& pick) {
  const Shape output = PooledShape(c);
  const Shape& input = c.tensor(0).shape();
  const Cuts cuts = DrawnCuts(c, input, output);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(c.input(0));
    auto y = MakeArray<N>(dtype, output);
    const int64_t depth = input.dim(3);
    ForEachCell(cuts, input, output, [&](int64_t pixel, const Positions& cell) {
      for (int64_t d = 0; d < depth; ++d) y[pixel * depth + d] = pick(x, cell, depth, d);
    });
    c.Output(0, Store(y));
  });
  c.Output(1, Vector(cuts.rows));
  c.Output(2, Vector(cuts.columns));
}

void FractionalMaxPool(OpContext& c) {
  FractionalPool(c, [](const auto& x, const Positions& cell, int64_t depth, int64_t channel) {
    return LargestOf(x, cell, depth, channel);
  });
}
void FractionalAvgPool(OpContext& c) {
  FractionalPool(c, [](const auto& x, const Positions& cell, int64_t depth, int64_t channel) {
    return MeanOf(x, cell, depth, channel);
  });
}

// What is listed beyond the cells is not looked at; of FractionalAvgPool it may stand in any shape.
Positions GivenCuts(const Tensor& cuts, int64_t cells, bool of_any_rank, std::string_view what) {
  Require((cuts.rank() == 1 || of_any_rank) && cuts.elements() > cells, what, " must be a vector of ", cells + 1,
          " positions, not of shape ", cuts.shape().ToString());
  Positions positions = IntegersOf(cuts.Reshaped(Shape({cuts.elements()})), what);
  for (const int64_t position : positions) Require(position >= 0, what, " must not be negative: ", position);
  return positions;
}
// Inputs `first` and `first` + 1, for a gradient of this shape.
Cuts GivenCuts(const OpContext& c, int first, const Shape& gradient, bool of_any_rank) {
  return {GivenCuts(c.tensor(first), gradient.dim(1), of_any_rank, "row_pooling_sequence"),
          GivenCuts(c.tensor(first + 1), gradient.dim(2), of_any_rank, "col_pooling_sequence"),
          c.attr<bool>("overlapping")};
}
// The gradient may be of the first images and channels alone.
void CheckGradient(const Shape& input, const Shape& gradient) {
  Require(input.rank() == 4 && gradient.rank() == 4, "images and their gradients have four dimensions, not ",
          input.ToString(), " and ", gradient.ToString());
  Require(input.elements() > 0 && gradient.elements() > 0,
          "images and their gradients must not be empty: ", input.ToString(), ", ", gradient.ToString());
  Require(gradient.dim(0) <= input.dim(0) && gradient.dim(3) <= input.dim(3),
          "out_backprop has more images or channels than there are: ", gradient.ToString(), ", ", input.ToString());
}

// Whether an output may be this element of its cell, as far as their bounds say.
bool MayEqual(Real element, Real output) {
  return element.v == output.v || std::fabs(element.v - output.v) <= element.e + output.e;
}
bool MayEqual(Integer element, Integer output) { return element == output; }

// Each gradient goes to the first of its cell, unless a later element is larger. Outputs that are not these elements
// are refused (FractionalMaxPoolGradOp).
void FractionalMaxPoolGrad(OpContext& c) {
  const Shape &input = c.tensor(0).shape(), &gradient = c.tensor(2).shape();
  CheckGradient(input, gradient);
  Require(c.tensor(1).shape() == gradient, "orig_output has the shape ", c.tensor(1).shape().ToString(),
          ", out_backprop ", gradient.ToString());
  const Cuts cuts = GivenCuts(c, 3, gradient, /*of_any_rank=*/false);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto x = Load<N>(c.input(0)), y = Load<N>(c.input(1)), dy = Load<N>(c.input(2));
    std::vector<SumOf<N>> sums(x.at.size());
    const int64_t depth = input.dim(3), given = gradient.dim(3);
    ForEachCell(cuts, input, gradient, [&](int64_t pixel, const Positions& cell) {
      for (int64_t d = 0; d < given; ++d) {
        Require(!cell.empty(), "the cell of output pixel ", pixel, " is empty: its sequences do not rise");
        int64_t chosen = cell[0] * depth + d;
        for (const int64_t at : cell) chosen = x[at * depth + d] > x[chosen] ? at * depth + d : chosen;
        Require(MayEqual(x[chosen], y[pixel * given + d]), "orig_output is not the pooled orig_input at output pixel ",
                pixel);
        sums[chosen].Add(dy[pixel * given + d]);
      }
    });
    auto dx = MakeArray<N>(dtype, input);
    for (size_t i = 0; i < sums.size(); ++i) dx.at[i] = sums[i].Result();
    c.Output(0, Store(dx));
  });
}

// What a machine makes of a number that is beyond a type of whole numbers: the lowest one.
Integer Truncated(Real x, DType dtype) {
  const double limit = dtype == DType::kInt32 ? 0x1p31 : 0x1p63;
  if (!(x.v > -limit - 1 && x.v < limit)) return Lowest<Integer>(dtype);
  return Integer(static_cast<int64_t>(x.v));
}

// Where cells do not overlap, each ends before the next position: none may end before the first pixel.
void CheckEnds(const Cuts& cuts, const Shape& gradient) {
  const auto check = [&](const Positions& positions, int64_t cells, std::string_view what) {
    for (int64_t i = 1; i <= cells; ++i) {
      Require(cuts.overlapping || positions[i] > 0, what, " ends a cell before the first pixel: ", positions[i]);
    }
  };
  check(cuts.rows, gradient.dim(1), "row_pooling_sequence");
  check(cuts.columns, gradient.dim(2), "col_pooling_sequence");
}

// Each gradient goes in equal parts to the elements of its cell; the parts are added up in float64.
void FractionalAvgPoolGrad(OpContext& c) {
  Require(c.tensor(0).rank() == 1 && c.tensor(0).elements() == 4,
          "orig_input_tensor_shape must be a vector of four entries, not of shape ", c.tensor(0).shape().ToString());
  const Shape input = ShapeOf(c.tensor(0), "orig_input_tensor_shape");
  const Shape& gradient = c.tensor(1).shape();
  CheckGradient(input, gradient);
  const Cuts cuts = GivenCuts(c, 2, gradient, /*of_any_rank=*/true);
  CheckEnds(cuts, gradient);
  const DType dtype = c.tensor(1).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto dy = Load<N>(c.input(1));
    auto dx = MakeArray<N>(dtype, input);
    ComputeIn(DType::kDouble);
    std::vector<Sum> sums(dx.at.size());
    const int64_t depth = input.dim(3), given = gradient.dim(3);
    ForEachCell(cuts, input, gradient, [&](int64_t pixel, const Positions& cell) {
      for (int64_t d = 0; d < given; ++d) {
        Real part;
        if constexpr (std::is_same_v<N, Real>) part = dy[pixel * given + d];
        if constexpr (std::is_same_v<N, Integer>) part = static_cast<double>(dy[pixel * given + d]);
        part = part / Real(static_cast<double>(cell.size()));
        for (const int64_t at : cell) sums[at * depth + d].Add(part);
      }
    });
    for (size_t i = 0; i < sums.size(); ++i) {
      if constexpr (std::is_same_v<N, Real>) dx.at[i] = sums[i].Result();
      if constexpr (std::is_same_v<N, Integer>) dx.at[i] = Truncated(sums[i].Result(), dtype);
    }
    c.Output(0, Store(dx));
  });
}

constexpr KernelRow kRows[] = {
    {"FractionalMaxPool", FractionalMaxPool, CheckAttributes},
    {"FractionalAvgPool", FractionalAvgPool, CheckAttributes},
    {"FractionalMaxPoolGrad", FractionalMaxPoolGrad},
    {"FractionalAvgPoolGrad", FractionalAvgPoolGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ConvolutionFractionalPool() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
