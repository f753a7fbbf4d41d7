#include "spec/core/shape.h"

#include <algorithm>

namespace plumb {

std::optional<int64_t> CheckedMultiply(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

namespace {
int64_t CountElements(std::span<const int64_t> dims) {
  bool empty = false;
  for (const int64_t dim : dims) {
    Require(dim >= 0, "a dimension must not be negative: ", dim);
    empty |= dim == 0;
  }
  if (empty) return 0;
  int64_t count = 1;
  for (const int64_t dim : dims) {
    const auto product = CheckedMultiply(count, dim);
    Require(product.has_value(), "a shape has more than 2^63 - 1 elements");
    count = *product;
  }
  return count;
}

std::string Print(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (axis > 0) text += ',';
    text += dims[axis] < 0 ? "?" : std::to_string(dims[axis]);
  }
  return text + "]";
}
}  // namespace

Shape::Shape(std::span<const int64_t> dims) {
  Require(dims.size() <= kMaxRank, "a shape has ", dims.size(), " dimensions; at most 254 are allowed");
  elements_ = CountElements(dims);
  rank_ = static_cast<int32_t>(dims.size());
  if (rank_ > kInline) heap_ = std::make_unique<int64_t[]>(rank_);
  std::copy(dims.begin(), dims.end(), rank_ > kInline ? heap_.get() : inline_);
}

Shape& Shape::operator=(const Shape& other) {
  if (this == &other) return *this;
  rank_ = other.rank_;
  elements_ = other.elements_;
  if (rank_ > kInline) {
    heap_ = std::make_unique<int64_t[]>(rank_);
    std::copy_n(other.heap_.get(), rank_, heap_.get());
  } else {
    std::copy_n(other.inline_, kInline, inline_);
  }
  return *this;
}

std::string Shape::ToString() const { return Print(dims()); }

const std::vector<int64_t>& PartialShape::dims() const {
  if (!dims_) throw Internal("the dimensions of a shape of unknown rank were asked for");
  return *dims_;
}

bool PartialShape::IsFullyDefined() const {
  return dims_ && std::none_of(dims_->begin(), dims_->end(), [](int64_t dim) { return dim < 0; });
}

Shape PartialShape::ToShape() const {
  Require(IsFullyDefined(), "the shape ", ToString(), " is not fully defined");
  return Shape(std::span<const int64_t>(*dims_));
}

bool PartialShape::IsCompatibleWith(const PartialShape& other) const {
  if (!dims_ || !other.dims_) return true;
  if (dims_->size() != other.dims_->size()) return false;
  for (size_t axis = 0; axis < dims_->size(); ++axis) {
    const int64_t a = (*dims_)[axis], b = (*other.dims_)[axis];
    if (a >= 0 && b >= 0 && a != b) return false;
  }
  return true;
}

PartialShape PartialShape::MergeWith(const PartialShape& other) const {
  if (!dims_) return other;
  if (!other.dims_) return *this;
  Require(IsCompatibleWith(other), "the shapes ", ToString(), " and ", other.ToString(), " contradict each other");
  std::vector<int64_t> merged = *dims_;
  for (size_t axis = 0; axis < merged.size(); ++axis) merged[axis] = std::max(merged[axis], (*other.dims_)[axis]);
  return PartialShape(std::move(merged));
}

std::string PartialShape::ToString() const { return dims_ ? Print(*dims_) : "<unknown>"; }

}  // namespace plumb
