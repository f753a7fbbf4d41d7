#include "client/saved_model/saved_model.h"

#include <algorithm>
#include <climits>
#include <optional>

#include "client/fed_fetches.h"
#include "spec/files/file.h"
#include "spec/files/file_system.h"
#include "spec/graph/graph.h"

namespace plumb {
namespace {

void ThrowUnlessOk(const Status& status, const std::string& what, const std::string& cause = "") {
  if (!status.ok()) throw Error(status.WithMessage(Str(what, ": ", status.message(), cause)));
}

// Of a file. Throws where it is there and cannot be opened, as a link to itself.
bool IsThere(const std::string& path) {
  try {
    Files().Open(path);
    return true;
  } catch (const Error& error) {
    if (error.status().code() != Code::kNotFound) throw;
    return false;
  }
}

bool HasVariables(const SavedModel& model) {
  return IsThere(VariablesOf(model.folder) + ".index") || IsThere(VariablesOf(model.folder));
}

// What a failure of the model may come of, and does not say by itself.
std::string Cause(const SavedModel& model, const Status& status) {
  const bool may_be_unset = status.code() == Code::kFailedPrecondition || status.code() == Code::kNotFound;
  const bool restores = !model.meta.saver.restore.empty();
  if (!may_be_unset || restores == HasVariables(model)) return "";
  return restores ? Str("; '", model.folder, "/variables', from which its graph restores, is not there")
                  : Str("; '", model.folder, "' has variables, but its graph names no node that restores them");
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += Str(text.empty() ? "'" : ", '", name, "'");
  return text.empty() ? "none" : text;
}

template <class Map>
std::vector<std::string> NamesIn(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

std::vector<std::string> Sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

// TensorFlow lists a file once for each table that reads it; the last line for a tensor counts.
std::vector<Feed> AssetFeeds(const SavedModel& model) {
  std::map<std::string, Tensor> paths;
  for (const Asset& asset : model.meta.assets) {
    paths.insert_or_assign(asset.tensor, MakeScalar<std::string>(model.folder + "/assets/" + asset.filename));
  }
  return {paths.begin(), paths.end()};
}

// The node that is to run first; empty: none.
std::string InitNode(const MetaGraph& meta) {
  const auto signature = meta.signatures.find(std::string(kInitSignature));
  if (signature != meta.signatures.end()) {
    const auto output = signature->second.outputs.find(std::string(kInitSignature));
    if (output != signature->second.outputs.end()) return ParseTensorName(output->second.name).node;
  }
  for (const std::string_view collection : {"saved_model_main_op", "legacy_init_op"}) {
    const std::vector<std::string>& nodes = meta.Collection(collection);
    Require(nodes.size() <= 1, "the collection '", collection, "' names ", nodes.size(),
            " nodes to run first, not one");
    if (!nodes.empty()) return ParseTensorName(nodes[0]).node;
  }
  return "";
}

std::optional<std::string> ReadIfThere(const std::string& path) {
  if (!IsThere(path)) return std::nullopt;
  return ReadFile(path, INT_MAX);
}

// A graph that names no node for it leaves the variables to another graph of the folder.
void Restore(const SavedModel& model, Session& session, const RunOptions& options) {
  const SaverNodes& saver = model.meta.saver;
  if (saver.restore.empty() || !HasVariables(model)) return;
  Require(!saver.filename.empty(), "the graph of '", model.folder, "' restores by '", saver.restore,
          "', but names no tensor for the path of the variables");
  std::vector<Feed> feeds = AssetFeeds(model);
  feeds.emplace_back(saver.filename, MakeScalar<std::string>(VariablesOf(model.folder)));
  std::vector<Tensor> outputs;
  ThrowUnlessOk(session.Run(options, feeds, {}, {&saver.restore, 1}, &outputs, nullptr), "restoring the variables");
}

// The tensors to feed or fetch: a sparse one is its three parts.
std::map<std::string, TensorInfo> PartsOf(const std::map<std::string, TensorInfo>& tensors) {
  std::map<std::string, TensorInfo> parts;
  for (const auto& [name, info] : tensors) {
    if (!info.is_sparse()) {
      parts.insert_or_assign(name, info);
      continue;
    }
    const auto add = [&, &name = name](const char* part, const std::string& tensor, DType dtype, int rank) {
      TensorInfo alone;
      alone.name = tensor;
      alone.dtype = dtype;
      alone.shape = PartialShape::OfRank(rank);
      parts.emplace(Str(name, "/", part), alone);
    };
    add("indices", info.indices, DType::kInt64, 2);
    add("values", info.name, info.dtype, 1);
    add("dense_shape", info.dense_shape, DType::kInt64, 1);
  }
  return parts;
}

const TensorInfo& Find(const std::map<std::string, TensorInfo>& tensors, const std::string& name,
                       const std::string& what) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw NotFound("no ", what, " '", name, "'; there are ", Joined(NamesIn(tensors)));
  return found->second;
}

std::vector<Feed> FeedsOf(const Signature& signature, const std::map<std::string, Tensor>& inputs) {
  const std::map<std::string, TensorInfo> wanted = PartsOf(signature.inputs);
  std::vector<Feed> feeds;
  for (const auto& [name, value] : inputs) {
    const TensorInfo& info = Find(wanted, name, "input");
    Require(value.dtype() == info.dtype && info.shape.IsCompatibleWith(PartialShape(value.shape())), "the input '",
            name, "' wants ", DTypeName(info.dtype), info.shape.ToString(), " and was given ", DTypeName(value.dtype()),
            value.shape().ToString());
    feeds.emplace_back(info.name, value);
  }
  for (const auto& [name, info] : wanted) {
    Require(inputs.contains(name), "the input '", name, "' is missing");
  }
  return feeds;
}

}  // namespace

std::string VariablesOf(const std::string& folder) { return folder + "/variables/variables"; }

std::vector<MetaGraph> ReadSavedModelGraphs(const std::string& folder) {
  const std::string_view file = std::string_view(folder).substr(folder.rfind('/') + 1);
  if (file == "saved_model.pb" || file == "saved_model.pbtxt") {
    throw InvalidArgument("'", folder, "' is one file of a saved model: name the folder that holds it");
  }
  const std::string binary = folder + "/saved_model.pb", text = folder + "/saved_model.pbtxt";
  const std::optional<std::string> bytes = ReadIfThere(binary);
  const std::optional<std::string> written = bytes ? std::nullopt : ReadIfThere(text);
  if (!bytes && !written) {
    throw NotFound("'", folder, "' is no saved model: it holds neither saved_model.pb nor saved_model.pbtxt");
  }
  try {
    return bytes ? ParseSavedModel(*bytes) : ParseSavedModelText(*written);
  } catch (const Error& error) {
    throw Error(error.status().WithMessage(Str(bytes ? binary : text, ": ", error.what())));
  }
}

SavedModel ReadSavedModel(const std::string& folder, const std::vector<std::string>& tags) {
  std::string there;
  for (MetaGraph& meta : ReadSavedModelGraphs(folder)) {
    if (Sorted(meta.tags) == Sorted(tags)) return {folder, std::move(meta)};
    there += Str(there.empty() ? "" : "; ", Joined(meta.tags));
  }
  throw NotFound("'", folder, "' has no graph tagged ", Joined(tags), "; there are ", there.empty() ? "none" : there);
}

void LoadSavedModel(const SavedModel& model, Session& session, const RunOptions& options) {
  ThrowUnlessOk(session.Extend(model.meta.graph), "loading the graph");
  Restore(model, session, options);
  const std::string init = InitNode(model.meta);
  if (init.empty()) return;
  std::vector<Tensor> outputs;
  const Status first = session.Run(options, AssetFeeds(model), {}, {&init, 1}, &outputs, nullptr);
  ThrowUnlessOk(first, Str("the first step, '", init, "'"), Cause(model, first));
}

const Signature& FindSignature(const MetaGraph& meta, const std::string& name) {
  const auto found = meta.signatures.find(name);
  if (found == meta.signatures.end()) {
    std::vector<std::string> names = NamesIn(meta.signatures);
    std::erase(names, kInitSignature);
    throw NotFound("no signature '", name, "'; there are ", Joined(names));
  }
  return found->second;
}

std::map<std::string, Tensor> CallSignature(Session& session, const SavedModel& model, const std::string& name,
                                            const std::map<std::string, Tensor>& inputs,
                                            const std::vector<std::string>& outputs, const RunOptions& options) {
  const Signature& signature = FindSignature(model.meta, name);
  const std::map<std::string, TensorInfo> offered = PartsOf(signature.outputs);
  const std::vector<std::string> wanted = outputs.empty() ? NamesIn(offered) : outputs;
  std::vector<std::string> fetches;
  for (const std::string& output : wanted) fetches.push_back(Find(offered, output, "output").name);
  std::vector<Tensor> values;
  const Status call = RunAnsweringFeeds(session, options, FeedsOf(signature, inputs), fetches, &values);
  ThrowUnlessOk(call, Str("the signature '", name, "'"), Cause(model, call));
  std::map<std::string, Tensor> answers;
  for (size_t i = 0; i < wanted.size(); ++i) answers.insert_or_assign(wanted[i], values[i]);
  return answers;
}

}  // namespace plumb
