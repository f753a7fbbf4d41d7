// SerializeSparse, SerializeManySparse, DeserializeSparse, DeserializeManySparse.
#include "fastpath/cpu/lib/sparse_tensor.h"
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
    CheckOrder(view.rows, view.dims);
    Tensor& serialized = context.AllocateOutput(0, type_, Shape({shape[0], 3}));
    Tensor inner(DType::kInt64, Shape({shape.rank() - 1}));
    std::copy(view.dims.size + 1, view.dims.size + view.dims.rank, inner.mutable_data<int64_t>().data());
    int64_t begin = 0;
    for (int64_t row = 0; row < shape[0]; ++row) {
      int64_t end = begin;
      while (end < view.rows.count && view.rows[end][0] == row) ++end;
      Tensor indices(DType::kInt64, Shape({end - begin, shape.rank() - 1}));
      int64_t* at = indices.mutable_data<int64_t>().data();
      for (int64_t i = begin; i < end; ++i) at = std::copy(view.rows[i] + 1, view.rows[i] + shape.rank(), at);
      Tensor values(view.values->dtype(), Shape({end - begin}));
      CopyRun(values.dtype(), view.values->raw(), begin, values.mutable_raw(), 0, end - begin);
      Put(serialized, 3 * row, std::move(indices));
      Put(serialized, 3 * row + 1, std::move(values));
      Put(serialized, 3 * row + 2, inner);
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
      Part part = Read(serialized, 0);
      SetDims(context, 2, part.dims);
      context.SetOutput(0, std::move(part.indices));
      return context.SetOutput(1, std::move(part.values));
    }
    std::vector<Part> parts;
    for (int64_t i = 0; i < count; ++i) {
      parts.push_back(Read(serialized, i));
      Require(parts[0].dims.rank == parts.back().dims.rank, "tensor ", i, " has another rank than those before it");
    }
    Stack(context, serialized.shape(), parts);
  }

 private:
  struct Part {
    Tensor indices, values;
    Dims dims;
  };

  Part Read(const Tensor& serialized, int64_t i) const {
    Part part{Take(serialized, 3 * i), Take(serialized, 3 * i + 1), {}};
    const Tensor shape = Take(serialized, 3 * i + 2);
    Require(part.indices.dtype() == DType::kInt64 && shape.dtype() == DType::kInt64, "tensor ", i,
            " has indices or a shape that are not int64");
    Require(part.values.dtype() == type_, "tensor ", i, " has values of type ", DTypeName(part.values.dtype()),
            ", not ", DTypeName(type_));
    const IndexRows rows = IndexRowsOf(part.indices);
    part.dims = DimsOf(shape);
    Require(part.values.rank() == 1 && part.values.dim(0) == rows.count && part.dims.rank == rows.rank, "tensor ", i,
            " has indices of shape ", part.indices.shape().ToString(), ", values of shape ",
            part.values.shape().ToString(), " and ", part.dims.rank, " sizes");
    return part;
  }

  // One tensor, with the dimensions of `shape` but the last before those of the parts.
  void Stack(KernelContext& context, const Shape& shape, const std::vector<Part>& parts) const {
    Dims outer(shape);
    --outer.rank;
    Dims dims = outer;
    for (int axis = 0; axis < parts[0].dims.rank; ++axis) dims.Append(0);
    int64_t count = 0;
    for (const Part& part : parts) {
      const Shape checked = part.dims.ToShape();
      for (int axis = 0; axis < checked.rank(); ++axis) {
        dims[outer.rank + axis] = std::max(dims[outer.rank + axis], checked[axis]);
      }
      count += part.values.dim(0);
    }
    const Shape checked = dims.ToShape();
    int64_t* at = AllocateRows(context, 0, count, checked.rank());
    Tensor& values = context.AllocateOutput(1, type_, Shape({count}));
    int64_t to = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      const IndexRows rows = IndexRowsOf(parts[i].indices);
      CopyRun(type_, parts[i].values.raw(), 0, values.mutable_raw(), to, rows.count);
      to += rows.count;
      for (int64_t j = 0; j < rows.count; ++j) {
        SetCoordinates(outer, static_cast<int64_t>(i), at);
        at = std::copy(rows[j], rows[j] + rows.rank, at + outer.rank);
      }
    }
    SetDims(context, 2, dims);
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
