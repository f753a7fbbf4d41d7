// NumPy's array files (.npy, versions 1 to 3): what command lines feed and fetch.
//   \x93NUMPY <major> <minor>, the header's length (2 bytes in version 1, else 4, little-endian), the header: a Python
//   dict {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, then the elements.
#pragma once

#include <string>
#include <string_view>

#include "spec/core/tensor.h"

namespace plumb {

// Booleans, integers, floats and complex numbers of either byte order, in C's order or Fortran's; byte strings ('S')
// and texts ('U', read as UTF-8) become strings without the zeros that fill them up, and so do the records that
// NpyBytes writes, with theirs. Throws kInvalidArgument for what is no such array, kUnimplemented for other kinds of
// elements (objects, dates, records), kDataLoss where the file ends early; `name` stands for the file in messages.
Tensor ParseNpy(std::string_view bytes, std::string_view name);
Tensor ReadNpy(const std::string& path);

// The bytes of version 1, or 2 where the header is long: little-endian, in C's order. NumPy has no bfloat16, which
// becomes float32, and no quantised types, which become the integers that store them. Strings become byte strings of
// equal length, or, where one ends in a zero byte, which NumPy would not give back, records of 'length' and 'bytes' (a
// void that keeps its zeros): in Python, row['bytes'].tobytes()[:row['length']].
std::string NpyBytes(const Tensor& tensor);
void WriteNpy(const std::string& path, const Tensor& tensor);

}  // namespace plumb
