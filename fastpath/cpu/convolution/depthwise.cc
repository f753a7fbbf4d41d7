// DepthwiseConv2dNative and its two gradients. Images whose channels stand once for each filter of theirs make every
// channel one of its own: all three are then sums of products of rows of channels.
#include <vector>

#include "fastpath/cpu/convolution/depthwise_channels.h"
#include "fastpath/cpu/convolution/depthwise_loops.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/image/convolution.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

struct DepthwiseSize {
  int64_t batch = 0, in_depth = 0, multiplier = 0;
  WindowAxis rows, columns;

  int64_t out_depth() const { return in_depth * multiplier; }
  Shape input() const { return {batch, rows.input, columns.input, in_depth}; }
  Shape output() const { return {batch, rows.output, columns.output, in_depth * multiplier}; }
  Shape filter() const { return {rows.window, columns.window, in_depth, multiplier}; }
  // Rows of channels in images that are as deep as the output.
  int64_t InputRow(int64_t n, int64_t i, int64_t j) const {
    return ((n * rows.input + i) * columns.input + j) * out_depth();
  }
  int64_t OutputRow(int64_t n, int64_t o, int64_t p) const {
    return ((n * rows.output + o) * columns.output + p) * out_depth();
  }
  int64_t FilterRow(int64_t k, int64_t l) const { return (k * columns.window + l) * out_depth(); }
  int64_t WindowWork() const { return rows.window * columns.window * out_depth(); }
};

constexpr int64_t kBlockElements = 4096;
constinit ChoicePoint single_images("depthwise convolution: rows of several images at once, or of one");

// Images whose rows of pixels are short are taken together, so that it is found once for them what meets.
int64_t ImagesAtOnce(const DepthwiseSize& size, int64_t columns) {
  const int64_t row = std::max<int64_t>(1, columns * size.out_depth());
  const int64_t images = std::clamp<int64_t>(kBlockElements / row, 1, std::max<int64_t>(1, size.batch));
  single_images.Chosen(images == 1);
  return images;
}

// Each output pixel: its inputs with the weights they lie under.
template <class T>
void Convolve(ThreadPool& pool, const DepthwiseSize& size, const T* x, const T* w, T* y) {
  const int64_t block = ImagesAtOnce(size, size.columns.output), blocks = (size.batch + block - 1) / block;
  const int64_t x_image = size.InputRow(1, 0, 0), y_image = size.OutputRow(1, 0, 0);
  pool.ParallelFor(size.rows.output * blocks, GrainFor(block * size.columns.output * size.WindowWork()),
                   [&](int64_t begin, int64_t end) {
                     std::vector<Meeting> meetings;
                     for (int64_t at = begin; at < end; ++at) {
                       const int64_t o = at / blocks, first = at % blocks * block;
                       const Images images = {std::min(block, size.batch - first), x_image, 0};
                       for (int64_t p = 0; p < size.columns.output; ++p) {
                         meetings.clear();
                         for (int64_t k = size.rows.First(o); k < size.rows.Last(o); ++k) {
                           for (int64_t l = size.columns.First(p); l < size.columns.Last(p); ++l) {
                             meetings.push_back({size.InputRow(0, size.rows.Start(o) + k, size.columns.Start(p) + l),
                                                 size.FilterRow(k, l)});
                           }
                         }
                         SumsOfProducts(x + first * x_image, w, meetings, images, size.out_depth(), y_image,
                                        y + size.OutputRow(first, o, p));
                       }
                     }
                   });
}

// A place that an input position meets along one axis.
struct Place {
  int64_t out, kernel;
};
std::vector<Place> PlacesOf(const WindowAxis& axis, int64_t in) {
  std::vector<Place> places;
  for (int64_t k = 0; k < axis.window; ++k) {
    const int64_t shifted = in + axis.before - k;
    if (shifted >= 0 && shifted % axis.stride == 0 && shifted / axis.stride < axis.output) {
      places.push_back({shifted / axis.stride, k});
    }
  }
  return places;
}

