// FractionalMaxPool, FractionalAvgPool and their gradients: the loops of pooling over cells that are drawn at random,
// or given.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fastpath/cpu/convolution/fractional_cuts.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/image/pooling_loops.h"
#include "fastpath/cpu/lib/image/windows.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/random.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

// Calls f(TypeTag<T>) with the types that the kernels take.
template <class F>
void VisitPooled(DType dtype, const F& f) {
  switch (dtype) {
    case DType::kFloat:
      return f(TypeTag<float>());
    case DType::kDouble:
      return f(TypeTag<double>());
    case DType::kInt32:
      return f(TypeTag<int32_t>());
    default:
      return f(TypeTag<int64_t>());
  }
}

// Calls visit(image offset, output pixel, pixels) for the cells of output rows [begin, end), counted over all images.
template <class F>
void ForEachCell(const FractionalCuts& cuts, const Shape& input, int64_t out_rows, int64_t out_columns, int64_t begin,
                 int64_t end, const F& visit) {
  std::vector<int64_t> pixels;
  for (int64_t row = begin; row < end; ++row) {
    const FractionalCuts::Cell rows = cuts.RowCell(row % out_rows, input[1]);
    for (int64_t c = 0; c < out_columns; ++c) {
      const FractionalCuts::Cell columns = cuts.ColumnCell(c, input[2]);
      pixels.clear();
      for (int64_t i = rows.first; i <= rows.last; ++i) {
        for (int64_t j = columns.first; j <= columns.last; ++j) pixels.push_back((i * input[2] + j) * input[3]);
      }
      visit(row / out_rows * input[1] * input[2] * input[3], row * out_columns + c, WindowPixels(pixels));
    }
  }
}

class FractionalPoolKernel : public Kernel {
 public:
  explicit FractionalPoolKernel(const Node& node)
      : dtype_(InputType(node, 0)),
        ratios_(GetAttr<std::vector<float>>(node.attrs, "pooling_ratio")),
        regular_(GetAttr<bool>(node.attrs, "pseudo_random")),
        overlapping_(GetAttr<bool>(node.attrs, "overlapping")),
        deterministic_(GetAttr<bool>(node.attrs, "deterministic")),
        stream_(GetAttr<int64_t>(node.attrs, "seed"), GetAttr<int64_t>(node.attrs, "seed2")) {
    Require(ratios_.size() == 4, "pooling_ratio must have 4 entries, not ", ratios_.size());
    for (const float ratio : ratios_) Require(ratio >= 1, "pooling_ratio is below 1: ", ratio);
    if (ratios_[0] != 1 || ratios_[3] != 1) throw Unimplemented("pooling over batch or channels");
    const bool seeded = GetAttr<int64_t>(node.attrs, "seed") != 0 || GetAttr<int64_t>(node.attrs, "seed2") != 0;
    Require(deterministic_ || !seeded, "seeds are for deterministic pooling");
  }

