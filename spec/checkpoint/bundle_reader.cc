#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/bundle_data.h"
#include "spec/checkpoint/bundle_index.h"
#include "spec/checkpoint/slice_set.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {

BundleReader::BundleReader(const FileSystem& files, const std::string& prefix)
    : files_(files), prefix_(prefix), index_(files.Open(BundleIndexPath(prefix))) {
  const auto bytes = index_.Find("");
  if (!bytes) throw DataLoss("'", index_.path(), "' has no header");
  const pb::BundleHeaderProto header = checkpoint::ParseBundleHeader(index_.path(), *bytes);
  if (header.endianness() != pb::BundleHeaderProto::LITTLE) {
    throw Unimplemented("the checkpoint '", prefix, "' was written by a machine of the other byte order");
  }
  checkpoint::CheckVersion(index_.path(), header.version());
  num_shards_ = header.num_shards();
}

BundleEntry BundleReader::Parse(std::string_view name, std::string_view bytes) const {
  const pb::BundleEntryProto from = checkpoint::ParseBundleEntry(index_.path(), name, bytes);
  BundleEntry entry;
  entry.name = name;
  entry.dtype = DType(from.dtype());
  const bool makes_sense = IsValid(entry.dtype) && !IsRef(entry.dtype) && from.shard_id() >= 0 &&
                           from.shard_id() < num_shards_ && from.offset() >= 0 && from.size() >= 0;
  if (!makes_sense) throw DataLoss("'", index_.path(), "' has an entry for '", name, "' that makes no sense");
  entry.shape = checkpoint::StoredShape(from.shape(), name);
  for (const auto& slice : from.slices()) entry.slices.push_back(FromProto(slice));
  checkpoint::CheckApart(entry.slices, entry.shape, name);
  entry.shard = from.shard_id();
  entry.offset = from.offset();
  entry.size = from.size();
  entry.checksum = from.crc32c();
  return entry;
}

BundleEntry BundleReader::Find(const std::string& name) {
  const auto bytes = name.empty() ? std::nullopt : index_.Find(name);
  if (!bytes) throw NotFound("the tensor '", name, "' is not in the checkpoint '", prefix_, "'");
  return Parse(name, *bytes);
}

BundleEntry BundleReader::FindSlice(const BundleEntry& whole, const TensorSlice& slice) {
  const auto bytes = index_.Find(SliceKey(whole.name, slice));
  if (!bytes) {
    throw NotFound("the part ", slice.ToString(), " of '", whole.name, "' is not in the checkpoint '", prefix_, "'");
  }
  BundleEntry part = Parse(Str(whole.name, " ", slice.ToString()), *bytes);
  if (part.dtype != whole.dtype || !(part.shape == ShapeOfSlice(slice, whole.shape)) || !part.slices.empty()) {
    throw DataLoss("'", part.name, "' is no part of what the checkpoint '", prefix_, "' says of the whole");
  }
  return part;
}

Tensor BundleReader::Read(const BundleEntry& entry, AllocateTensor allocate) const {
  return checkpoint::ReadData(entry, *files_.Open(BundleDataPath(prefix_, entry.shard, num_shards_)), allocate);
}

std::vector<BundleEntry> BundleReader::List() {
  std::vector<BundleEntry> entries;
  index_.ForEach([&](std::string_view key, std::string_view bytes) {
    if (!key.empty() && key[0] != '\0') entries.push_back(Parse(key, bytes));  // parts begin with a zero byte
  });
  return entries;
}

}  // namespace plumb
