#include <limits>
#include <numeric>

#include "fastpath/cpu/data_flow/tensor_array_kernels.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/parts.h"
#include "fastpath/cpu/lib/state/tensor_array.h"

namespace plumb::fast::cpu {
namespace {

// Elements that are reached under a guard (rule R33), as copies.
void CopyGuarded(std::vector<Tensor>& values) {
  for (Tensor& value : values) {
    if (value.is_alias() && value.buffer()->guard != nullptr) value = CopyOf(value);
  }
}

std::vector<int64_t> IndicesIn(const Tensor& indices) {
  Require(indices.rank() == 1, "indices must be a vector, not of shape ", Printed(indices.shape()));
  return ToInt64s(indices);
}

std::vector<int64_t> WithFront(int64_t front, std::span<const int64_t> dims) {
  std::vector<int64_t> all = {front};
  all.insert(all.end(), dims.begin(), dims.end());
  return all;
}

// Whatever the number of elements: a write of none is of the array's type, too (TA2).
std::shared_ptr<TensorArray> ArrayHolding(DType dtype, KernelContext& context, const std::string& node) {
  auto array = TensorArrayIn(context, node);
  Require(array->dtype() == dtype, "node ", node, " is for ", DTypeName(dtype), ", the TensorArray holds ",
          DTypeName(array->dtype()));
  return array;
}

class PackKernel : public Kernel {
 public:
  PackKernel(const Node& node, std::string_view shape_attr)
      : node_(node.name),
        dtype_(GetAttr<DType>(node.attrs, "dtype")),
        wanted_(GetAttrOr(node.attrs, shape_attr, PartialShape())) {}

 protected:
  std::shared_ptr<TensorArray> ArrayIn(KernelContext& context) const { return ArrayHolding(dtype_, context, node_); }
  // Packing nothing needs to know what nothing looks like.
  Shape ShapeOfNothing(const PartialShape& known) const {
    if (!known.IsFullyDefined()) {
      throw Unimplemented("a TensorArray without elements is packed, but the element shape ", Printed(known),
                          " is not fully known");
    }
    return known.ToShape();
  }

  const std::string node_;
  const DType dtype_;
  const PartialShape wanted_;
};

class GatherKernel : public PackKernel {
 public:
  explicit GatherKernel(const Node& node) : PackKernel(node, "element_shape") {}

  void Run(KernelContext& context) override {
    const auto array = ArrayIn(context);
    array->NarrowElementShape(wanted_);
    Stack(context, array->ReadMany(context.pool(), IndicesIn(context.input(1))));
  }

 protected:
  void Stack(KernelContext& context, std::vector<Tensor> values) const {
    CopyGuarded(values);
    const Shape element = values.empty() ? ShapeOfNothing(wanted_) : values[0].shape();
    Require(wanted_.IsCompatibleWith(element), "elements of shape ", Printed(element), " do not fit the element shape ",
            Printed(wanted_));
    for (const Tensor& value : values) {
      Require(value.shape() == element, "the TensorArray has inconsistent shapes: ", Printed(element), " and ",
              Printed(value.shape()));
    }
    Tensor& output =
        context.AllocateOutput(0, dtype_, Shape(WithFront(static_cast<int64_t>(values.size()), element.dims())));
    const int64_t size = element.elements();
    CopyParts(context.pool(), values.size(), output.elements(),
              [&](size_t i) { CopyPart(values[i], 0, output, static_cast<int64_t>(i) * size, size); });
  }
};

// All elements; of a gradient's array as many as its source was cut into.
class GatherAllKernel : public GatherKernel {
 public:
  using GatherKernel::GatherKernel;

  void Run(KernelContext& context) override {
    const auto array = ArrayIn(context);
    array->NarrowElementShape(wanted_);
    Stack(context, array->ReadAll(context.pool()));
  }
};

class ConcatKernel : public PackKernel {
 public:
  explicit ConcatKernel(const Node& node) : PackKernel(node, "element_shape_except0") {}

  void Run(KernelContext& context) override {
    const auto array = ArrayIn(context);
    std::vector<Tensor> values = array->ReadAll(context.pool());
    CopyGuarded(values);
    std::vector<int64_t> starts;
    const Shape shape = ConcatShape(values, starts);
    Tensor lengths(DType::kInt64, {static_cast<int64_t>(values.size())});  // on the host, for whatever device
    for (size_t i = 0; i < values.size(); ++i) lengths.mutable_data<int64_t>()[i] = values[i].dim(0);
    context.SetOutput(1, std::move(lengths));
    Tensor& output = context.AllocateOutput(0, dtype_, shape);
    CopyParts(context.pool(), values.size(), output.elements(),
              [&](size_t i) { CopyPart(values[i], 0, output, starts[i], values[i].elements()); });
  }