  void Run(KernelContext& context) override {
    const Tensor& images = context.input(0);
    const Shape& input = images.shape();
    const Shape shape = PooledShape(input);
    const FractionalCuts cuts = Draw(input, shape);
    Tensor& output = context.AllocateOutput(0, dtype_, shape);
    const int64_t depth = input[3], cell = (input[1] / shape[1] + 1) * (input[2] / shape[2] + 1);
    VisitPooled(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = images.data<T>().data();
      T* const y = output.mutable_data<T>().data();
      context.pool().ParallelFor(shape[0] * shape[1], GrainFor(shape[2] * cell * depth),
                                 [&](int64_t begin, int64_t end) {
                                   ForEachCell(cuts, input, shape[1], shape[2], begin, end,
                                               [&](int64_t image, int64_t pixel, WindowPixels pixels) {
                                                 Pool(x + image, pixels, depth, y + pixel * depth);
                                               });
                                 });
    });
    context.SetOutput(1, VectorOf(cuts.rows));
    context.SetOutput(2, VectorOf(cuts.columns));
  }

 protected:
  virtual void Pool(const float* x, WindowPixels pixels, int64_t depth, float* y) const = 0;
  virtual void Pool(const double* x, WindowPixels pixels, int64_t depth, double* y) const = 0;
  virtual void Pool(const int32_t* x, WindowPixels pixels, int64_t depth, int32_t* y) const = 0;
  virtual void Pool(const int64_t* x, WindowPixels pixels, int64_t depth, int64_t* y) const = 0;

 private:
  Shape PooledShape(const Shape& input) const {
    Require(input.rank() == 4, "an image has 4 dimensions, not the shape ", Printed(input));
    Dims dims;
    for (int i = 0; i < 4; ++i) {
      const auto size = static_cast<float>(input[i]);
      Require(size >= ratios_[i], "dimension ", i, " has the size ", input[i], ", below its pooling_ratio ",
              ratios_[i]);
      dims.Append(static_cast<int64_t>(std::floor(size / ratios_[i])));
    }
    return dims.ToShape();
  }

  // With `deterministic`, each execution starts the stream anew.
  FractionalCuts Draw(const Shape& input, const Shape& output) {
    const uint64_t rows = BlocksForCuts(output[1], regular_), columns = BlocksForCuts(output[2], regular_);
    Philox generator = stream_.Reserve(deterministic_ ? 0 : rows + columns);
    FractionalCuts cuts;
    cuts.overlapping = overlapping_;
    cuts.rows = DrawCuts(input[1], output[1], regular_, generator);
    generator.Skip(rows);
    cuts.columns = DrawCuts(input[2], output[2], regular_, generator);
    return cuts;
  }

  static Tensor VectorOf(const std::vector<int64_t>& values) {
    Tensor tensor = Allocate(DType::kInt64, {static_cast<int64_t>(values.size())});
    std::copy(values.begin(), values.end(), tensor.mutable_data<int64_t>().begin());
    return tensor;
  }

  const DType dtype_;
  const std::vector<float> ratios_;
  const bool regular_, overlapping_, deterministic_;
  RandomStream stream_;
};

class FractionalMaxPoolKernel : public FractionalPoolKernel {
 public:
  using FractionalPoolKernel::FractionalPoolKernel;

 private:
  template <class T>
  static void Largest(const T* x, WindowPixels pixels, int64_t depth, T* y) {
    MaxOfWindow(x, pixels, depth, std::numeric_limits<T>::lowest(), y);
  }
  void Pool(const float* x, WindowPixels p, int64_t depth, float* y) const override { Largest(x, p, depth, y); }
  void Pool(const double* x, WindowPixels p, int64_t depth, double* y) const override { Largest(x, p, depth, y); }
  void Pool(const int32_t* x, WindowPixels p, int64_t depth, int32_t* y) const override { Largest(x, p, depth, y); }
  void Pool(const int64_t* x, WindowPixels p, int64_t depth, int64_t* y) const override { Largest(x, p, depth, y); }
};

class FractionalAvgPoolKernel : public FractionalPoolKernel {
 public:
  using FractionalPoolKernel::FractionalPoolKernel;

 private:
  // Whole numbers are added up modulo their width, and divided towards zero.
  template <class T>
  static void WholeMean(const T* x, WindowPixels pixels, int64_t depth, T* y) {
    for (int64_t c = 0; c < depth; ++c) {
      uint64_t sum = 0;
      for (const int64_t pixel : pixels) sum += static_cast<uint64_t>(x[pixel + c]);
      y[c] = static_cast<T>(static_cast<T>(sum) / static_cast<int64_t>(pixels.size()));
    }
  }
  void Pool(const float* x, WindowPixels p, int64_t depth, float* y) const override { MeanOfWindow(x, p, depth, y); }
  void Pool(const double* x, WindowPixels p, int64_t depth, double* y) const override { MeanOfWindow(x, p, depth, y); }
  void Pool(const int32_t* x, WindowPixels p, int64_t depth, int32_t* y) const override { WholeMean(x, p, depth, y); }
  void Pool(const int64_t* x, WindowPixels p, int64_t depth, int64_t* y) const override { WholeMean(x, p, depth, y); }
};

