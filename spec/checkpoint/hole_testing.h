// Checkpoints with a hole, for tests: of "a", of the shape [4] and float, they name the elements 0 and 1 alone, and
// what these are stands nowhere.
#pragma once

#include <string>

#include "spec/checkpoint/bundle_index.h"
#include "spec/checkpoint/table_builder.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {

inline void WriteBundleWithHole(const std::string& prefix) {
  pb::BundleHeaderProto header;
  header.set_num_shards(1);
  pb::BundleEntryProto entry;
  entry.set_dtype(pb::DT_FLOAT);
  entry.mutable_shape()->add_dim()->set_size(4);
  entry.add_slices()->add_extent()->set_length(2);
  checkpoint::WriteBundleIndex(Files(), prefix, header, {{"a", entry}})->Commit();
}

inline void WriteFirstFormatWithHole(const std::string& path) {
  pb::SavedTensorSlices first;
  pb::SavedSliceMeta& tensor = *first.mutable_meta()->add_tensor();
  tensor.set_name("a");
  tensor.set_type(pb::DT_FLOAT);
  tensor.mutable_shape()->add_dim()->set_size(4);
  tensor.add_slice()->add_extent()->set_length(2);
  const auto file = Files().Replace(path);
  checkpoint::TableBuilder table(file.get());
  table.Add("", first.SerializeAsString());
  table.Finish();
  file->Commit();
}

}  // namespace plumb
