// Values that are known before anything runs: arithmetic on shapes, followed while a graph is built or checked. A row
// names the function of its op (column `fold`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spec/ops/op_def.h"

namespace plumb {

// A node whose outputs may be known. Functions called by FromValues see small int32 or int64 tensors only.
class Folding {
 public:
  Folding(const ShapeContext& context, DType dtype) : context_(context), dtype_(dtype) {}

  int num_inputs() const { return context_.num_inputs(); }
  const PartialShape& shape(int i) const { return context_.input(i); }
  const Tensor& input(int i) const { return *context_.constant(i); }
  std::vector<int64_t> values(int i) const { return ToInt64s(input(i)); }
  DType dtype() const { return dtype_; }  // of the output
  template <class T>
  const T& attr(std::string_view name) const {
    return context_.attr<T>(name);
  }

 private:
  const ShapeContext& context_;
  DType dtype_;
};

constexpr int64_t kMaxKnownElements = 1024;

// The output as a tensor of its type. Nothing where a value does not fit: the run will wrap around, which no shape
// does.
std::optional<Tensor> KnownTensor(const Folding& f, const Shape& shape, const std::vector<int64_t>& values);
std::optional<Tensor> KnownVector(const Folding& f, const std::vector<int64_t>& values);
std::optional<Tensor> KnownScalar(const Folding& f, int64_t value);

// One element of an output from a pair of inputs; nothing on overflow or division by zero.
using FoldPair = std::optional<int64_t> (*)(int64_t a, int64_t b);
// Two scalars or vectors, of which one may have a single element, element by element.
std::optional<Tensor> FoldPairs(const Folding& f, FoldPair fold);

// The outputs of a node of these output types that follow from what is known of its inputs: unset tensors for those
// that do not, nothing at all when none does.
std::vector<Tensor> FoldKnownValues(const ShapeContext& context, std::span<const DType> output_types);

}  // namespace plumb
