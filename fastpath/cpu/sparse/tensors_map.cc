// Sparse tensors that a session keeps (S12).
#include "spec/ops/sparse/tensors_map.h"

#include "fastpath/cpu/lib/sparse_rows.h"
#include "fastpath/cpu/lib/state/sparse_tensors.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {
namespace {

// Without a shared name the map has that of the node.
class MapKernel : public Kernel {
 public:
  explicit MapKernel(const Node& node) : name_(ResourceNameOf(node, node.name)) {}

 protected:
  std::shared_ptr<SparseTensors> Map(KernelContext& context) const {
    return context.resources().FindOrCreate<SparseTensors>(name_);
  }
  // Its dimensions, of which there are `least` at least, make a shape.
  SparseView Input(const KernelContext& context, int least) const {
    const SparseView view = SparseInput(context, 0);
    Require(view.rows.rank >= least, "a sparse tensor of rank ", view.rows.rank,
            " cannot be kept: the rank must be at least ", least);
    view.dims.ToShape();
    return view;
  }
  static Tensor Vector(const Dims& dims) {
    return MakeTensor<int64_t>({dims.rank}, std::span<const int64_t>(dims.size, static_cast<size_t>(dims.rank)));
  }

 private:
  const ResourceName name_;
};

class AddKernel final : public MapKernel {
 public:
  using MapKernel::MapKernel;
  void Run(KernelContext& context) override {
    const SparseView view = Input(context, 0);
    const int64_t handle =
        Map(context)->Keep({Unaliased(context.input(0)), Unaliased(context.input(1)), Vector(view.dims)});
    context.AllocateOutput(0, DType::kInt64, Shape()).mutable_data<int64_t>()[0] = handle;
  }
};

class AddManyKernel final : public MapKernel {
 public:
  using MapKernel::MapKernel;
  void Run(KernelContext& context) override {
    const SparseView view = Input(context, 2);
    const int64_t count = view.dims[0];
    CheckRowCount(count);
    CheckOrder(view.rows, view.dims);
    const auto map = Map(context);
    const auto handles = context.AllocateOutput(0, DType::kInt64, Shape({count})).mutable_data<int64_t>();
    std::fill(handles.begin(), handles.end(), -1);
    for (int64_t begin = 0, end = 0; begin < view.rows.count; begin = end) {
      const int64_t row = view.rows[begin][0];
      while (end < view.rows.count && view.rows[end][0] == row) ++end;
      handles[static_cast<size_t>(row)] = Keep(*map, RowOf(view, begin, end));
    }
    for (int64_t& handle : handles) {
      if (handle < 0) handle = Keep(*map, RowOf(view, 0, 0));
    }
  }

 private:
  static int64_t Keep(SparseTensors& map, SparsePart row) {
    return map.Keep({std::move(row.indices), std::move(row.values), Vector(row.dims)});
  }
};

class TakeManyKernel final : public MapKernel {
 public:
  explicit TakeManyKernel(const Node& node) : MapKernel(node), type_(GetAttr<DType>(node.attrs, "dtype")) {}
  void Run(KernelContext& context) override {
    const Tensor& handles = context.input(0);
    Require(handles.rank() == 1 && handles.elements() > 0,
            "there must be a vector of one handle at least, not the shape ", handles.shape().ToString());
    const auto map = Map(context);
    std::vector<SparsePart> parts;
    for (const int64_t handle : handles.data<int64_t>()) {
      auto taken = map->Take(handle);
      Require(taken.has_value(), "the map has no sparse tensor ", handle);
      const Dims dims = DimsOf(taken->shape);
      parts.push_back({std::move(taken->indices), std::move(taken->values), dims});
    }
    for (size_t i = 0; i < parts.size(); ++i) CheckPart(parts[i], type_, i);
    OutputRows(context, Dims(handles.shape()), type_, parts);
  }

 private:
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"AddSparseToTensorsMap", Make<AddKernel>},
    {"AddManySparseToTensorsMap", Make<AddManyKernel>},
    {"TakeManySparseFromTensorsMap", Make<TakeManyKernel>},
};

}  // namespace

std::span<const KernelRow> SparseTensorsMap() { return kRows; }

}  // namespace plumb::fast::cpu
