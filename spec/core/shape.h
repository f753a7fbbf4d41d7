// Shapes: fully known (Shape, of a value) and partially known (PartialShape, of an edge before the run).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spec/core/status.h"

namespace plumb {

constexpr int kMaxRank = 254;  // rule 9.6

// The dimensions of a value, each >= 0. Up to six of them are stored inline, so that common shapes allocate nothing.
class Shape {
 public:
  Shape() = default;  // rank 0: a scalar
  Shape(std::initializer_list<int64_t> dims) : Shape(std::span<const int64_t>(dims.begin(), dims.size())) {}
  // Throws kInvalidArgument for a negative dimension, more than kMaxRank dimensions, or an element count beyond int64.
  explicit Shape(std::span<const int64_t> dims);
  Shape(const Shape& other) { *this = other; }
  Shape(Shape&&) noexcept = default;
  Shape& operator=(const Shape& other);
  Shape& operator=(Shape&&) noexcept = default;

  int rank() const { return rank_; }
  int64_t dim(int axis) const { return data()[axis]; }
  int64_t operator[](int axis) const { return data()[axis]; }
  std::span<const int64_t> dims() const { return {data(), static_cast<size_t>(rank_)}; }
  int64_t elements() const { return elements_; }

  std::vector<int64_t> ToVector() const { return {dims().begin(), dims().end()}; }
  // "[2,3]", "[]".
  std::string ToString() const;

  bool operator==(const Shape& other) const {
    if (rank_ != other.rank_ || elements_ != other.elements_) return false;
    for (int axis = 0; axis < rank_; ++axis) {
      if (data()[axis] != other.data()[axis]) return false;
    }
    return true;
  }

 private:
  static constexpr int kInline = 6;
  const int64_t* data() const { return rank_ <= kInline ? inline_ : heap_.get(); }

  int32_t rank_ = 0;
  int64_t elements_ = 1;
  int64_t inline_[kInline] = {};
  std::unique_ptr<int64_t[]> heap_;
};

// What is known of a shape before the run: nothing (unknown rank), or a dimension list in which -1 is unknown.
class PartialShape {
 public:
  PartialShape() = default;  // unknown rank
  PartialShape(std::initializer_list<int64_t> dims) : dims_(std::vector<int64_t>(dims)) {}
  explicit PartialShape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}
  PartialShape(const Shape& shape) : dims_(shape.ToVector()) {}  // NOLINT: every Shape is a PartialShape
  static PartialShape Unknown() { return PartialShape(); }
  static PartialShape OfRank(int rank) { return PartialShape(std::vector<int64_t>(rank, -1)); }

  bool has_rank() const { return dims_.has_value(); }
  int rank() const { return dims_ ? static_cast<int>(dims_->size()) : -1; }
  // -1 where unknown; also when the rank is unknown.
  int64_t dim(int axis) const { return dims_ ? (*dims_)[axis] : -1; }
  // The dimension list; throws when the rank is unknown.
  const std::vector<int64_t>& dims() const;
  bool IsFullyDefined() const;
  // Throws kInvalidArgument unless fully defined.
  Shape ToShape() const;

  // Whether some Shape is described by both.
  bool IsCompatibleWith(const PartialShape& other) const;
  // Everything known by either; throws kInvalidArgument when they contradict each other.
  PartialShape MergeWith(const PartialShape& other) const;

  // "[2,?]", "<unknown>".
  std::string ToString() const;
  bool operator==(const PartialShape&) const = default;

 private:
  std::optional<std::vector<int64_t>> dims_;
};

// a * b, or nullopt when the product of two non-negative numbers does not fit into int64.
std::optional<int64_t> CheckedMultiply(int64_t a, int64_t b);

}  // namespace plumb
