// Checkpoints of the first format: tables of slices, one or more files by a pattern (rules Z51, Z52).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/slice.h"
#include "spec/checkpoint/table_reader.h"
#include "spec/core/tensor.h"
#include "spec/files/file_system.h"

namespace plumb {

namespace pb {
class SavedTensorSliceMeta;
}  // namespace pb

// Whether this format has the type.
bool IsSliceFileType(DType dtype);

// What the files say of a tensor: its parts, and the file in which each lies. They do not overlap.
struct SlicedTensor {
  std::string name;
  DType dtype = DType::kInvalid;
  Shape shape;
  std::vector<TensorSlice> slices;
  std::vector<size_t> files;
};

// Throws kNotFound where no file matches, kDataLoss for one that is broken, kInternal where files contradict each
// other.
class SliceFileReader {
 public:
  SliceFileReader(const FileSystem& files, const std::string& pattern);
  // By name.
  const std::map<std::string, SlicedTensor>& tensors() const { return tensors_; }
  // kNotFound where there is none.
  const SlicedTensor& Find(const std::string& name) const;
  // The elements of part `i`.
  Tensor Read(const SlicedTensor& tensor, size_t i);

 private:
  void AddMeta(const pb::SavedTensorSliceMeta& meta, size_t file);

  const std::string pattern_;
  std::vector<checkpoint::TableReader> tables_;
  std::map<std::string, SlicedTensor> tensors_;
};

// Stands in the place of what was there when Finish has ended.
class SliceFileWriter {
 public:
  SliceFileWriter(const FileSystem& files, const std::string& path);
  ~SliceFileWriter();
  // A part of a tensor of this shape. Throws kInternal where one of another type or shape has the name, as TensorFlow
  // does, and for a type that the format has not as checkpoint::PutValues does (slice_values.h).
  void Add(const std::string& name, const Shape& shape, const TensorSlice& slice, const Tensor& tensor);
  void Finish();

 private:
  std::unique_ptr<ReplacedFile> file_;
  std::unique_ptr<pb::SavedTensorSliceMeta> meta_;
  std::map<std::string, int> index_of_;
  std::map<std::string, std::string> data_;
};

}  // namespace plumb
