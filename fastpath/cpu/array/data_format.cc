// DataFormatDimMap and DataFormatVecPermute: dimensions in the order of another data format.
#include "fastpath/formulas/array/data_format.h"

#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class DataFormatDimMap final : public Kernel {
 public:
  explicit DataFormatDimMap(const Node& node) : type_(OutputType(node, 0)), places_(DataFormats(node).Places()) {}
  void Run(KernelContext& context) override {
    if (type_ == DType::kInt32) {
      Map<int32_t, uint32_t>(context);
    } else {
      Map<int64_t, uint64_t>(context);
    }
  }

 private:
  // What stays outside of the dimensions counts as the last one.
  template <class T, class Unsigned>
  void Map(KernelContext& context) const {
    const Shape shape = context.input(0).shape();
    const T* const from = static_cast<const T*>(context.input(0).raw());
    T* const to = static_cast<T*>(context.ForwardOrAllocate(0, 0, type_, shape).mutable_raw());
    const auto rank = static_cast<T>(places_.size());
    context.pool().ParallelFor(shape.elements(), GrainFor(8), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T dim = static_cast<T>(static_cast<Unsigned>(from[i]) + static_cast<Unsigned>(rank)) % rank;
        to[i] = static_cast<T>(places_[static_cast<size_t>(dim < 0 ? rank - 1 : dim)]);
      }
    });
  }

  DType type_;
  std::vector<int64_t> places_;
};

class DataFormatVecPermute final : public Kernel {
 public:
  explicit DataFormatVecPermute(const Node& node) : type_(OutputType(node, 0)), formats_(node) {}
  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    const std::vector<int64_t> places = formats_.PlacesOfRows(x.shape());
    Tensor& output = context.AllocateOutput(0, type_, x.shape());
    const int64_t width = x.rank() == 2 ? 2 : 1;
    for (size_t i = 0; i < places.size(); ++i) {
      CopyRun(type_, x.raw(), static_cast<int64_t>(i) * width, output.mutable_raw(), places[i] * width, width);
    }
  }

 private:
  DType type_;
  DataFormats formats_;
};

constexpr KernelRow kRows[] = {
    {"DataFormatDimMap", Make<DataFormatDimMap>},
    {"DataFormatVecPermute", Make<DataFormatVecPermute>},
};

}  // namespace

std::span<const KernelRow> ArrayDataFormat() { return kRows; }

}  // namespace plumb::fast::cpu
