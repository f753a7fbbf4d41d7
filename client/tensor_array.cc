#include "client/tensor_array.h"

namespace plumb {
namespace {

Output Number(GraphBuilder& builder, int32_t value) { return {&builder, builder.Constant(MakeScalar<int32_t>(value))}; }

// The shape of `count` elements stacked.
PartialShape WithFirstDimension(int64_t count, const PartialShape& element) {
  if (!element.has_rank()) return element;
  std::vector<int64_t> dims = element.dims();
  dims.insert(dims.begin(), count);
  return PartialShape(dims);
}

PartialShape WithoutFirstDimension(const PartialShape& shape) {
  if (!shape.has_rank() || shape.rank() == 0) return PartialShape::Unknown();
  return PartialShape(std::vector<int64_t>(shape.dims().begin() + 1, shape.dims().end()));
}

}  // namespace

TensorArray::TensorArray(Scope& scope, DType dtype, Output size, const Options& options)
    : builder_(&scope.builder()), dtype_(dtype), element_shape_(std::make_shared<PartialShape>(options.element_shape)) {
  const Output array = scope.Call("TensorArrayV3", {size},
                                  {{"dtype", dtype},
                                   {"element_shape", options.element_shape},
                                   {"identical_element_shapes", options.identical_element_shapes},
                                   {"dynamic_size", options.dynamic_size},
                                   {"clear_after_read", options.clear_after_read}},
                                  options.name);
  handle_ = array;
  flow_ = {builder_, {array.node(), 1}};
}

TensorArray TensorArray::WithFlow(Output flow) const {
  TensorArray later = *this;
  later.flow_ = flow;
  return later;
}

Output TensorArray::Call(const char* op, const std::vector<Endpoint>& inputs, AttrMap attrs) const {
  return {builder_, builder_->Call(op, inputs, std::move(attrs))};
}

void TensorArray::MergeElementShape(const PartialShape& shape) const {
  *element_shape_ = element_shape_->MergeWith(shape);
}

Output TensorArray::Read(Output index) const {
  const Output value = Call("TensorArrayReadV3", {handle_, index, flow_}, {{"dtype", dtype_}});
  builder_->set_shape(value, *element_shape_);
  return value;
}

TensorArray TensorArray::Write(Output index, Output value) const {
  MergeElementShape(value.shape());
  return WithFlow(Call("TensorArrayWriteV3", {handle_, index, value, flow_}));
}

Output TensorArray::AllIndices() const { return Call("Range", {Number(*builder_, 0), Size(), Number(*builder_, 1)}); }

Output TensorArray::Stack() const { return Gather(AllIndices()); }

Output TensorArray::Gather(Output indices) const {
  const Output values =
      Call("TensorArrayGatherV3", {handle_, indices, flow_}, {{"dtype", dtype_}, {"element_shape", *element_shape_}});
  const int64_t count = indices.shape().rank() == 1 ? indices.shape().dim(0) : -1;
  builder_->set_shape(values, WithFirstDimension(count, *element_shape_));
  return values;
}

TensorArray TensorArray::Unstack(Output value) const {
  const Output indices = Call("Range", {Number(*builder_, 0), FirstDimension(value), Number(*builder_, 1)});
  return Scatter(indices, value);
}

TensorArray TensorArray::Scatter(Output indices, Output value) const {
  MergeElementShape(WithoutFirstDimension(value.shape()));
  return WithFlow(Call("TensorArrayScatterV3", {handle_, indices, value, flow_}));
}

Output TensorArray::Concat() const {
  return Call("TensorArrayConcatV3", {handle_, flow_},
              {{"dtype", dtype_}, {"element_shape_except0", WithoutFirstDimension(*element_shape_)}});
}

TensorArray TensorArray::Split(Output value, Output lengths) const {
  return WithFlow(Call("TensorArraySplitV3", {handle_, value, lengths, flow_}));
}

Output TensorArray::Size() const { return Call("TensorArraySizeV3", {handle_, flow_}); }

Output FirstDimension(Output value) {
  GraphBuilder& builder = *value.builder;
  if (value.shape().rank() >= 1 && value.shape().dim(0) >= 0 && value.shape().dim(0) <= INT32_MAX) {
    return Number(builder, static_cast<int32_t>(value.shape().dim(0)));
  }
  const Endpoint zero = builder.Constant(MakeVector<int32_t>({0}));
  const Endpoint one = builder.Constant(MakeVector<int32_t>({1}));
  const Endpoint shape = builder.Call("Shape", {value});
  return {&builder, builder.Call("StridedSlice", {shape, zero, one, one}, {{"shrink_axis_mask", 1}})};
}

}  // namespace plumb