// Each input pixel: the gradients of the outputs that saw it, with the weights they saw it under. dx is as deep as dy.
template <class T>
void ConvolveBack(ThreadPool& pool, const DepthwiseSize& size, const T* w, const T* dy, T* dx) {
  std::vector<std::vector<Place>> columns;
  for (int64_t j = 0; j < size.columns.input; ++j) columns.push_back(PlacesOf(size.columns, j));
  const int64_t block = ImagesAtOnce(size, size.columns.input), blocks = (size.batch + block - 1) / block;
  const int64_t dx_image = size.InputRow(1, 0, 0), dy_image = size.OutputRow(1, 0, 0);
  pool.ParallelFor(
      size.rows.input * blocks, GrainFor(block * size.columns.input * size.WindowWork()),
      [&](int64_t begin, int64_t end) {
        std::vector<Meeting> meetings;
        for (int64_t at = begin; at < end; ++at) {
          const int64_t i = at / blocks, first = at % blocks * block;
          const Images images = {std::min(block, size.batch - first), dy_image, 0};
          const std::vector<Place> rows = PlacesOf(size.rows, i);
          for (int64_t j = 0; j < size.columns.input; ++j) {
            meetings.clear();
            for (const Place& column : columns[static_cast<size_t>(j)]) {
              for (const Place& row : rows) {
                meetings.push_back({size.OutputRow(0, row.out, column.out), size.FilterRow(row.kernel, column.kernel)});
              }
            }
            SumsOfProducts(dy + first * dy_image, w, meetings, images, size.out_depth(), dx_image,
                           dx + size.InputRow(first, i, j));
          }
        }
      });
}

// What meets under the weights at (k, l), in the first image.
std::vector<Meeting> MeetingsAt(const DepthwiseSize& size, int64_t k, int64_t l) {
  std::vector<Meeting> meetings;
  for (int64_t o = 0; o < size.rows.output; ++o) {
    if (k < size.rows.First(o) || k >= size.rows.Last(o)) continue;
    for (int64_t p = 0; p < size.columns.output; ++p) {
      if (l < size.columns.First(p) || l >= size.columns.Last(p)) continue;
      meetings.push_back(
          {size.InputRow(0, size.rows.Start(o) + k, size.columns.Start(p) + l), size.OutputRow(0, o, p)});
    }
  }
  return meetings;
}

constexpr int64_t kBlockTerms = 256;  // of the sums that are then added up one after the other
constinit ChoicePoint several_blocks("depthwise filter gradient: images in one block, or in several");

// The weights at each place, block of images by block: parts [blocks, filter], which are added up in order.
template <class T>
void ConvolveToFilter(ThreadPool& pool, const DepthwiseSize& size, const T* x, const T* dy, T* dw) {
  const int64_t places = size.rows.window * size.columns.window, weights = places * size.out_depth();
  const int64_t pixels = std::max<int64_t>(1, size.rows.output * size.columns.output);
  const int64_t block = std::max<int64_t>(1, kBlockTerms / pixels), blocks = (size.batch + block - 1) / block;
  several_blocks.Chosen(blocks > 1);
  std::vector<std::vector<Meeting>> meetings;
  for (int64_t place = 0; place < places; ++place) {
    meetings.push_back(MeetingsAt(size, place / size.columns.window, place % size.columns.window));
  }
  const Images image = {1, size.InputRow(1, 0, 0), size.OutputRow(1, 0, 0)};
  Tensor parts = Allocate(DTypeOf<T>, {blocks, weights});
  T* const part = parts.template mutable_data<T>().data();
  pool.ParallelFor(blocks * places, GrainFor(block * pixels * size.out_depth()), [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const int64_t place = at % places, first = at / places * block;
      const Images images = {std::min(block, size.batch - first), image.a, image.b};
      SumOfProducts(x + first * image.a, dy + first * image.b, meetings[static_cast<size_t>(place)], images,
                    size.out_depth(), part + at / places * weights + place * size.out_depth());
    }
  });
  SumParts(pool, part, blocks, weights, dw);
}

class DepthwiseKernel : public Kernel {
 public:
  DepthwiseKernel(const Node& node, int data_input)
      : windows_(WithoutDilations(node)), dtype_(InputType(node, data_input)) {
    if (!GetAttrOr<std::string>(node.attrs, "_kernel", "").empty()) ThrowNoKernel(node);  // rule A7
    Require(windows_.strides[windows_.rows()] == windows_.strides[windows_.columns()],
            "strides must be equal along rows and columns");
    Require(windows_.strides[windows_.batch()] == 1 && windows_.strides[windows_.depth()] == 1,
            "strides over batch and channels must be 1");
  }

 protected:
  // TensorFlow's gradients do not look at `dilations`.
  static WindowAttrs WithoutDilations(const Node& node) {
    Node plain = node;
    plain.attrs.erase("dilations");
    return WindowAttrs(plain);
  }

  DepthwiseSize SizeOf(const Shape& input_shape, const Shape& filter) const {
    const Shape input = ToNhwc(input_shape, windows_.nchw);
    Require(filter.rank() == 4, "a filter has 4 dimensions, not the shape ", Printed(filter));
    Require(input[3] == filter[2], "the images have ", input[3], " channels, the filter is for ", filter[2]);
    DepthwiseSize size;
    size.batch = input[0];
    size.in_depth = input[3];
    size.multiplier = filter[3];
    size.rows = windows_.Place(windows_.rows(), input[1], filter[0]);
    size.columns = windows_.Place(windows_.columns(), input[2], filter[1]);
    return size;
  }
  DepthwiseSize GradientSizeOf(const Shape& input, const Shape& filter, const Shape& gradient) const {
    const DepthwiseSize size = SizeOf(input, filter);
    RequireGradientShape(gradient, FromNhwc(size.output(), windows_.nchw));
    return size;
  }