class FractionalGradKernel : public Kernel {
 public:
  FractionalGradKernel(const Node& node, int gradient)
      : dtype_(InputType(node, gradient)), overlapping_(GetAttr<bool>(node.attrs, "overlapping")) {}

 protected:
  // The gradient may be of the first images and channels alone.
  void CheckGradient(const Shape& input, const Shape& gradient) const {
    Require(input.rank() == 4 && gradient.rank() == 4, "images and their gradients have 4 dimensions, not ",
            Printed(input), " and ", Printed(gradient));
    Require(input.elements() > 0 && gradient.elements() > 0, "no dimension may be empty, of images ", Printed(input),
            " and gradients ", Printed(gradient));
    Require(gradient[0] <= input[0] && gradient[3] <= input[3], "out_backprop has the shape ", Printed(gradient),
            ", the images ", Printed(input));
  }
  FractionalCuts CutsOf(const Tensor& rows, const Tensor& columns, const Shape& gradient, bool of_any_rank) const {
    FractionalCuts cuts;
    cuts.overlapping = overlapping_;
    cuts.rows = Given(rows, gradient[1], of_any_rank, "row_pooling_sequence");
    cuts.columns = Given(columns, gradient[2], of_any_rank, "col_pooling_sequence");
    return cuts;
  }
  // Calls visit(image offset, output pixel, pixels) for all cells, each image on its own: cells may overlap.
  template <class F>
  static void ForEachCellByImage(ThreadPool& pool, const FractionalCuts& cuts, const Shape& input,
                                 const Shape& gradient, const F& visit) {
    const int64_t rows = gradient[1], columns = gradient[2];
    pool.ParallelFor(gradient[0], GrainFor(input[1] * input[2] * input[3]), [&](int64_t begin, int64_t end) {
      ForEachCell(cuts, input, rows, columns, begin * rows, end * rows, visit);
    });
  }

  const DType dtype_;
  const bool overlapping_;

 private:
  // As many as there are cells, and one; what is listed beyond them is not looked at.
  std::vector<int64_t> Given(const Tensor& cuts, int64_t cells, bool of_any_rank, std::string_view what) const {
    Require((cuts.rank() == 1 || of_any_rank) && cuts.elements() > cells, what, " must be a vector of ", cells + 1,
            " positions, not of shape ", Printed(cuts.shape()));
    const auto positions = cuts.data<int64_t>();
    for (const int64_t at : positions) Require(at >= 0, what, " must not be negative: ", at);
    return {positions.begin(), positions.begin() + cells + 1};
  }
};

class FractionalMaxPoolGradKernel : public FractionalGradKernel {
 public:
  explicit FractionalMaxPoolGradKernel(const Node& node) : FractionalGradKernel(node, 2) {}

