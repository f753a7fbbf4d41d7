// ExtractImagePatches and ExtractVolumePatches: what a window shows at each place as it slides over images.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/image/windows.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

// Planes, rows, columns; images have one plane.
constexpr int kSpace = 3;

struct Places {
  WindowAxis axis[kSpace];
  int64_t batch, depth;
};

class Patches final : public Kernel {
 public:
  Patches(const Node& node, int rank) : rank_(rank), same_(GetAttr<std::string>(node.attrs, "padding") == "SAME") {
    const DType type = InputType(node, 0);
    if (!IsInteger(type) && !IsFloating(type) && !IsComplex(type)) ThrowNoKernel(node);
    size_ = static_cast<int64_t>(ElementSize(type));
    Read(node, "ksizes", ksizes_);
    Read(node, "strides", strides_);
    if (rank == 4) Read(node, "rates", rates_);
  }

  void Run(KernelContext& context) override {
    const Tensor& images = context.input(0);
    Require(images.rank() == rank_, "the input must have ", rank_, " dimensions, not the shape ",
            images.shape().ToString());
    Places places;
    places.batch = images.dim(0);
    places.depth = images.dim(rank_ - 1);
    Dims dims;
    dims.Append(places.batch);
    int64_t width = places.depth;
    for (int i = 0; i < kSpace; ++i) {
      const int dimension = i - (kSpace + 2 - rank_) + 1;
      places.axis[i] = Place(i, dimension < 1 ? 1 : images.dim(dimension));
      Require(!__builtin_mul_overflow(width, ksizes_[i], &width), "the patches are too large");
      if (dimension >= 1) dims.Append(places.axis[i].output);
    }
    dims.Append(width);
    Tensor& output = context.AllocateOutput(0, images.dtype(), dims.ToShape());
    if (output.elements() == 0) return;
    const char* const from = static_cast<const char*>(images.raw());
    char* const to = static_cast<char*>(output.mutable_raw());
    const WindowAxis &planes = places.axis[0], &rows = places.axis[1], &columns = places.axis[2];
    const int64_t line = columns.output * width * size_;
    context.pool().ParallelFor(places.batch * planes.output * rows.output, GrainFor(line / 16 + 16),
                               [&](int64_t begin, int64_t end) {
                                 for (int64_t i = begin; i < end; ++i) FillLine(places, i, from, to + i * line);
                               });
  }

 private:
  // One value for each dimension between batch and depth; 1 for those that images do not have.
  void Read(const Node& node, const char* name, int64_t* values) const {
    const auto& given = GetAttr<std::vector<int64_t>>(node.attrs, name);
    Require(static_cast<int>(given.size()) == rank_, "node ", node.name, ": ", name, " must have ", rank_,
            " values, not ", given.size());
    for (const int64_t value : given) AsInt32(node, name, value);
    if (given.front() != 1 || given.back() != 1) {
      throw Unimplemented("node ", node.name, ": ", name, " must be 1 along the batch and along the depth");
    }
    for (int dimension = 1; dimension + 1 < rank_; ++dimension) {
      const int64_t value = given[static_cast<size_t>(dimension)];
      if (value < 1) {
        throw Error(Code::kOutOfRange, Str("node ", node.name, ": ", name, " must be positive, not ", value));
      }
      values[kSpace + 2 - rank_ + dimension - 1] = value;
    }
  }

  // T8: a window that lacks less than a stride of room fits nowhere, one that lacks more is refused.
  WindowAxis Place(int i, int64_t input) const {
    WindowAxis axis;
    axis.input = input;
    axis.window = ksizes_[i];
    axis.stride = strides_[i];
    axis.dilation = rates_[i];
    const int64_t extent = (axis.window - 1) * axis.dilation + 1;
    if (same_) {
      axis.output = input / axis.stride + (input % axis.stride != 0 ? 1 : 0);
      axis.before = std::max<int64_t>(0, (axis.output - 1) * axis.stride + extent - input) / 2;
      return axis;
    }
    Require(input - extent > -2 * axis.stride, "a window of ", extent, " does not fit into ", input, " positions");
    axis.output = (input - extent + axis.stride) / axis.stride;
    return axis;
  }

  // The patches of one row of places.
  void FillLine(const Places& places, int64_t line, const char* from, char* to) const {
    const WindowAxis &planes = places.axis[0], &rows = places.axis[1], &columns = places.axis[2];
    const int64_t row = line % rows.output, plane = line / rows.output % planes.output;
    const int64_t image = line / rows.output / planes.output;
    const int64_t pixel = places.depth * size_, run = columns.window * pixel;
    for (int64_t column = 0; column < columns.output; ++column) {
      for (int64_t p = 0; p < planes.window; ++p) {
        for (int64_t r = 0; r < rows.window; ++r, to += run) {
          const int64_t z = planes.Start(plane) + p * planes.dilation, y = rows.Start(row) + r * rows.dilation;
          if (z < 0 || z >= planes.input || y < 0 || y >= rows.input) {
            std::memset(to, 0, static_cast<size_t>(run));
          } else {
            FillRun(columns, column, pixel,
                    from + ((image * planes.input + z) * rows.input + y) * columns.input * pixel, to);
          }
        }
      }
    }
  }

  // One row of one patch from a row of an image.
  static void FillRun(const WindowAxis& columns, int64_t column, int64_t pixel, const char* row, char* to) {
    const int64_t last = columns.Last(column), first = columns.First(column);
    if (first >= last) {
      std::memset(to, 0, static_cast<size_t>(columns.window * pixel));
      return;
    }
    std::memset(to, 0, static_cast<size_t>(first * pixel));
    const char* const start = row + (columns.Start(column) + first * columns.dilation) * pixel;
    if (columns.dilation == 1) {
      std::memcpy(to + first * pixel, start, static_cast<size_t>((last - first) * pixel));
    } else {
      for (int64_t k = first; k < last; ++k) {
        std::memcpy(to + k * pixel, start + (k - first) * columns.dilation * pixel, static_cast<size_t>(pixel));
      }
    }
    std::memset(to + last * pixel, 0, static_cast<size_t>((columns.window - last) * pixel));
  }

  const int rank_;
  const bool same_;
  int64_t size_ = 0;
  int64_t ksizes_[kSpace] = {1, 1, 1}, strides_[kSpace] = {1, 1, 1}, rates_[kSpace] = {1, 1, 1};
};

constexpr KernelRow kRows[] = {
    {"ExtractImagePatches", MakeWith<Patches, 4>},
    {"ExtractVolumePatches", MakeWith<Patches, 5>},
};

}  // namespace

std::span<const KernelRow> ArrayPatches() { return kRows; }

}  // namespace plumb::fast::cpu
