// What `plumb saved-model` shows and answers, of models that TensorFlow wrote (client/saved_model/testdata/, whose test
// says what they compute) and of one that reads files and waits.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>

#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/file_system.h"
#include "spec/files/source_testing.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/npy.h"
#include "tools/command_line.h"

namespace plumb::tools {
namespace {

using ::testing::ExitedWithCode;
using ::testing::HasSubstr;

int SavedModelWith(std::vector<std::string> words) {
  words.insert(words.begin(), {"plumb", "saved-model"});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return RunCommandLine(static_cast<int>(argv.size()), argv.data());
}

// Ends the process with the exit code of the command, which prints on the error output alone. Options and a sandbox
// stay with a process.
void ExitAfter(const std::vector<std::string>& words) {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::exit(SavedModelWith(words));
}

std::string Recorded(const std::string& name) { return SourcePath("client/saved_model/testdata/" + name); }

std::string Shown(const std::string& folder) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(SavedModelWith({"show", folder}), 0);
  return testing::internal::GetCapturedStdout();
}

TEST(SavedModelShow, NamesSignaturesAndEachAssetOnce) {
  EXPECT_EQ(Shown(Recorded("tables_v1")),
            "tags serve: 58 nodes, TensorFlow 2.12.1\n"
            "  signature serving_default (tensorflow/serving/predict)\n"
            "    input  x: float32[?], x:0\n"
            "    output y: float32[?], y:0\n"
            "  signature words (tensorflow/serving/predict)\n"
            "    input  words: string[?], words:0\n"
            "    output numbers: int64[?], numbers:0\n"
            "    output tens: float32[], tens:0\n"
            "    output text: string[], text:0\n"
            "  asset words.txt, for asset:0\n");
}

TEST(SavedModelShow, LeavesTheStepThatComesFirstOut) {
  EXPECT_EQ(Shown(Recorded("functions_v2")),
            "tags serve: 23 nodes, TensorFlow 2.12.1\n"
            "  signature count (tensorflow/serving/predict)\n"
            "    output n: int64[], StatefulPartitionedCall:0\n"
            "  signature serving_default (tensorflow/serving/predict)\n"
            "    input  x: float32[?,2], serving_default_x:0\n"
            "    output steps: int32[], StatefulPartitionedCall_1:0\n"
            "    output y: float32[?,2], StatefulPartitionedCall_1:1\n"
            "  signature words (tensorflow/serving/predict)\n"
            "    input  words: string[?], words_words:0\n"
            "    output numbers: int64[?], StatefulPartitionedCall_2:0\n"
            "    output size: int64[], StatefulPartitionedCall_2:1\n"
            "  asset words.txt, for asset_path_initializer:0\n");
}

TEST(SavedModelRunDeathTest, CallsSignaturesByTheirNames) {
  const std::string v1 = Recorded("tables_v1"), v2 = Recorded("functions_v2");
  const std::string words = "words=string[3]{cat,dog,ant}", x = "x=float32[2,2]{5,0,0,5}";
  for (const std::string backend : {"reference", "cpu"}) {
    EXPECT_EXIT(ExitAfter({"run", v1, "--feed", "x=float32[2]{1,-2}", "--backend", backend}), ExitedWithCode(0),
                HasSubstr("y = float32[2] {3.5, -7}\n"));
    EXPECT_EXIT(ExitAfter({"run", v1, "--signature", "words", "--feed", words, "--backend", backend}),
                ExitedWithCode(0), HasSubstr("numbers = int64[3] {2, -1, 0}\ntens = float32[] {35}\ntext = string[] "));
    EXPECT_EXIT(ExitAfter({"run", v2, "--feed", x, "--backend", backend}), ExitedWithCode(0),
                HasSubstr("steps = int32[] {1}\ny = float32[2,2] {-10, -20, -30, 40}\n"));
    EXPECT_EXIT(ExitAfter({"run", v2, "--signature", "words", "--feed", words, "--backend", backend}),
                ExitedWithCode(0), HasSubstr("numbers = int64[3] {2, -1, 0}\nsize = int64[] {3}\n"));
  }
  EXPECT_EXIT(ExitAfter({"run", v2, "--feed", x, "--fetch", "steps"}), ExitedWithCode(0),
              AllOf(HasSubstr("steps = int32[] {1}\n"), Not(HasSubstr("y = "))));
  EXPECT_EXIT(ExitAfter({"run", v2, "--feed", x, "--fetch", "y", "--limit", "2", "--threads", "1"}), ExitedWithCode(0),
              HasSubstr("y = float32[2,2] {-10, -20, "));
  EXPECT_EXIT(ExitAfter({"run", v2, "--signature", "other"}), ExitedWithCode(1),
              HasSubstr("no signature 'other'; there are 'count', 'serving_default', 'words'"));
  EXPECT_EXIT(ExitAfter({"run", v2, "--tag", "serve", "--tag", "gpu"}), ExitedWithCode(1),
              HasSubstr("no graph tagged 'serve', 'gpu'; there are 'serve'"));
}

TEST(SavedModelRunDeathTest, WritesWhatItFetches) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  EXPECT_EXIT(ExitAfter({"run", Recorded("functions_v2"), "--feed", "x=float32[2,2]{5,0,0,5}", "--output", out}),
              ExitedWithCode(0), Not(HasSubstr("steps = ")));
  EXPECT_TRUE(ReadNpy(out + "/steps.npy").BitwiseEquals(MakeScalar<int32_t>(1)));
  EXPECT_TRUE(ReadNpy(out + "/y.npy").BitwiseEquals(MakeTensor<float>({2, 2}, {-10, -20, -30, 40})));
}

