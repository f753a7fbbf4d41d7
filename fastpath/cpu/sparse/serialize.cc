// SerializeSparse, SerializeManySparse, DeserializeSparse, DeserializeManySparse.
#include "fastpath/cpu/lib/sparse_rows.h"
#include "fastpath/device/kernel.h"
#include "spec/core/variant_tensor.h"
#include "spec/ops/sparse/tensor_content.h"

namespace plumb::fast::cpu {
namespace {

// Elements are bytes or variants.
void Put(Tensor& to, int64_t i, Tensor tensor) {
  const auto at = static_cast<size_t>(i);
  if (to.dtype() == DType::kString) {
    to.mutable_data<std::string>()[at] = SerializedContent(tensor);
  } else {
    to.mutable_data<Variant>()[at] = VariantOf(std::move(tensor));
  }
}
Tensor Take(const Tensor& from, int64_t i) {
  const auto at = static_cast<size_t>(i);
  if (from.dtype() == DType::kVariant) return TensorIn(from.data<Variant>()[at]);
  return ParsedContent(from.data<std::string>()[at]);
}

class Serialize final : public Kernel {
 public:
  explicit Serialize(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    Require(context.input(0).rank() == 2, "the indices must be a matrix, not of shape ",
            context.input(0).shape().ToString());
    Require(context.input(1).rank() == 1 && context.input(2).rank() == 1, "values of shape ",
            context.input(1).shape().ToString(), " and shape of shape ", context.input(2).shape().ToString(),
            " must be vectors");
    Tensor& serialized = context.AllocateOutput(0, type_, Shape({3}));
    for (int i = 0; i < 3; ++i) Put(serialized, i, Unaliased(context.input(i)));
  }

 private:
  const DType type_;
};

class SerializeMany final : public Kernel {
 public:
  explicit SerializeMany(const Node& node) : type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    const Shape shape = view.dims.ToShape();
    Require(shape.rank() > 1, "only tensors of rank 2 or more have rows, not of shape ", shape.ToString());
    Tensor& serialized = context.AllocateOutput(0, type_, Shape({shape[0], 3}));
    CheckOrder(view.rows, view.dims);
    int64_t begin = 0;
    for (int64_t row = 0; row < shape[0]; ++row) {
      int64_t end = begin;
      while (end < view.rows.count && view.rows[end][0] == row) ++end;
      SparsePart part = RowOf(view, begin, end);
      const std::span<const int64_t> inner(part.dims.size, static_cast<size_t>(part.dims.rank));
      Put(serialized, 3 * row, std::move(part.indices));
      Put(serialized, 3 * row + 1, std::move(part.values));
      Put(serialized, 3 * row + 2, MakeTensor<int64_t>({part.dims.rank}, inner));
      begin = end;
    }
  }

 private:
  const DType type_;
};

class Deserialize final : public Kernel {
 public:
  explicit Deserialize(const Node& node) : type_(OutputType(node, 1)) {}

  void Run(KernelContext& context) override {
    const Tensor& serialized = context.input(0);
    const int rank = serialized.rank();
    Require(rank > 0 && serialized.dim(rank - 1) == 3, "the last dimension must have size 3, but the shape is ",
            serialized.shape().ToString());
    const int64_t count = ElementsIn(serialized.shape(), 0, rank - 1);
    Require(count > 0, "there is no sparse tensor in the shape ", serialized.shape().ToString());
    if (rank == 1) {
      SparsePart part = Read(serialized, 0);
      SetDims(context, 2, part.dims);
      context.SetOutput(0, std::move(part.indices));
      return context.SetOutput(1, std::move(part.values));
    }
    std::vector<SparsePart> parts;
    for (int64_t i = 0; i < count; ++i) parts.push_back(Read(serialized, i));
    Dims outer(serialized.shape());
    --outer.rank;
    OutputRows(context, outer, type_, parts);
  }

 private:
  SparsePart Read(const Tensor& serialized, int64_t i) const {
    SparsePart part{Take(serialized, 3 * i), Take(serialized, 3 * i + 1), {}};
    const Tensor shape = Take(serialized, 3 * i + 2);
    Require(part.indices.dtype() == DType::kInt64 && shape.dtype() == DType::kInt64, "tensor ", i,
            " has indices or a shape that are not int64");
    part.dims = DimsOf(shape);
    CheckPart(part, type_, static_cast<size_t>(i));
    return part;
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SerializeSparse", Make<Serialize>},
    {"SerializeManySparse", Make<SerializeMany>},
    {"DeserializeSparse", Make<Deserialize>},
    {"DeserializeManySparse", Make<Deserialize>},
};

}  // namespace

std::span<const KernelRow> SparseSerialize() { return kRows; }

}  // namespace plumb::fast::cpu
