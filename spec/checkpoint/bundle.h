// Tensor bundles: checkpoints of an index and one or more files of data (rules Z30–Z39).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spec/checkpoint/slice.h"
#include "spec/checkpoint/table_reader.h"
#include "spec/core/tensor.h"
#include "spec/files/file_system.h"

namespace plumb {

namespace pb {
class BundleEntryProto;
}  // namespace pb

// "P.index" and "P.data-00000-of-00002".
std::string BundleIndexPath(std::string_view prefix);
std::string BundleDataPath(std::string_view prefix, int shard, int num_shards);

// Where memory for a tensor comes from.
using AllocateTensor = Tensor (*)(DType dtype, const Shape& shape);

// What the index says of a tensor, or of a part of one.
struct BundleEntry {
  std::string name;
  DType dtype = DType::kInvalid;
  Shape shape;
  std::vector<TensorSlice> slices;  // of a partitioned tensor: its parts, which have the data. They do not overlap.
  int shard = 0;
  int64_t offset = 0;
  int64_t size = 0;
  uint32_t checksum = 0;
};

// Throws kNotFound where there is no index, kDataLoss where it is broken, kUnimplemented where the data have the other
// byte order, kInvalidArgument where it says that it is not for readers like this one.
class BundleReader {
 public:
  BundleReader(const FileSystem& files, const std::string& prefix);

  // kNotFound where there is none, kDataLoss where the entry makes no sense, kInternal where parts overlap.
  BundleEntry Find(const std::string& name);
  BundleEntry FindSlice(const BundleEntry& whole, const TensorSlice& slice);
  // The data of an entry that has no parts. Any number of threads at once. kNotFound without the file, kOutOfRange
  // where it ends before, kDataLoss where the checksum or a length is wrong.
  Tensor Read(const BundleEntry& entry, AllocateTensor allocate) const;
  // The entries of all tensors by name; those of parts are left out.
  std::vector<BundleEntry> List();

 private:
  BundleEntry Parse(std::string_view name, std::string_view bytes) const;

  const FileSystem& files_;
  const std::string prefix_;
  checkpoint::TableReader index_;
  int num_shards_ = 0;
};

// Everything is written beside, and stands under its name when Finish has ended: first the data, then the index. What
// stood there before is whole until then. The folder is made where it is missing in one that is there.
class BundleWriter {
 public:
  BundleWriter(const FileSystem& files, const std::string& prefix);
  ~BundleWriter();
  // kInvalidArgument for a name that is there already, for none, and for a type that cannot be stored.
  void Add(const std::string& name, const Tensor& tensor);
  // A part of a tensor of this shape.
  void AddSlice(const std::string& name, const Shape& shape, const TensorSlice& slice, const Tensor& tensor);
  void Finish();

 private:
  const FileSystem& files_;
  const std::string prefix_;
  std::unique_ptr<ReplacedFile> data_;
  int64_t size_ = 0;
  std::map<std::string, pb::BundleEntryProto> entries_;
};

// Joins bundles into one: data files are renamed, the old indexes removed. Missing bundles are passed over where that
// is asked for, but one must be there. kInvalidArgument for a tensor that two of them hold.
void MergeBundles(const FileSystem& files, const std::vector<std::string>& prefixes, const std::string& merged,
                  bool allow_missing);

}  // namespace plumb
