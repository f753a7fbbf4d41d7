// Inputs and outputs of LSTM kernels as float, whatever their type.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/half_convert.h"

namespace plumb::fast::cpu {

// Inputs [first, end).
class FloatInputs {
 public:
  FloatInputs(KernelContext& context, int first, int end) {
    for (int i = first; i < end; ++i) tensors_.push_back(AsFloat(context.pool(), context.input(i)));
  }
  const float* operator[](size_t i) const { return tensors_[i].data<float>().data(); }

 private:
  std::vector<Tensor> tensors_;
};

// All outputs of a kernel, zero at first.
class FloatOutputs {
 public:
  FloatOutputs(DType type, const std::vector<Shape>& shapes) : type_(type) {
    for (const Shape& shape : shapes) {
      tensors_.push_back(Allocate(DType::kFloat, shape));
      std::fill_n(tensors_.back().mutable_data<float>().data(), shape.elements(), 0.0f);
    }
  }
  float* operator[](size_t i) { return tensors_[i].mutable_data<float>().data(); }
  void Give(KernelContext& context) {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      context.SetOutput(static_cast<int>(i), RoundedTo(context.pool(), type_, std::move(tensors_[i])));
    }
  }

 private:
  const DType type_;
  std::vector<Tensor> tensors_;
};

}  // namespace plumb::fast::cpu
