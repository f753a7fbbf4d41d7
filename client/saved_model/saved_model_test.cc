// A saved model with variables, an asset and a signature, as TensorFlow 1 writes it.
#include "client/saved_model/saved_model.h"

#include <filesystem>

#include "client/testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/text_io.h"

namespace plumb {
namespace {

using ::testing::HasSubstr;

// The checkpoint is its path here: "restore" puts it into a variable, and so shows with what it was called.
constexpr std::string_view kModel = R"(
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" tags: "cpu" tensorflow_version: "1.15.0" }
  graph_def {
    versions { producer: 100 }
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { dim { size: -1 } } } } }
    node { name: "i" op: "Placeholder" attr { key: "dtype" value { type: DT_INT64 } } }
    node { name: "d" op: "Placeholder" attr { key: "dtype" value { type: DT_INT64 } } }
    node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "z" op: "Square" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "path" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
    node { name: "words" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
    node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_STRING } }
           attr { key: "shape" value { shape {} } } }
    node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_STRING } }
           attr { key: "shape" value { shape {} } } }
    node { name: "restore" op: "Assign" input: "v" input: "path" attr { key: "T" value { type: DT_STRING } } }
    node { name: "init" op: "Assign" input: "w" input: "words" attr { key: "T" value { type: DT_STRING } } }
  }
  saver_def { filename_tensor_name: "path:0" save_tensor_name: "path:0" restore_op_name: "restore" version: V2 }
  collection_def { key: "legacy_init_op" value { node_list { value: "init" } } }
  asset_file_def { tensor_info { name: "words:0" } filename: "words.txt" }
  signature_def { key: "serving_default" value {
    inputs { key: "in" value { name: "x:0" dtype: DT_FLOAT tensor_shape { dim { size: -1 } } } }
    outputs { key: "minus" value { name: "y:0" dtype: DT_FLOAT } }
    outputs { key: "squared" value { name: "z:0" dtype: DT_FLOAT } }
    outputs { key: "same" value { name: "x:0" dtype: DT_FLOAT } }
    method_name: "tensorflow/serving/predict" } }
  signature_def { key: "of_sparse" value {
    inputs { key: "s" value { coo_sparse { indices_tensor_name: "i:0" values_tensor_name: "x:0"
                                           dense_shape_tensor_name: "d:0" } dtype: DT_FLOAT } }
    outputs { key: "t" value { coo_sparse { indices_tensor_name: "i:0" values_tensor_name: "y:0"
                                            dense_shape_tensor_name: "d:0" } dtype: DT_FLOAT } } } }
})";

class SavedModels : public ::testing::TestWithParam<std::string_view> {
 protected:
  SavedModels() {
    std::filesystem::create_directory(folder_.path() + "/variables");
    WriteFile(folder_.path() + "/saved_model.pbtxt", kModel);
    WriteFile(folder_.path() + "/variables/variables.index", "");
  }
  SavedModel Read() { return ReadSavedModel(folder_.path(), {"cpu", "serve"}); }
  std::string Fetched(Session& session, const std::string& name) {
    std::vector<Tensor> outputs;
    const Status status = session.Run({}, {&name, 1}, {}, &outputs);
    return status.ok() ? outputs.at(0).scalar<std::string>() : status.ToString();
  }
  std::unique_ptr<Session> Loaded(const SavedModel& model) {
    auto session = OpenSession(GetParam());
    LoadSavedModel(model, *session);
    return session;
  }
  template <class Action>
  std::string MessageOf(Code code, const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), code);
      return error.what();
    }
    return "no error";
  }
  const TemporaryFolder folder_;
};

TEST_P(SavedModels, BringTheirVariablesAndAssets) {
  const auto session = Loaded(Read());
  EXPECT_EQ(Fetched(*session, "v"), folder_.path() + "/variables/variables");
  EXPECT_EQ(Fetched(*session, "w"), folder_.path() + "/assets/words.txt");
}

// The first step may read what was restored: here it copies the variable.
TEST_P(SavedModels, RestoreVariablesBeforeTheFirstStep) {
  std::string text(kModel);
  const std::string_view of_words = R"(input: "w" input: "words")";
  text.replace(text.find(of_words), of_words.size(), R"(input: "w" input: "v")");
  WriteFile(folder_.path() + "/saved_model.pbtxt", text);
  const auto session = Loaded(Read());
  EXPECT_EQ(Fetched(*session, "w"), folder_.path() + "/variables/variables");
}

// In the order of TensorFlow's loader (loader_impl.get_init_op).
TEST_P(SavedModels, TakeTheFirstStepOfTheSignatureElseOfTheMainOpElseTheLegacyOne) {
  SavedModel model = Read();
  const auto first_step = [&] { return Fetched(*Loaded(model), "w"); };
  const auto assign = [&](const std::string& node, const std::string& text) {
    GraphDef graph = ParseGraphDefText(R"(
      node { name: ")" + node + R"(/text" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
             attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: ")" +
                                       text + R"(" } } } }
      node { name: ")" + node + R"(" op: "Assign" input: "w" input: ")" +
                                       node + R"(/text"
             attr { key: "T" value { type: DT_STRING } } })");
    for (NodeDef& added : graph.nodes) model.meta.graph.nodes.push_back(std::move(added));
  };
  assign("of_main", "the main op");
  assign("of_signature", "the signature");
  EXPECT_EQ(first_step(), folder_.path() + "/assets/words.txt") << "the legacy init op";
  model.meta.collections["saved_model_main_op"] = {"of_main"};
  EXPECT_EQ(first_step(), "the main op");
  const std::string key(kInitSignature);
  model.meta.signatures[key].outputs[key].name = "of_signature";
  EXPECT_EQ(first_step(), "the signature");
  model.meta.collections["saved_model_main_op"] = {"of_main", "of_signature"};
  EXPECT_EQ(first_step(), "the signature") << "the collections are not asked";
  model.meta.signatures.erase(key);
  EXPECT_THAT(MessageOf(Code::kInvalidArgument, [&] { Loaded(model); }), HasSubstr("names 2 nodes to run first"));
}

// The variables may be those of another graph of the folder, as where one trains and another serves constants.
TEST_P(SavedModels, WithoutANodeThatRestoresRestoreNothing) {
  SavedModel model = Read();
  model.meta.saver = {};
  const auto session = Loaded(model);
  EXPECT_THAT(Fetched(*session, "v"), HasSubstr("FAILED_PRECONDITION"));
  const std::map<std::string, Tensor> inputs = {{"in", MakeTensor<float>({1}, {3})}};
  EXPECT_THAT(Numbers(CallSignature(*session, model, "serving_default", inputs).at("minus")),
              ::testing::ElementsAre(-3));
  TensorInfo variable;
  variable.name = "v:0";
  variable.dtype = DType::kString;
  model.meta.signatures.at("serving_default").outputs = {{"read", variable}};
  EXPECT_THAT(MessageOf(Code::kFailedPrecondition, [&] { CallSignature(*session, model, "serving_default", inputs); }),
              HasSubstr("'" + folder_.path() + "' has variables, but its graph names no node that restores them"));
  model.meta.saver.restore = "restore";
  EXPECT_THAT(MessageOf(Code::kInvalidArgument, [&] { Loaded(model); }), HasSubstr("no tensor for the path"));
}

// Two tables that read one file bring it twice.
TEST_P(SavedModels, MayNameAnAssetTwice) {
  SavedModel model = Read();
  ASSERT_EQ(model.meta.assets.size(), 1u);
  model.meta.assets.push_back(model.meta.assets[0]);
  const auto session = Loaded(model);
  EXPECT_EQ(Fetched(*session, "v"), folder_.path() + "/variables/variables");
  EXPECT_EQ(Fetched(*session, "w"), folder_.path() + "/assets/words.txt");
  model.meta.assets.back().filename = "later.txt";
  EXPECT_EQ(Fetched(*Loaded(model), "w"), folder_.path() + "/assets/later.txt") << "the last one counts";
}

TEST_P(SavedModels, WithoutVariablesRestoreNothing) {
  std::filesystem::remove_all(folder_.path() + "/variables");
  const auto session = Loaded(Read());
  EXPECT_THAT(Fetched(*session, "v"), HasSubstr("FAILED_PRECONDITION"));
  SavedModel model = Read();
  TensorInfo variable;
  variable.name = "v:0";
  variable.dtype = DType::kString;
  model.meta.signatures.at("serving_default").outputs = {{"read", variable}};
  const std::map<std::string, Tensor> inputs = {{"in", MakeTensor<float>({1}, {1})}};
  EXPECT_THAT(MessageOf(Code::kFailedPrecondition, [&] { CallSignature(*session, model, "serving_default", inputs); }),
              HasSubstr("'" + folder_.path() + "/variables', from which its graph restores, is not there"));
}

TEST_P(SavedModels, AreCalledBySignature) {
  const SavedModel model = Read();
  const auto session = Loaded(model);
  const Tensor in = MakeTensor<float>({2}, {3, -4});
  const auto all = CallSignature(*session, model, "serving_default", {{"in", in}});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_THAT(Numbers(all.at("minus")), ::testing::ElementsAre(-3, 4));
  EXPECT_THAT(Numbers(all.at("squared")), ::testing::ElementsAre(9, 16));
  EXPECT_THAT(Numbers(all.at("same")), ::testing::ElementsAre(3, -4)) << "an input may be an output";
  EXPECT_EQ(CallSignature(*session, model, "serving_default", {{"in", in}}, {"minus"}).size(), 1U);
  EXPECT_EQ(CallSignature(*session, model, "serving_default", {{"in", in}}, {"same"}).size(), 1U);
}

TEST_P(SavedModels, TakeSparseTensorsByTheirParts) {
  const SavedModel model = Read();
  const auto session = Loaded(model);
  const std::map<std::string, Tensor> parts = {{"s/indices", MakeTensor<int64_t>({1, 1}, {2})},
                                               {"s/values", MakeTensor<float>({1}, {5})},
                                               {"s/dense_shape", MakeTensor<int64_t>({1}, {4})}};
  const auto all = CallSignature(*session, model, "of_sparse", parts);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_THAT(Numbers(all.at("t/values")), ::testing::ElementsAre(-5));
  EXPECT_EQ(all.at("t/indices").data<int64_t>()[0], 2);
  EXPECT_EQ(all.at("t/dense_shape").data<int64_t>()[0], 4);
  EXPECT_THAT(MessageOf(Code::kInvalidArgument, [&] { CallSignature(*session, model, "of_sparse", {}); }),
              HasSubstr("'s/dense_shape' is missing"));
}

TEST_P(SavedModels, SayWhatIsWrongWithACall) {
  const SavedModel model = Read();
  const auto session = Loaded(model);
  const auto called = [&](const std::string& signature, const std::map<std::string, Tensor>& inputs,
                          const std::vector<std::string>& outputs = {}) {
    return [=, &model, &session] { CallSignature(*session, model, signature, inputs, outputs); };
  };
  const Tensor in = MakeTensor<float>({1}, {1}), wrong = MakeScalar<int32_t>(1);
  EXPECT_THAT(MessageOf(Code::kNotFound, called("other", {})), HasSubstr("there are 'of_sparse', 'serving_default'"));
  EXPECT_THAT(MessageOf(Code::kInvalidArgument, called("serving_default", {})), HasSubstr("'in' is missing"));
  EXPECT_THAT(MessageOf(Code::kInvalidArgument, called("serving_default", {{"in", wrong}})),
              HasSubstr("wants float32[?] and was given int32[]"));
  EXPECT_THAT(MessageOf(Code::kNotFound, called("serving_default", {{"x", in}})), HasSubstr("no input 'x'"));
  EXPECT_THAT(MessageOf(Code::kNotFound, called("serving_default", {{"in", in}}, {"y"})), HasSubstr("no output 'y'"));
}

TEST_P(SavedModels, AreFoundByTheirTags) {
  const auto with = [&](const std::vector<std::string>& tags) {
    return [this, tags] { ReadSavedModel(folder_.path(), tags); };
  };
  EXPECT_EQ(MessageOf(Code::kOk, with({"cpu", "serve"})), MessageOf(Code::kOk, with({"serve", "cpu"})));
  EXPECT_THAT(MessageOf(Code::kNotFound, with({"serve"})), HasSubstr("'serve', 'cpu'")) << "fewer";
  EXPECT_THAT(MessageOf(Code::kNotFound, with({"serve", "cpu", "train"})), HasSubstr("'serve', 'cpu'")) << "more";
  EXPECT_THAT(MessageOf(Code::kNotFound, [&] { ReadSavedModel(folder_.path() + "/variables"); }),
              HasSubstr("neither saved_model.pb nor"));
  EXPECT_THAT(MessageOf(Code::kInvalidArgument, [&] { ReadSavedModel(folder_.path() + "/saved_model.pbtxt"); }),
              HasSubstr("name the folder that holds it"));
  WriteFile(folder_.path() + "/saved_model.pb", "nonsense");
  EXPECT_THAT(MessageOf(Code::kInvalidArgument, [&] { Read(); }), HasSubstr("saved_model.pb: these 8 bytes"));
}

INSTANTIATE_TEST_SUITE_P(Backends, SavedModels, ::testing::Values("reference", "cpu"));

}  // namespace
}  // namespace plumb
