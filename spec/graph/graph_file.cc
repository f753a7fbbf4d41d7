#include "spec/graph/graph_file.h"

#include <algorithm>
#include <climits>

#include "spec/files/file.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/text_io.h"

namespace plumb {
namespace {

// Text escapes every control character; a binary message with a node or a version has one in its tags.
bool IsText(std::string_view content) {
  return std::none_of(content.begin(), content.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\v' && c != '\f';
  });
}

bool HasPrintableOps(const GraphDef& graph) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [](const NodeDef& node) {
    return !node.op.empty() && std::all_of(node.op.begin(), node.op.end(), [](char c) { return c > ' '; });
  });
}

MetaGraph Alone(GraphDef graph) {
  MetaGraph meta;
  meta.graph = std::move(graph);
  return meta;
}

bool IsSavedModel(std::string_view content) {
  try {
    return !ParseSavedModel(content).empty();
  } catch (const Error&) {
    return false;
  }
}

// Fields 1 and 2 of both messages are messages, so bytes of one may pass as the other: only a GraphDef's nodes have
// ops.
MetaGraph ParseBinary(std::string_view content) {
  std::string reason;
  try {
    GraphDef graph = ParseGraphDef(content);
    if (HasPrintableOps(graph)) return Alone(std::move(graph));
    reason = "a node has no op";
  } catch (const Error& error) {
    if (error.status().code() != Code::kInvalidArgument) throw;
    reason = error.what();
  }
  try {
    return ParseMetaGraph(content);
  } catch (const Error& error) {
    Require(!IsSavedModel(content), "this is a saved model, not one graph: read its folder as a saved model");
    throw Error(error.status().code(),
                Str("neither a GraphDef (", reason, ") nor a MetaGraphDef (", error.what(), ")"));
  }
}

MetaGraph ParseText(std::string_view content) {
  const bool is_meta =
      content.find("graph_def") != std::string_view::npos && content.find("graph_def") < content.find("node {");
  return is_meta ? ParseMetaGraphText(content) : Alone(ParseGraphDefText(content));
}

bool EndsIn(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

GraphDef LoadGraphFile(const std::string& path) { return LoadMetaGraphFile(path).graph; }

MetaGraph LoadMetaGraphFile(const std::string& path) {
  const std::string content = ReadFile(path, INT_MAX);
  try {
    return IsText(content) ? ParseText(content) : ParseBinary(content);
  } catch (const Error& error) {
    throw Error(error.status().code(), Str(path, ": ", error.what()));
  }
}

void SaveGraphFile(const GraphDef& graph, const std::string& path) {
  const bool text = EndsIn(path, ".pbtxt") || EndsIn(path, ".txt");
  WriteFile(path, text ? PrintGraphDefText(graph) : SerializeGraphDef(graph));
}

}  // namespace plumb
