// What a command line that cannot be followed ends with.
#include "tools/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <new>

#include "spec/core/status.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// What `plumb WORDS` says on its error output, having failed.
std::string Refusal(std::vector<std::string> words) {
  words.insert(words.begin(), "plumb");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunCommandLine(static_cast<int>(argv.size()), argv.data()), 1) << words.at(1);
  return testing::internal::GetCapturedStderr();
}

TEST(CommandLines, SayWhatIsThrown) {
  const auto said = [](const std::function<int()>& run) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(ExitCodeOf(run), 1);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said([]() -> int { throw NotFound("no model"); }), "plumb: NOT_FOUND: no model\n");
  EXPECT_THAT(said([]() -> int { throw std::filesystem::filesystem_error("a path", std::error_code()); }),
              HasSubstr("plumb: INTERNAL: filesystem error: a path"));
  EXPECT_EQ(said([]() -> int { throw std::bad_alloc(); }), "plumb: RESOURCE_EXHAUSTED: out of memory\n");
  EXPECT_EQ(ExitCodeOf([] { return 7; }), 7);
}

TEST(CommandLines, NameFoldersThatCannotBeMade) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file", below = file + "/x";
  WriteFile(file, "");
  const auto names = [&](const char* option) {
    return AllOf(HasSubstr("cannot make the folder '" + below + "': Not a directory"),
                 HasSubstr(std::string("let ") + option + " name a folder"));
  };
  EXPECT_THAT(Refusal({"make-data", "digits", below}), names("DIR"));
  EXPECT_THAT(Refusal({"demo", "--out", below}), names("--out"));
  EXPECT_THAT(Refusal({"train", "char-lstm", "--out", below}), names("--out"));
  EXPECT_THAT(Refusal({"train", "softmax", "--checkpoint", below}), names("--checkpoint"));
  EXPECT_THAT(Refusal({"train", "softmax", "--checkpoint", file}), HasSubstr("'" + file + "' is no folder"));
  EXPECT_THAT(Refusal({"make-data", "digits", "/proc/x"}), HasSubstr("'/proc/x'"));
}

TEST(CommandLines, NameSavedModelsThatCannotBeOpened) {
  const TemporaryFolder folder;
  const std::string link = folder.path() + "/saved_model.pb", name(300, 'm');
  std::filesystem::create_symlink(link, link);
  EXPECT_THAT(Refusal({"saved-model", "show", folder.path()}),
              AllOf(HasSubstr(link), HasSubstr("Too many levels of symbolic links")));
  EXPECT_THAT(Refusal({"saved-model", "show", name}), AllOf(HasSubstr(name), HasSubstr("File name too long")));
}

}  // namespace
}  // namespace plumb::tools
