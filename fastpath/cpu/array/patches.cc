// ExtractImagePatches and ExtractVolumePatches: what a window shows at each place as it slides over images.
#include <cstring>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/image/windows.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/array/patch_rule.h"

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
  Patches(const Node& node, int rank)
      : rule_(node, rank), size_(static_cast<int64_t>(ElementSize(InputType(node, 0)))) {}

  void Run(KernelContext& context) override {
    const Tensor& images = context.input(0);
    const PatchPlaces found = rule_.PlacesIn(images.shape());
    Places places{{}, found.batch, found.depth};
    for (int i = 0; i < kSpace; ++i) {
      const PatchAxis& axis = found.axes[i];
      places.axis[i] = {.input = axis.input,
                        .window = axis.window,
                        .stride = axis.stride,
                        .dilation = axis.rate,
                        .before = axis.before,
                        .output = axis.output};
    }
    Tensor& output = context.AllocateOutput(0, images.dtype(), found.shape);
    if (output.elements() == 0) return;
    const char* const from = static_cast<const char*>(images.raw());
    char* const to = static_cast<char*>(output.mutable_raw());
    const WindowAxis &planes = places.axis[0], &rows = places.axis[1];
    const int64_t line = found.shape.elements() / (places.batch * planes.output * rows.output) * size_;
    context.pool().ParallelFor(places.batch * planes.output * rows.output, GrainFor(line / 16 + 16),
                               [&](int64_t begin, int64_t end) {
                                 for (int64_t i = begin; i < end; ++i) FillLine(places, i, from, to + i * line);
                               });
  }

 private:
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

  const PatchRule rule_;
  const int64_t size_;
};

constexpr KernelRow kRows[] = {
    {"ExtractImagePatches", MakeWith<Patches, 4>},
    {"ExtractVolumePatches", MakeWith<Patches, 5>},
};

}  // namespace

std::span<const KernelRow> ArrayPatches() { return kRows; }

}  // namespace plumb::fast::cpu
