// IDX files of unsigned bytes: the format of the MNIST digits, plain or gzip-compressed.
//   00 00 08 <rank>, one big-endian uint32 per dimension, then the elements, row-major.
#pragma once

#include <string>
#include <string_view>

#include "spec/core/tensor.h"

namespace plumb {

// A uint8 tensor of the given rank. Throws kInvalidArgument (bad magic number, size mismatch) or kDataLoss (the file
// ends early), naming the file and the offset of the mistake.
Tensor ReadIdx(const std::string& path, int rank);
// The same of bytes in memory; `name` stands for the file in messages.
Tensor ParseIdx(std::string_view bytes, int rank, std::string_view name);
// Writes a uint8 tensor; compressed when the path ends in ".gz".
void WriteIdx(const std::string& path, const Tensor& tensor);

// Images [n, rows, columns] with labels [n], all uint8.
struct LabelledImages {
  Tensor images;
  Tensor labels;
};
struct Mnist {
  LabelledImages train;
  LabelledImages test;
};

// The usual four files of a folder: train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and
// t10k-labels-idx1-ubyte, each with or without ".gz". Throws kNotFound naming the missing one, and kInvalidArgument
// when images and labels differ in number or a label is not a digit.
Mnist ReadMnist(const std::string& folder);
void WriteMnist(const std::string& folder, const Mnist& digits);

}  // namespace plumb
