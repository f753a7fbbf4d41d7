#include "spec/graph/meta_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

using ::testing::ElementsAre;

TEST(MetaGraphs, HoldWhatAProgramNeedsToResume) {
  const MetaGraph meta = ParseMetaGraphText(R"(
    meta_info_def { tags: "train" tensorflow_version: "1.4.0" }
    graph_def { versions { producer: 24 } node { name: "a" op: "NoOp" } }
    saver_def { filename_tensor_name: "save/Const:0" save_tensor_name: "save/done:0" restore_op_name: "save/restore" }
    collection_def { key: "variables" value { bytes_list { value: "\n\003v:0" } } }
    collection_def { key: "local_variables" value { bytes_list {
      value: "\n\003e:0\022\010e/Assign\032\006e/read" value: "\n\003f:0" } } }
    collection_def { key: "table_initializer" value { node_list { value: "init1" value: "init2" } } }
    collection_def { key: "queue_runners" value { bytes_list {
      value: "\n\001q\022\002e1\022\002e2\032\001c\"\001x" value: "\n\001r*\001\001" } } }
    collection_def { key: "saved_model_assets" value { any_list { value {
      type_url: "type.googleapis.com/tensorflow.AssetFileDef" value: "\n\005\n\003a:0\022\005f.txt" } } } }
  )");
  EXPECT_EQ(meta.graph.nodes.at(0).name, "a");
  EXPECT_THAT(meta.tags, ElementsAre("train"));
  EXPECT_EQ(meta.tensorflow_version, "1.4.0");
  EXPECT_EQ(meta.saver.filename, "save/Const:0");
  EXPECT_EQ(meta.saver.save, "save/done:0");
  EXPECT_EQ(meta.saver.restore, "save/restore");
  EXPECT_THAT(meta.Collection("table_initializer"), ElementsAre("init1", "init2"));
  EXPECT_TRUE(meta.Collection("other").empty());
  EXPECT_THAT(meta.local_initializers, ElementsAre("e/Assign")) << "the second names none";
  ASSERT_EQ(meta.queue_runners.size(), 2U);
  const QueueRunnerNodes& runner = meta.queue_runners[0];
  EXPECT_EQ(runner.queue, "q");
  EXPECT_THAT(runner.enqueue, ElementsAre("e1", "e2"));
  EXPECT_EQ(runner.close, "c");
  EXPECT_EQ(runner.cancel, "x");
  EXPECT_THAT(runner.closed_statuses, ElementsAre(Code::kOutOfRange)) << "where none are listed";
  EXPECT_THAT(meta.queue_runners[1].closed_statuses, ElementsAre(Code::kCancelled));
  ASSERT_EQ(meta.assets.size(), 1U);
  EXPECT_EQ(meta.assets[0].tensor, "a:0");
  EXPECT_EQ(meta.assets[0].filename, "f.txt");
}

// Text has a message in an Any as a message, by TensorFlow's name of it, and a model's Python objects.
TEST(MetaGraphs, AreReadAsTensorFlowPrintsThem) {
  const std::vector<MetaGraph> graphs = ParseSavedModelText(R"(
    saved_model_schema_version: 1
    meta_graphs {
      meta_info_def { function_aliases { key: "__inference_f_1" value: "f" } }
      graph_def {}
      collection_def { key: "saved_model_assets" value { any_list { value {
        [type.googleapis.com/tensorflow.AssetFileDef] { tensor_info { name: "a:0" } filename: "f.txt" } } } } }
      signature_def { key: "s" value { inputs { key: "x" value {
        composite_tensor { type_spec { type_spec_class: RAGGED_TENSOR_SPEC } components { name: "v:0" }
                           components { name: "splits:0" } } } } } }
      object_graph_def { nodes { children { node_id: 1 local_name: "w" } } concrete_functions { key: "f" value {} } }
    })");
  ASSERT_EQ(graphs.size(), 1U);
  ASSERT_EQ(graphs[0].assets.size(), 1U);
  EXPECT_EQ(graphs[0].assets[0].tensor, "a:0");
  EXPECT_EQ(graphs[0].assets[0].filename, "f.txt");
  const auto& inputs = graphs[0].signatures.at("s").inputs;
  ASSERT_EQ(inputs.size(), 2U) << "a composite tensor is its parts";
  EXPECT_EQ(inputs.at("x/0").name, "v:0");
  EXPECT_EQ(inputs.at("x/1").name, "splits:0");
  EXPECT_THROW(ParseMetaGraphText(R"(graph_def {} collection_def { key: "c" value { any_list { value {
                 [type.googleapis.com/tensorflow.NoSuchMessage] {} } } } })"),
               Error);
}

TEST(MetaGraphs, NameTensorsBySignature) {
  const std::vector<MetaGraph> graphs = ParseSavedModelText(R"(
    saved_model_schema_version: 1
    meta_graphs { graph_def {} signature_def { key: "s" value {
      inputs { key: "x" value { name: "a:0" dtype: DT_INT64 tensor_shape { dim { size: 2 } } } }
      outputs { key: "y" value { coo_sparse { values_tensor_name: "v:0" indices_tensor_name: "i:0"
                                              dense_shape_tensor_name: "d:0" } dtype: DT_FLOAT } }
      method_name: "m" } } }
    meta_graphs { graph_def {} }
  )");
  ASSERT_EQ(graphs.size(), 2U);
  const Signature& signature = graphs[0].signatures.at("s");
  EXPECT_EQ(signature.method, "m");
  const TensorInfo &x = signature.inputs.at("x"), &y = signature.outputs.at("y");
  EXPECT_EQ(x.name, "a:0");
  EXPECT_EQ(x.dtype, DType::kInt64);
  EXPECT_EQ(x.shape.ToString(), PartialShape(Shape({2})).ToString());
  EXPECT_FALSE(x.is_sparse());
  EXPECT_TRUE(y.is_sparse());
  EXPECT_EQ(y.name, "v:0");
  EXPECT_EQ(y.indices, "i:0");
  EXPECT_EQ(y.dense_shape, "d:0");
}

TEST(MetaGraphs, RefuseWhatIsNone) {
  EXPECT_THROW(ParseSavedModelText("saved_model_schema_version: 2"), Error);
  EXPECT_THROW(ParseSavedModel("\x12\x7f"), Error);
  EXPECT_THROW(ParseMetaGraph(""), Error) << "no graph";
  EXPECT_THROW(ParseMetaGraphText("graph_def {} collection_def { key: \"queue_runners\" value { bytes_list { "
                                  "value: \"\\377\" } } }"),
               Error);
}

}  // namespace
}  // namespace plumb
