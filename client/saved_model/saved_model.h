// Saved models of TensorFlow 1 and 2 (rule 9.13): a folder with saved_model.pb, variables/ and assets/.
//
//   SavedModel model = ReadSavedModel("exported");
//   auto session = OpenSession("cpu");
//   LoadSavedModel(model, *session);
//   std::map<std::string, Tensor> answers = CallSignature(*session, model, "serving_default", {{"image", image}});
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/graph/meta_graph.h"
#include "spec/session/session.h"

namespace plumb {

// Not to be called: it names the step that TensorFlow 2 wants to be run first.
inline constexpr std::string_view kInitSignature = "__saved_model_init_op";

struct SavedModel {
  std::string folder;
  MetaGraph meta;
};

// The prefix of the checkpoint that holds the variables, if there are any.
std::string VariablesOf(const std::string& folder);

// All graphs of a folder, of saved_model.pb or else saved_model.pbtxt. Throws kNotFound when there is neither, and as
// ParseSavedModel does; the message names the file.
std::vector<MetaGraph> ReadSavedModelGraphs(const std::string& folder);

// The one whose tags are exactly these, in any order. Throws kNotFound, with the tags that there are.
SavedModel ReadSavedModel(const std::string& folder, const std::vector<std::string>& tags = {"serve"});

// Extends an empty session by the graph, restores the variables if the folder has some and the graph a node for it, and
// runs the step that the model wants to be run first, with the paths of its assets in this folder: that of
// kInitSignature, else the main op, else the legacy init op. The options are those of each of these steps. Throws the
// status of what fails.
void LoadSavedModel(const SavedModel& model, Session& session, const RunOptions& options = RunOptions());

// Throws kNotFound, with those that there are.
const Signature& FindSignature(const MetaGraph& meta, const std::string& name);

// One step by the signature's names. No outputs named: all. A sparse tensor x is fed and fetched by its parts,
// "x/indices", "x/values" and "x/dense_shape", and one that is composed of others by "x/0", "x/1" and so on. Throws
// kInvalidArgument for an input that is missing or of another type or shape than the signature says, kNotFound for a
// name that it has not, or the step's status.
std::map<std::string, Tensor> CallSignature(Session& session, const SavedModel& model, const std::string& signature,
                                            const std::map<std::string, Tensor>& inputs,
                                            const std::vector<std::string>& outputs = {},
                                            const RunOptions& options = RunOptions());

}  // namespace plumb
