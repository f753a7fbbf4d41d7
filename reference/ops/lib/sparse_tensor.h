// A sparse tensor in three inputs: indices [n, rank], values [n], shape [rank].
#pragma once

#include <span>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// Rows of coordinates.
struct Coordinates {
  int64_t count = 0;
  int rank = 0;
  std::vector<int64_t> at;

  int64_t operator()(int64_t i, int axis) const { return at[static_cast<size_t>(i * rank + axis)]; }
  std::span<const int64_t> row(int64_t i) const {
    return std::span(at).subspan(static_cast<size_t>(i * rank), static_cast<size_t>(rank));
  }
  void Append(std::span<const int64_t> coordinates) {
    at.insert(at.end(), coordinates.begin(), coordinates.end());
    ++count;
  }
};

// kInvalidArgument unless `indices` is a matrix.
Coordinates CoordinatesOf(const Tensor& indices);
Tensor TensorOf(const Coordinates& coordinates);
// A vector of int64.
Tensor VectorOf(std::span<const int64_t> numbers);

// Whether a row of coordinates lies within a shape of as many dimensions.
bool Contains(std::span<const int64_t> shape, std::span<const int64_t> coordinates);
// The place of an element in row-major order. The shape need not contain it.
int64_t PlaceOf(std::span<const int64_t> shape, std::span<const int64_t> coordinates);
// The coordinates of a place within a shape that has it.
std::vector<int64_t> CoordinatesAt(std::span<const int64_t> shape, int64_t place);

struct SparseTensor {
  Coordinates at;
  Value values;
  std::vector<int64_t> shape;

  Shape dense_shape() const { return Shape(shape); }
  // kInvalidArgument where coordinates are outside of the shape.
  void CheckBounds() const;
  // kInvalidArgument unless the coordinates lie within the shape and each row comes after the one before it.
  void CheckOrder() const;
};

// Inputs first, first + 1 and first + 2; kInvalidArgument where their shapes do not fit each other. Neither the
// coordinates nor the sizes are looked at.
SparseTensor SparseInput(const OpContext& c, int first);

// Outputs first, first + 1 and first + 2.
void SparseOutput(OpContext& c, int first, const Coordinates& at, Value values, std::span<const int64_t> shape);

}  // namespace plumb::reference