  Tensor WideImage(KernelContext& context, int input) const {
    return AsFloat(context.pool(), ToNhwc(context.pool(), context.input(input), windows_.nchw));
  }
  void SetWide(KernelContext& context, Tensor result, bool is_image) const {
    const Tensor rounded = RoundedTo(context.pool(), dtype_, std::move(result));
    context.SetOutput(0, FromNhwc(context.pool(), rounded, is_image && windows_.nchw));
  }
  void SetZeros(KernelContext& context, const Shape& shape) const {
    context.SetOutput(0, AllocateZeros(context.pool(), dtype_, shape));
  }

  const WindowAttrs windows_;
  const DType dtype_;
};

class DepthwiseForwardKernel : public DepthwiseKernel {
 public:
  explicit DepthwiseForwardKernel(const Node& node) : DepthwiseKernel(node, 0) {
    for (const int64_t dilation : FourInts(node, "dilations")) {
      if (dilation != 1) throw Unimplemented("windows dilated by ", dilation);
    }
  }

  void Run(KernelContext& context) override {
    const DepthwiseSize size = SizeOf(context.input(0).shape(), context.input(1).shape());
    if (size.output().elements() == 0) return SetZeros(context, FromNhwc(size.output(), windows_.nchw));
    const Tensor input = WideImage(context, 0), filter = AsFloat(context.pool(), context.input(1));
    Tensor output = Allocate(ComputeType(dtype_), size.output());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Tensor deep = Repeated<T>(context.pool(), input, size.multiplier);
      Convolve(context.pool(), size, deep.data<T>().data(), filter.data<T>().data(), output.mutable_data<T>().data());
    });
    SetWide(context, std::move(output), true);
  }
};

class DepthwiseInputGradientKernel : public DepthwiseKernel {
 public:
  explicit DepthwiseInputGradientKernel(const Node& node) : DepthwiseKernel(node, 1) {}

  void Run(KernelContext& context) override {
    const Shape input = ListedShape("input_sizes", context.input(0), 4);
    const DepthwiseSize size = GradientSizeOf(input, context.input(1).shape(), context.input(2).shape());
    if (input.elements() == 0 || context.input(1).elements() == 0) return SetZeros(context, input);
    const Tensor filter = AsFloat(context.pool(), context.input(1)), gradient = WideImage(context, 2);
    Tensor output = Allocate(ComputeType(dtype_), size.input());
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T *const w = filter.data<T>().data(), *const dy = gradient.data<T>().data();
      T* const dx = output.mutable_data<T>().data();
      if (size.multiplier == 1) return ConvolveBack(context.pool(), size, w, dy, dx);
      Tensor deep = Allocate(DTypeOf<T>, {size.batch, size.rows.input, size.columns.input, size.out_depth()});
      ConvolveBack(context.pool(), size, w, dy, deep.mutable_data<T>().data());
      SumNeighbours(context.pool(), deep.data<T>().data(), size.multiplier, output.elements(), dx);
    });
    SetWide(context, std::move(output), true);
  }
};

class DepthwiseFilterGradientKernel : public DepthwiseKernel {
 public:
  explicit DepthwiseFilterGradientKernel(const Node& node) : DepthwiseKernel(node, 0) {}

  void Run(KernelContext& context) override {
    const Shape filter = ListedShape("filter_sizes", context.input(1), 4);
    const DepthwiseSize size = GradientSizeOf(context.input(0).shape(), filter, context.input(2).shape());
    if (filter.elements() == 0 || context.input(0).elements() == 0) return SetZeros(context, filter);
    const Tensor input = WideImage(context, 0), gradient = WideImage(context, 2);
    Tensor output = Allocate(ComputeType(dtype_), filter);
    VisitComputeType(dtype_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Tensor deep = Repeated<T>(context.pool(), input, size.multiplier);
      ConvolveToFilter(context.pool(), size, deep.data<T>().data(), gradient.data<T>().data(),
                       output.mutable_data<T>().data());
    });
    SetWide(context, std::move(output), false);
  }
};

constexpr KernelRow kRows[] = {
    {"DepthwiseConv2dNative", Make<DepthwiseForwardKernel>},
    {"DepthwiseConv2dNativeBackpropInput", Make<DepthwiseInputGradientKernel>},
    {"DepthwiseConv2dNativeBackpropFilter", Make<DepthwiseFilterGradientKernel>},
};

}  // namespace

std::span<const KernelRow> ConvolutionDepthwise() { return kRows; }

}  // namespace plumb::fast::cpu