  void Run(KernelContext& context) override {
    const Shape &input = context.input(0).shape(), &gradient = context.input(2).shape();
    CheckGradient(input, gradient);
    Require(context.input(1).shape() == gradient, "orig_output has the shape ", Printed(context.input(1).shape()),
            ", out_backprop ", Printed(gradient));
    const FractionalCuts cuts = CutsOf(context.input(3), context.input(4), gradient, /*of_any_rank=*/false);
    Require(cuts.AllCellsHoldSomething(input[1], input[2]), "a cell of the sequences is empty");
    Tensor result = AllocateZeros(context.pool(), dtype_, input);
    VisitPooled(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const x = context.input(0).data<T>().data(), *const dy = context.input(2).data<T>().data();
      const T* const y = context.input(1).data<T>().data();
      T* const dx = result.mutable_data<T>().data();
      ForEachCellByImage(context.pool(), cuts, input, gradient, [&](int64_t image, int64_t pixel, WindowPixels pixels) {
        RequireLargest(x + image, pixels, gradient[3], y + pixel * gradient[3]);
        AddToMaxOfWindow(x + image, pixels, gradient[3], dy + pixel * gradient[3], dx + image);
      });
    });
    context.SetOutput(0, std::move(result));
  }

 private:
  // The first of the pixels, unless a later one is larger, is what the forward op answered.
  template <class T>
  void RequireLargest(const T* x, WindowPixels pixels, int64_t depth, const T* y) const {
    for (int64_t c = 0; c < depth; ++c) {
      T largest = x[pixels[0] + c];
      for (const int64_t pixel : pixels) largest = largest < x[pixel + c] ? x[pixel + c] : largest;
      Require(largest == y[c], "orig_output does not hold the largest element of each cell");
    }
  }
};

class FractionalAvgPoolGradKernel : public FractionalGradKernel {
 public:
  explicit FractionalAvgPoolGradKernel(const Node& node) : FractionalGradKernel(node, 1) {}

  void Run(KernelContext& context) override {
    const Shape input = ListedShape("orig_input_tensor_shape", context.input(0), 4);
    const Shape& gradient = context.input(1).shape();
    CheckGradient(input, gradient);
    const FractionalCuts cuts = CutsOf(context.input(2), context.input(3), gradient, /*of_any_rank=*/true);
    // Where cells do not overlap, each ends before the next position.
    const auto first_end = std::min(*std::min_element(cuts.rows.begin() + 1, cuts.rows.end()),
                                    *std::min_element(cuts.columns.begin() + 1, cuts.columns.end()));
    Require(overlapping_ || first_end > 0, "a cell of the sequences ends before the first pixel");
    Tensor sums = AllocateZeros(context.pool(), DType::kDouble, input);
    double* const sum = sums.mutable_data<double>().data();
    Tensor& output = context.AllocateOutput(0, dtype_, input);
    VisitPooled(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const dy = context.input(1).data<T>().data();
      ForEachCellByImage(context.pool(), cuts, input, gradient, [&](int64_t image, int64_t pixel, WindowPixels pixels) {
        AddParts(dy + pixel * gradient[3], pixels, gradient[3], sum + image);
      });
      T* const dx = output.mutable_data<T>().data();
      context.pool().ParallelFor(sums.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) dx[i] = Narrowed<T>(sum[i]);
      });
    });
  }

 private:
  template <class T>
  static void AddParts(const T* dy, WindowPixels pixels, int64_t depth, double* sum) {
    const auto count = static_cast<double>(pixels.size());
    for (const int64_t pixel : pixels) {
      for (int64_t c = 0; c < depth; ++c) sum[pixel + c] += static_cast<double>(dy[c]) / count;
    }
  }
  // Beyond a type of whole numbers: its lowest, as machines have it.
  template <class T>
  static T Narrowed(double x) {
    if constexpr (std::is_integral_v<T>) {
      constexpr double kLimit = sizeof(T) == 4 ? 0x1p31 : 0x1p63;
      return x > -kLimit - 1 && x < kLimit ? static_cast<T>(x) : std::numeric_limits<T>::lowest();
    } else {
      return static_cast<T>(x);
    }
  }
};

constexpr KernelRow kRows[] = {
    {"FractionalMaxPool", Make<FractionalMaxPoolKernel>},
    {"FractionalAvgPool", Make<FractionalAvgPoolKernel>},
    {"FractionalMaxPoolGrad", Make<FractionalMaxPoolGradKernel>},
    {"FractionalAvgPoolGrad", Make<FractionalAvgPoolGradKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionFractionalPool() { return kRows; }

}  // namespace plumb::fast::cpu
