#include <future>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/bundle_data.h"
#include "spec/checkpoint/bundle_index.h"
#include "spec/files/open_files.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {

BundleWriter::BundleWriter(const FileSystem& files, const std::string& prefix) : files_(files), prefix_(prefix) {
  files.MakeFolder(FolderOf(prefix));
  data_ = files.Replace(BundleDataPath(prefix, 0, 1));
}
BundleWriter::~BundleWriter() = default;

void BundleWriter::Add(const std::string& name, const Tensor& tensor) {
  Require(!name.empty(), "a tensor in a checkpoint needs a name");
  Require(!entries_.contains(name), "the checkpoint has two tensors of the name '", name, "'");
  const checkpoint::WrittenData written = checkpoint::WriteData(tensor, data_.get());
  pb::BundleEntryProto& entry = entries_[name];
  entry.set_dtype(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(tensor.shape()), entry.mutable_shape());
  entry.set_offset(size_);
  entry.set_size(written.size);
  entry.set_crc32c(written.checksum);
  size_ += written.size;
}

void BundleWriter::AddSlice(const std::string& name, const Shape& shape, const TensorSlice& slice,
                            const Tensor& tensor) {
  if (slice.IsWhole() || ShapeOfSlice(slice, shape) == shape) return Add(name, tensor);
  Require(!name.empty(), "a tensor in a checkpoint needs a name");
  const std::string key = SliceKey(name, slice);
  Require(!entries_.contains(key), "the checkpoint has the part ", slice.ToString(), " of '", name, "' twice");
  pb::BundleEntryProto whole;
  whole.set_dtype(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(shape), whole.mutable_shape());
  const auto [entry, is_new] = entries_.try_emplace(name, whole);
  const bool fits = entry->second.dtype() == whole.dtype() &&
                    entry->second.shape().SerializeAsString() == whole.shape().SerializeAsString();
  Require(is_new || entry->second.slices_size() > 0, "the checkpoint has '", name, "' as a whole already");
  Require(fits, "the parts of '", name, "' have different types, or belong to different shapes");
  Add(key, tensor);
  ToProto(slice, entry->second.add_slices());
}

// One wait for the disk: that for the index goes on beside that for the data.
void BundleWriter::Finish() {
  std::future<void> data_settles = std::async(std::launch::async, [this] { Settle(data_.get()); });
  pb::BundleHeaderProto header;
  header.set_num_shards(1);
  header.mutable_version()->set_producer(checkpoint::kBundleVersion);
  const auto index = checkpoint::WriteBundleIndex(files_, prefix_, header, entries_);
  Settle(index.get());
  data_settles.get();
  data_->Commit();
  index->Commit();
}

}  // namespace plumb