 private:
  Shape ConcatShape(const std::vector<Tensor>& values, std::vector<int64_t>& starts) const {
    if (values.empty()) return Shape(WithFront(0, ShapeOfNothing(wanted_).dims()));
    int64_t rows = 0, at = 0;
    std::vector<int64_t> dims;
    for (const Tensor& value : values) {
      Require(value.rank() >= 1, "scalars cannot be concatenated");
      std::vector<int64_t> rest(value.shape().dims().begin() + 1, value.shape().dims().end());
      if (starts.empty()) dims = rest;
      Require(rest == dims, "the TensorArray has inconsistent shapes: ", Printed(values[0].shape()), " and ",
              Printed(value.shape()));
      starts.push_back(at);
      Require(value.dim(0) <= std::numeric_limits<int64_t>::max() - rows, "the elements have too many rows together");
      rows += value.dim(0);
      at += value.elements();
    }
    Require(wanted_.IsCompatibleWith(Shape(dims)), "rows of shape ", Printed(Shape(dims)),
            " do not fit element_shape_except0 ", Printed(wanted_));
    return Shape(WithFront(rows, dims));
  }
};

class ScatterKernel : public Kernel {
 public:
  explicit ScatterKernel(const Node& node) : node_(node.name) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(2);
    const auto array = ArrayHolding(value.dtype(), context, node_);
    const std::vector<int64_t> indices = IndicesIn(context.input(1));
    Require(value.rank() >= 1, "a scalar cannot be scattered");
    Require(value.dim(0) == static_cast<int64_t>(indices.size()), indices.size(),
            " indices do not fit a value of shape ", Printed(value.shape()));
    const Shape row(value.shape().dims().subspan(1));
    int64_t room = 0;
    for (const int64_t index : indices) room = std::max(room, index + 1);
    array->RequireRoom(room);
    array->WriteMany(context.pool(), indices, CutParts(context.pool(), value, std::vector<Shape>(indices.size(), row)));
    context.SetOutput(0, context.input(3));
  }

 private:
  const std::string node_;
};

class UnpackKernel : public Kernel {
 public:
  explicit UnpackKernel(const Node& node) : node_(node.name) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(1);
    const auto array = ArrayHolding(value.dtype(), context, node_);
    Require(value.rank() >= 1, "a scalar cannot be unpacked");
    array->PrepareSplit(value.dim(0));
    std::vector<int64_t> indices(static_cast<size_t>(value.dim(0)));
    std::iota(indices.begin(), indices.end(), 0);
    const std::vector<Shape> rows(indices.size(), Shape(value.shape().dims().subspan(1)));
    array->WriteMany(context.pool(), indices, CutParts(context.pool(), value, rows));
    context.SetOutput(0, context.input(2));
  }

 private:
  const std::string node_;
};

class SplitKernel : public Kernel {
 public:
  explicit SplitKernel(const Node& node) : node_(node.name) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(1);
    const auto array = ArrayHolding(value.dtype(), context, node_);
    const std::vector<Shape> shapes = PartShapes(value.shape(), context.input(2));
    array->PrepareSplit(static_cast<int64_t>(shapes.size()));
    std::vector<int64_t> indices(shapes.size());
    std::iota(indices.begin(), indices.end(), 0);
    array->WriteMany(context.pool(), indices, CutParts(context.pool(), value, shapes));
    context.SetOutput(0, context.input(3));
  }

 private:
  std::vector<Shape> PartShapes(const Shape& value, const Tensor& lengths) const {
    Require(lengths.rank() == 1, "lengths must be a vector, not of shape ", Printed(lengths.shape()));
    Require(value.rank() >= 1, "a scalar cannot be split");
    std::vector<Shape> shapes;
    int64_t left = value[0];
    for (const int64_t length : lengths.data<int64_t>()) {
      Require(length >= 0 && length <= left, "lengths do not add up to ", value[0]);
      left -= length;
      shapes.emplace_back(WithFront(length, value.dims().subspan(1)));
    }
    Require(left == 0, "lengths do not add up to ", value[0]);
    return shapes;
  }

  const std::string node_;
};

}  // namespace

std::unique_ptr<Kernel> MakeTensorArrayGather(const Node& node) { return std::make_unique<GatherKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayScatter(const Node& node) { return std::make_unique<ScatterKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayConcat(const Node& node) { return std::make_unique<ConcatKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayPack(const Node& node) { return std::make_unique<GatherAllKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArrayUnpack(const Node& node) { return std::make_unique<UnpackKernel>(node); }
std::unique_ptr<Kernel> MakeTensorArraySplit(const Node& node) { return std::make_unique<SplitKernel>(node); }

}  // namespace plumb::fast::cpu