// "read" yields the file that it is fed the path of; "wait" takes from a queue that nobody fills.
class SavedModelsThatReadAndWaitDeathTest : public testing::Test {
 protected:
  // With the node that is run first, or "".
  void Write(const std::string& first) {
    std::string text = R"(
      saved_model_schema_version: 1
      meta_graphs {
        meta_info_def { tags: "serve" }
        graph_def {
          node { name: "path" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
          node { name: "file" op: "ReadFile" input: "path" }
          node { name: "queue" op: "FIFOQueueV2"
                 attr { key: "component_types" value { list { type: DT_FLOAT } } } }
          node { name: "take" op: "QueueDequeueV2" input: "queue"
                 attr { key: "component_types" value { list { type: DT_FLOAT } } } } }
        signature_def { key: "read" value {
          inputs { key: "path" value { name: "path:0" dtype: DT_STRING } }
          outputs { key: "text" value { name: "file:0" dtype: DT_STRING } } } }
        signature_def { key: "wait" value { outputs { key: "x" value { name: "take:0" dtype: DT_FLOAT } } } }
    )";
    if (!first.empty())
      text += R"(collection_def { key: "legacy_init_op" value { node_list { value: ")" + first + "\" } } }";
    WriteFile(model_ + "/saved_model.pbtxt", text + "}");
  }
  void SetUp() override {
    for (const std::string& path : {model_, box_}) Files().MakeFolder(path);
    WriteFile(model_ + "/own.txt", "of the model");
    WriteFile(box_ + "/in.txt", "in the box");
    WriteFile(folder_.path() + "/out.txt", "out of it");
    Write("");
  }
  void ExitAfterReading(const std::string& path, const std::string& sandbox) {
    ExitAfter({"run", model_, "--signature", "read", "--feed", "path=string{\"" + path + "\"}", "--sandbox", sandbox});
  }
  const TemporaryFolder folder_;
  const std::string model_ = folder_.path() + "/model", box_ = folder_.path() + "/box";
};

TEST_F(SavedModelsThatReadAndWaitDeathTest, AreKeptToTheSandboxAndTheirOwnFolder) {
  const std::string outside = folder_.path() + "/out.txt";
  EXPECT_EXIT(ExitAfterReading(outside, ""), ExitedWithCode(0), HasSubstr("text = string[] {\"out of it\"}"));
  EXPECT_EXIT(ExitAfterReading(outside, box_), ExitedWithCode(1), HasSubstr("PERMISSION_DENIED"));
  EXPECT_EXIT(ExitAfterReading(box_ + "/in.txt", box_), ExitedWithCode(0), HasSubstr("{\"in the box\"}"));
  EXPECT_EXIT(ExitAfterReading(model_ + "/own.txt", box_), ExitedWithCode(0), HasSubstr("{\"of the model\"}"));
  EXPECT_EXIT(ExitAfter({"run", Recorded("tables_v1"), "--signature", "words", "--feed", "words=string[1]{cat}",
                         "--sandbox", box_}),
              ExitedWithCode(0), HasSubstr("numbers = int64[1] {2}\ntens = float32[] {35}\n"));
}

TEST_F(SavedModelsThatReadAndWaitDeathTest, EndWhenTheTimeOfAStepIsUp) {
  EXPECT_EXIT(ExitAfter({"run", model_, "--signature", "wait", "--timeout", "1"}), ExitedWithCode(1),
              AllOf(HasSubstr("DEADLINE_EXCEEDED"), HasSubstr("the signature 'wait'")));
  Write("take");
  EXPECT_EXIT(ExitAfter({"run", model_, "--signature", "wait", "--timeout", "1"}), ExitedWithCode(1),
              AllOf(HasSubstr("DEADLINE_EXCEEDED"), HasSubstr("the first step, 'take'")));
}

}  // namespace
}  // namespace plumb::tools
