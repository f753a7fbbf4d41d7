#include "spec/checkpoint/slice_file.h"

#include <algorithm>
#include <climits>

#include "spec/checkpoint/bundle_index.h"
#include "spec/checkpoint/messages.h"
#include "spec/checkpoint/slice_set.h"
#include "spec/checkpoint/slice_values.h"
#include "spec/checkpoint/table_builder.h"
#include "spec/files/file_pattern.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {
namespace {

constexpr int kSliceFileVersion = 1;

pb::SavedTensorSlices Parse(const std::string& path, std::string_view bytes) {
  pb::SavedTensorSlices message;
  if (!checkpoint::Parse(bytes, &message)) {
    throw DataLoss("'", path, "' is no checkpoint: an entry is broken");
  }
  return message;
}

}  // namespace

SliceFileReader::SliceFileReader(const FileSystem& files, const std::string& pattern) : pattern_(pattern) {
  const std::vector<std::string> paths = Matching(files, pattern);
  if (paths.empty()) throw NotFound("there is no checkpoint '", pattern, "', nor an index of one beside");
  for (const std::string& path : paths) {
    if (files.IsFolder(path)) throw DataLoss("'", path, "' is a folder and no checkpoint");
    tables_.emplace_back(files.Open(path));
    const auto bytes = tables_.back().Find("");
    if (!bytes) throw Internal("'", path, "' is no checkpoint: it does not say what is in it");
    const pb::SavedTensorSlices message = Parse(path, *bytes);
    checkpoint::CheckVersion(path, message.meta().versions());
    AddMeta(message.meta(), tables_.size() - 1);
  }
}

void SliceFileReader::AddMeta(const pb::SavedTensorSliceMeta& meta, size_t file) {
  for (const pb::SavedSliceMeta& from : meta.tensor()) {
    const DType dtype = DType(from.type());
    if (!IsValid(dtype) || IsRef(dtype)) throw DataLoss("'", from.name(), "' has no type in '", pattern_, "'");
    const Shape shape = checkpoint::StoredShape(from.shape(), from.name());
    const auto [at, is_new] = tensors_.try_emplace(from.name(), SlicedTensor{from.name(), dtype, shape, {}, {}});
    SlicedTensor& tensor = at->second;
    if (tensor.dtype != dtype || !(tensor.shape == shape)) {
      throw Internal("the files '", pattern_, "' say different types or shapes of '", from.name(), "'");
    }
    const size_t first_new = tensor.slices.size();
    for (const auto& slice : from.slice()) {
      tensor.slices.push_back(FromProto(slice));
      tensor.files.push_back(file);
    }
    checkpoint::CheckApart(tensor.slices, shape, from.name(), first_new);
  }
}

const SlicedTensor& SliceFileReader::Find(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw NotFound("the tensor '", name, "' is not in the checkpoint '", pattern_, "'");
  return found->second;
}

Tensor SliceFileReader::Read(const SlicedTensor& tensor, size_t i) {
  checkpoint::TableReader& table = tables_[tensor.files[i]];
  const TensorSlice& slice = tensor.slices[i];
  const auto bytes = table.Find(SliceKey(tensor.name, slice));
  if (!bytes) throw DataLoss("'", table.path(), "' lacks the part ", slice.ToString(), " of '", tensor.name, "'");
  return checkpoint::TakeValues(Parse(table.path(), *bytes).data().data(), tensor.dtype,
                                ShapeOfSlice(slice, tensor.shape));
}

SliceFileWriter::SliceFileWriter(const FileSystem& files, const std::string& path)
    : file_(files.Replace(path)), meta_(std::make_unique<pb::SavedTensorSliceMeta>()) {
  meta_->mutable_versions()->set_producer(kSliceFileVersion);
}
SliceFileWriter::~SliceFileWriter() = default;

void SliceFileWriter::Add(const std::string& name, const Shape& shape, const TensorSlice& slice, const Tensor& tensor) {
  pb::SavedTensorSlices entry;
  checkpoint::PutValues(tensor, entry.mutable_data()->mutable_data());
  pb::SavedSliceMeta whole;
  whole.set_name(name);
  whole.set_type(static_cast<pb::DataType>(tensor.dtype()));
  ToProto(PartialShape(shape), whole.mutable_shape());
  const auto [at, is_new] = index_of_.try_emplace(name, meta_->tensor_size());
  if (is_new) *meta_->add_tensor() = whole;
  pb::SavedSliceMeta& there = *meta_->mutable_tensor(at->second);
  if (there.type() != whole.type() || there.shape().SerializeAsString() != whole.shape().SerializeAsString()) {
    throw Internal("the parts of '", name, "' have different types, or belong to different shapes");
  }
  ToProto(slice, there.add_slice());
  entry.mutable_data()->set_name(name);
  ToProto(slice, entry.mutable_data()->mutable_slice());
  Require(entry.ByteSizeLong() <= INT_MAX, "'", name, "' has more than the 2 GiB that a part of a checkpoint of the ",
          "first format may have: save it in slices");
  data_.try_emplace(SliceKey(name, slice), entry.SerializeAsString());
}

void SliceFileWriter::Finish() {
  checkpoint::TableBuilder table(file_.get());
  pb::SavedTensorSlices first;
  *first.mutable_meta() = *meta_;
  table.Add("", first.SerializeAsString());
  for (const auto& [key, bytes] : data_) table.Add(key, bytes);
  table.Finish();
  file_->Commit();
}

}  // namespace plumb
