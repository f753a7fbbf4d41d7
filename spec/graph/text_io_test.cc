#include "spec/graph/text_io.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/graph/graph_file.h"
#include "spec/graph/meta_graph.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/meta_graph.pb.h"

namespace plumb {
namespace {

constexpr char kText[] = R"(
# A comment.
node {
  name: "a" op: "Const"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: [1.5, nan] } } }
  attr { key: "label" value { s: "\001\"\377" } }
}
node { name: "b" op: "Neg" input: "a" experimental_debug_info { original_node_names: "was" } }
library { function { signature { name: "f" } } }
versions { producer: 134 }
)";

std::string MessageOf(const std::string& text) {
  try {
    ParseGraphDefText(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    return error.what();
  }
  return "accepted";
}

TEST(TextIo, ParseAfterPrintIsIdentity) {
  const GraphDef graph = ParseGraphDefText(kText);
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(GetAttr<std::string>(graph.nodes[0].attrs, "label"), "\001\"\377");
  const GraphDef again = ParseGraphDefText(PrintGraphDefText(graph));
  EXPECT_EQ(SerializeGraphDef(again), SerializeGraphDef(graph));
}

// What TensorFlow 2.12 writes of types, handles and gradients, of which nothing here follows.
TEST(TextIo, NewerGraphsSayMore) {
  const GraphDef graph = ParseGraphDefText(R"(
    node { name: "a" op: "NoOp" experimental_type { type_id: TFT_PRODUCT args { type_id: TFT_TENSOR s: "x" } } }
    library {
      function {
        signature { name: "f" is_distributed_communication: true input_arg {
          name: "h" type: DT_RESOURCE handle_data { dtype: DT_FLOAT shape { dim { size: 2 } } }
          experimental_full_type { type_id: TFT_ITERATOR } } }
        resource_arg_unique_id { key: 1 value: 2 }
      }
      registered_gradients { gradient_func: "g" registered_op_type: "CustomGradient-1" }
    })");
  ASSERT_EQ(graph.nodes.size(), 1U);
  EXPECT_EQ(graph.nodes[0].name, "a");
  pb::FunctionDefLibrary library;
  ASSERT_TRUE(library.ParseFromString(graph.library));
  EXPECT_EQ(library.function(0).signature().input_arg(0).experimental_full_type().type_id(), pb::TFT_ITERATOR);
  EXPECT_EQ(SerializeGraphDef(ParseGraphDefText(PrintGraphDefText(graph))), SerializeGraphDef(graph));
}

TEST(TextIo, AMistakeIsNamedByLineAndColumn) {
  EXPECT_NE(MessageOf("node {\n  nane: \"a\" }").find("line 2, column 7"), std::string::npos);
  EXPECT_NE(MessageOf("node { name: \"a\"").find("line 1, column "), std::string::npos);
  EXPECT_NE(MessageOf("node { name: 'a' }\nversions { producer: 1e99 }").find("line 2"), std::string::npos);
}

TEST(TextIo, DeepNestingIsRefused) {
  std::string text = "node { attr { key: 'x' value { ", close = "} } }";
  for (int depth = 0; depth < 10000; ++depth) {
    text += "func { attr { key: 'x' value { ";
    close += "} } }";
  }
  EXPECT_NE(MessageOf(text + close), "accepted");
}

// A node whose messages lie `deep` braces deep, at least six.
std::string NodeOfDepth(int deep) {
  std::string text = "node { attr { key: 'x' value { ", close = "} } }";
  int depth = 3;
  for (; depth + 3 <= deep; depth += 3) {
    text += "func { attr { key: 'x' value { ";
    close += "} } }";
  }
  if (depth + 1 == deep) text += "func { name: 'f' } ";
  if (depth + 2 == deep) text += "func { attr { key: 'x' } } ";
  return text + close;
}

TEST(TextIo, NestingMayBeAsDeepAsInBinaryMessages) {
  EXPECT_EQ(MessageOf(NodeOfDepth(100)), "accepted");
  EXPECT_NE(MessageOf(NodeOfDepth(101)).find("too deep"), std::string::npos);
}

// The parser does not count how deep one Any lies in another.
TEST(TextIo, AnAnyHoldsNoAny) {
  std::string text = "meta_info_def { any_info { ", close = " } }";
  for (int depth = 0; depth < 20000; ++depth) {
    text += "[type.googleapis.com/google.protobuf.Any] { ";
    close += " }";
  }
  EXPECT_EQ(StatusOf([&] { ParseMetaGraphText(text + close); }).code(), Code::kInvalidArgument);
}

TEST(TextIo, StringsMustBeUtf8AndBytesNeedNot) {
  EXPECT_NE(MessageOf("node { name: '\\377' }").find("UTF-8"), std::string::npos);
  EXPECT_NE(MessageOf("library { gradient { function_name: '\\377' } }").find("UTF-8"), std::string::npos);
  EXPECT_EQ(MessageOf("node { attr { key: 's' value { s: '\\377' } } }"), "accepted");
}

// A file under the test's own name that disappears with it.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& suffix)
      : path(testing::TempDir() + "plumb_graph_" + std::to_string(getpid()) + suffix) {}
  ~TemporaryFile() { unlink(path.c_str()); }
  std::string path;
};

TEST(GraphFile, EveryFormIsRecognised) {
  const GraphDef graph = ParseGraphDefText(kText);
  pb::MetaGraphDef meta;
  meta.mutable_meta_info_def()->add_tags("serve");
  meta.mutable_meta_info_def()->mutable_stripped_op_list()->add_op()->set_name("Neg");
  ToProto(graph, meta.mutable_graph_def());
  const std::string wanted = SerializeGraphDef(graph);

  const TemporaryFile file(".graph"), text_file(".pbtxt");
  for (const std::string& content :
       {wanted, meta.SerializeAsString(), PrintGraphDefText(graph), "graph_def {" + PrintGraphDefText(graph) + "}"}) {
    WriteFile(file.path, content);
    EXPECT_EQ(SerializeGraphDef(LoadGraphFile(file.path)), wanted);
  }
  SaveGraphFile(graph, text_file.path);
  EXPECT_EQ(ReadFile(text_file.path), PrintGraphDefText(graph));
}

TEST(GraphFile, ErrorsNameTheFile) {
  const TemporaryFile file(".pb");
  try {
    LoadGraphFile(file.path);
    FAIL() << "a missing file was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kNotFound);
  }
  WriteFile(file.path, "\x0a\x7f\x12truncated");
  try {
    LoadGraphFile(file.path);
    FAIL() << "a truncated file was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find(file.path), std::string::npos);
  }
}

TEST(GraphFile, ASavedModelIsToldFromAGraph) {
  const TemporaryFile file(".pb");
  pb::SavedModel model;
  model.set_saved_model_schema_version(1);
  ToProto(ParseGraphDefText(kText), model.add_meta_graphs()->mutable_graph_def());
  WriteFile(file.path, model.SerializeAsString());
  try {
    LoadGraphFile(file.path);
    FAIL() << "a saved model was read as a graph";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("read its folder as a saved model"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumb
