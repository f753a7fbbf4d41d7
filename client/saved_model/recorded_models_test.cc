// Saved models as TensorFlow 2.12.1 wrote them (testdata/), with what it answered to them.
//
// tables_v1, by tf.compat.v1: y = x v, v being 3.5 when it was saved and 2 when initialised; a table from an asset. Its
// main op fills the table, puts 10 v into a local variable and the asset's text into another.
// functions_v2, by tf.saved_model.save of a tf.Module: y doubles x w in a while loop until one number reaches 20, and a
// conditional calls a function that halves it after more than one step, or negates it; a table from an asset, which
// __saved_model_init_op fills; a counter that was saved as 5.
// The path that each recorded its asset under was left behind there: /tmp/recorded/words.txt.
#include <filesystem>

#include "client/saved_model/saved_model.h"
#include "client/testing.h"
#include "spec/files/file.h"
#include "spec/files/source_testing.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class RecordedModels : public ::testing::TestWithParam<std::string_view> {
 protected:
  void Load(const std::string& name) {
    model_ = ReadSavedModel(SourcePath("client/saved_model/testdata/" + name));
    session_ = OpenSession(GetParam());
    LoadSavedModel(model_, *session_);
  }
  std::map<std::string, Tensor> Call(const std::string& signature, const std::map<std::string, Tensor>& inputs) {
    return CallSignature(*session_, model_, signature, inputs);
  }
  SavedModel model_;
  std::unique_ptr<Session> session_;
};

std::vector<int64_t> Integers(const Tensor& tensor) {
  const auto data = tensor.data<int64_t>();
  return {data.begin(), data.end()};
}

std::map<std::string, Tensor> Words() { return {{"words", MakeVector<std::string>({"cat", "dog", "ant"})}}; }

TEST_P(RecordedModels, OfTensorFlow1FillTablesFromAssetsAfterTheVariables) {
  Load("tables_v1");
  EXPECT_THAT(Numbers(Call("serving_default", {{"x", MakeVector<float>({1, -2})}}).at("y")), ElementsAre(3.5, -7));
  const auto answers = Call("words", Words());
  EXPECT_THAT(Integers(answers.at("numbers")), ElementsAre(2, -1, 0));
  EXPECT_THAT(Numbers(answers.at("tens")), ElementsAre(35));
  EXPECT_EQ(answers.at("text").scalar<std::string>(), "ant\nbee\ncat\n");
}

TEST_P(RecordedModels, OfTensorFlow2RunFunctionsLoopsAndConditionals) {
  Load("functions_v2");
  auto answers = Call("serving_default", {{"x", MakeTensor<float>({1, 2}, {1, 1})}});
  EXPECT_THAT(Numbers(answers.at("y")), ElementsAre(16, -8));
  EXPECT_THAT(Numbers(answers.at("steps")), ElementsAre(3));
  answers = Call("serving_default", {{"x", MakeTensor<float>({2, 2}, {5, 0, 0, 5})}});
  EXPECT_THAT(Numbers(answers.at("y")), ElementsAre(-10, -20, -30, 40));
  EXPECT_THAT(Numbers(answers.at("steps")), ElementsAre(1));
}

TEST_P(RecordedModels, OfTensorFlow2KeepTablesAndVariablesBetweenCalls) {
  Load("functions_v2");
  const auto answers = Call("words", Words());
  EXPECT_THAT(Integers(answers.at("numbers")), ElementsAre(2, -1, 0));
  EXPECT_THAT(Integers(answers.at("size")), ElementsAre(3));
  EXPECT_THAT(Integers(Call("count", {}).at("n")), ElementsAre(7));
  EXPECT_THAT(Integers(Call("count", {}).at("n")), ElementsAre(9));
}

INSTANTIATE_TEST_SUITE_P(Backends, RecordedModels, ::testing::Values("reference", "cpu"));

// The step that comes first is fed the paths of the folder that the model was read from.
TEST(RecordedModelsElsewhere, ReadTheAssetsOfTheirOwnFolder) {
  for (const std::string name : {"tables_v1", "functions_v2"}) {
    const TemporaryFolder folder;
    const std::string copy = folder.path() + "/copy";
    std::filesystem::copy(SourcePath("client/saved_model/testdata/" + name), copy,
                          std::filesystem::copy_options::recursive);
    WriteFile(copy + "/assets/words.txt", "dog\nelk\n");
    const SavedModel model = ReadSavedModel(copy);
    const auto session = OpenSession("cpu");
    LoadSavedModel(model, *session);
    EXPECT_THAT(Integers(CallSignature(*session, model, "words", Words()).at("numbers")), ElementsAre(-1, 0, -1))
        << name;
  }
}

}  // namespace
}  // namespace plumb
