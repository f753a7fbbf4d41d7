// A graph with what a program needs to resume it, and a folder's worth of them (rule 9.13): plain values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/shape.h"
#include "spec/graph/graph_def.h"

namespace plumb {

// The nodes that save and restore the graph's variables. Empty names: there are none.
struct SaverNodes {
  std::string filename;  // tensor to feed with the checkpoint's path
  std::string save;      // tensor that holds the path when it is written
  std::string restore;   // node
};

struct TensorInfo {
  // Of a sparse tensor its values; then the others are named too.
  std::string name;
  std::string indices, dense_shape;
  DType dtype = DType::kInvalid;
  PartialShape shape;
  bool is_sparse() const { return !indices.empty(); }
};

// What a graph offers to be called by: names that stay, for tensors whose names may change.
struct Signature {
  std::map<std::string, TensorInfo> inputs, outputs;
  std::string method;
};

// A file beside the graph, and the tensor that wants its path.
struct Asset {
  std::string tensor;
  std::string filename;
};

// Nodes that fill a queue, each again and again in a thread of its own.
struct QueueRunnerNodes {
  std::string queue;
  std::vector<std::string> enqueue;
  std::string close;                  // run when an enqueue says that it has reached the end
  std::string cancel;                 // run when the program stops
  std::vector<Code> closed_statuses;  // which say that; none listed: kOutOfRange
};

struct MetaGraph {
  GraphDef graph;
  std::vector<std::string> tags;
  std::string tensorflow_version;
  SaverNodes saver;
  std::map<std::string, Signature> signatures;
  std::vector<Asset> assets;
  std::map<std::string, std::vector<std::string>> collections;  // those of names, and those of bytes
  std::vector<QueueRunnerNodes> queue_runners;
  std::vector<std::string> local_initializers;  // nodes that give the variables their values that no checkpoint keeps

  // The names in a collection; none when there is no such.
  const std::vector<std::string>& Collection(std::string_view name) const;
};

// Throw kInvalidArgument for what is no such message, as ParseGraphDef does. A saved model's version is 1.
MetaGraph ParseMetaGraph(std::string_view bytes);
MetaGraph ParseMetaGraphText(std::string_view text);
std::vector<MetaGraph> ParseSavedModel(std::string_view bytes);
std::vector<MetaGraph> ParseSavedModelText(std::string_view text);

}  // namespace plumb
