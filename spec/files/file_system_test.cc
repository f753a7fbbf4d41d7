#include "spec/files/file_system.h"

#include <gmock/gmock.h>
#include <sys/fsuid.h>
#include <sys/stat.h>

#include <filesystem>

#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/file_pattern.h"
#include "spec/files/open_files.h"
#include "spec/files/temporary_folder.h"
#include "spec/files/working_folder_testing.h"

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class F>
Code CodeOf(const F& call) {
  return StatusOf(call).code();
}

TEST(FileSystem, AFileIsReplacedAtOnce) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  WriteFile(path, "old");
  {
    const auto file = Files().Replace(path);
    file->Append("lost");
  }
  const auto file = Files().Replace(path);
  file->Append("new ");
  file->Append(std::string(100000, 'x'));
  EXPECT_EQ(Files().Read(path), "old");
  file->Commit();
  EXPECT_EQ(Files().Read(path), "new " + std::string(100000, 'x'));
  EXPECT_THAT(Files().List(folder.path()), ElementsAre("file"));
  EXPECT_EQ(CodeOf([&] { Files().Read(path, 10); }), Code::kResourceExhausted);
  EXPECT_EQ(CodeOf([&] { Files().Open(path)->ReadAt(100000, 5, std::string(5, ' ').data()); }), Code::kOutOfRange);
  EXPECT_EQ(CodeOf([&] { Files().Open(folder.path()); }), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOf([&] { Files().Open(path + "/none"); }), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOf([&] { Files().Open(path + "none"); }), Code::kNotFound);
  EXPECT_EQ(CodeOf([&] { Files().Open(path + std::string(1, '\0')); }), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { Files().Replace(folder.path()); }), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOf([&] { Files().Replace("/dev/null"); }), Code::kFailedPrecondition);
}

TEST(FileSystem, AFileThatHasSettledGoesOnBesideTheOldOne) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  WriteFile(path, "old");
  const auto file = Files().Replace(path);
  file->Append(std::string(200000, 'x'));
  Settle(file.get());
  file->Append("y");
  Settle(file.get());
  Settle(file.get());
  EXPECT_EQ(Files().Read(path), "old");
  file->Append("z");
  file->Commit();
  EXPECT_EQ(Files().Read(path), std::string(200000, 'x') + "yz");
  EXPECT_THAT(Files().List(folder.path()), ElementsAre("file"));
}

// Pieces of either side of what is collected before it is written, whatever has been collected by then.
TEST(FileSystem, PiecesOfAnySizesStandInTheirOrder) {
  const TemporaryFolder folder;
  constexpr size_t kCollected = 1 << 16;
  for (const size_t first : {size_t{1}, kCollected / 4}) {
    for (const size_t second : {kCollected * 3 / 4, kCollected - 1, kCollected}) {
      const std::string path = folder.path() + "/file", pieces[] = {std::string(first, 'a'), std::string(second, 'b')};
      const auto file = Files().Replace(path);
      for (const std::string& piece : pieces) file->Append(piece);
      file->Append("c");
      file->Commit();
      EXPECT_TRUE(Files().Read(path) == pieces[0] + pieces[1] + "c") << first << " and " << second;
    }
  }
}

TEST(FileSystem, MissingFoldersAreMade) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a/b/c";
  EXPECT_EQ(CodeOf([&] { Files().MakeFolder(path); }), Code::kNotFound);
  Files().MakeFolders(path);
  Files().MakeFolders(path);
  EXPECT_TRUE(Files().IsFolder(path));
  EXPECT_EQ(CodeOf([&] { Files().RemoveFolder(folder.path() + "/a"); }), Code::kFailedPrecondition);
  Files().RemoveFolder(path);
  EXPECT_FALSE(Files().Exists(path));
}

// A pipe would keep whoever opens it waiting for a writer.
TEST(FileSystem, AFileLongerThanABlockIsReadWhole) {
  const TemporaryFolder folder;
  std::string content((size_t{1} << 24) + 5, 'x');
  content[(size_t{1} << 24) + 1] = 'y';
  WriteFile(folder.path() + "/file", content);
  EXPECT_TRUE(Files().Read(folder.path() + "/file") == content);
}

TEST(FileSystem, WhatTheSystemSaysOtherwiseIsUnknown) {
  EXPECT_EQ(CodeOf([] { ReadFile(std::string(5000, 'x')); }), Code::kUnknown) << "a name that is too long";
}

TEST(FileSystem, ReadingThatFailsSaysSo) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/file", "four");
  char bytes[8];
  const auto file = Files().Open(folder.path() + "/file");
  EXPECT_EQ(CodeOf([&] { file->ReadAt(1, 4, bytes); }), Code::kOutOfRange);
  const auto memory = Files().Open("/proc/self/mem");  // nothing is at its beginning
  const Status failed = StatusOf([&] { memory->ReadAt(0, 4, bytes); });
  EXPECT_EQ(failed.code(), Code::kUnknown);
  EXPECT_THAT(failed.message(), HasSubstr("/proc/self/mem"));
}

// Root reads what nobody may: so as somebody else, this thread alone.
class AsNobody {
 public:
  AsNobody() : before_(setfsuid(65534)) {}
  ~AsNobody() { setfsuid(static_cast<uid_t>(before_)); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  const int before_;
};

TEST(FileSystem, WhatMayNotBeReadIsDenied) {
  const TemporaryFolder folder;
  const std::string closed = folder.path() + "/closed", path = closed + "/file";
  std::filesystem::create_directory(closed);
  WriteFile(path, "secret");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  {
    const AsNobody nobody;
    EXPECT_EQ(CodeOf([&] { Files().Open(path); }), Code::kPermissionDenied);
    EXPECT_EQ(CodeOf([&] { ReadFile(path); }), Code::kPermissionDenied);
    EXPECT_EQ(CodeOf([&] { WriteFile(path, "mine"); }), Code::kPermissionDenied);
    EXPECT_EQ(CodeOf([&] { Files().Replace(closed + "/other"); }), Code::kPermissionDenied);
  }
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);  // so that it can be removed
}

TEST(FileSystem, OnlyFoldersAreListed) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path() + "/pipe", file = folder.path() + "/file";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  WriteFile(file, "");
  for (const std::string& path : {pipe, file}) {
    EXPECT_EQ(CodeOf([&] { Files().List(path); }), Code::kFailedPrecondition) << path;
  }
  EXPECT_EQ(CodeOf([&] { ConfinedFiles(folder.path())->List("pipe"); }), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOf([&] { Files().List(file + "/none"); }), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOf([&] { Files().List(file + "none"); }), Code::kNotFound);
}

TEST(FileSystem, PatternsMatchNames) {
  const TemporaryFolder folder;
  const auto path = [&](const std::string& name) { return folder.path() + "/" + name; };
  for (const std::string name : {"x", "y", "y/z"}) Files().MakeFolder(path(name));
  for (const std::string name : {"a-1", "a-2", "b-1", ".hidden", "x/a-1", "y/a-1", "y/z/a-1", "a*"}) {
    WriteFile(path(name), "");
  }
  const auto found = [&](const std::string& pattern) { return Matching(Files(), path(pattern)); };
  EXPECT_THAT(found("a-?"), ElementsAre(path("a-1"), path("a-2")));
  EXPECT_THAT(found("*-1"), ElementsAre(path("a-1"), path("b-1")));
  EXPECT_THAT(found(".*"), ElementsAre(path(".hidden")));
  EXPECT_THAT(found("[xy]/a-1"), ElementsAre(path("x/a-1"), path("y/a-1")));
  EXPECT_THAT(found("*/*/a*"), ElementsAre(path("y/z/a-1")));
  EXPECT_THAT(found("b-1"), ElementsAre(path("b-1")));
  EXPECT_THAT(found("a\\*"), ElementsAre(path("a*")));
  EXPECT_THAT(found("c*"), IsEmpty());
  EXPECT_THAT(found("none/c*"), IsEmpty());
  EXPECT_THAT(Matching(Files(), ""), IsEmpty());
  EXPECT_THAT(Matching(*ConfinedFiles(folder.path()), "b-*"), ElementsAre("./b-1"));
}

// Nothing outside is read, written, listed, removed or asked for.
TEST(FileSystem, ConfinedOnesStayBelowTheirFolder) {
  const TemporaryFolder folder;
  const std::string root = folder.path() + "/root", outside = folder.path() + "/secret";
  std::filesystem::create_directories(root + "/in");
  WriteFile(outside, "secret");
  WriteFile(root + "/in/file", "open");
  std::filesystem::create_symlink(outside, root + "/link");
  std::filesystem::create_directory_symlink(folder.path(), root + "/up");
  const auto files = ConfinedFiles(root);
  EXPECT_EQ(files->Read("in/file"), "open");
  EXPECT_EQ(files->Read("/" + root.substr(1) + "/in/./file"), "open");
  EXPECT_THAT(files->List(""), ElementsAre("in", "link", "up"));
  EXPECT_EQ(CodeOf([&] { files->List(folder.path()); }), Code::kPermissionDenied);
  EXPECT_EQ(CodeOf([&] { files->List(".."); }), Code::kPermissionDenied);
  EXPECT_EQ(CodeOf([&] { files->List("up"); }), Code::kFailedPrecondition) << "a link is no folder";
  for (const std::string& path : {outside, std::string("../secret"), std::string("in/../../secret"),
                                  std::string("up/secret"), std::string("link"), root + "x/file", std::string("/")}) {
    EXPECT_EQ(CodeOf([&] { files->Open(path); }), Code::kPermissionDenied) << path;
  }
  for (const std::string& path : {outside, std::string("../new"), std::string("up/new")}) {
    EXPECT_EQ(CodeOf([&] { files->Replace(path); }), Code::kPermissionDenied) << path;
    EXPECT_EQ(CodeOf([&] { files->MakeFolder(path); }), Code::kPermissionDenied) << path;
    EXPECT_EQ(CodeOf([&] { files->Remove(path); }), Code::kPermissionDenied) << path;
    EXPECT_EQ(CodeOf([&] { files->Rename("in/file", path); }), Code::kPermissionDenied) << path;
    EXPECT_EQ(CodeOf([&] { files->Exists(path); }), Code::kPermissionDenied) << path;
  }
  files->MakeFolders(root + "/in/deep/er");
  EXPECT_TRUE(files->IsFolder("in/deep/er"));
  EXPECT_EQ(CodeOf([&] { files->Replace("link"); }), Code::kPermissionDenied);
  EXPECT_EQ(ReadFile(outside), "secret");
}

TEST(FileSystem, ConfinedOnesMayBeginInTheCurrentFolder) {
  const TemporaryWorkingFolder folder;
  std::filesystem::create_directories("root");
  WriteFile("root/file", "open");
  const auto files = ConfinedFiles("./root/");
  EXPECT_EQ(files->Read("file"), "open");
  EXPECT_EQ(files->Read(std::filesystem::current_path().string() + "/root/file"), "open");
}

// Only by reading, and only what was handed over.
TEST(FileSystem, ConfinedOnesReadWhatTheUserHandsOverBeside) {
  const TemporaryFolder folder;
  const std::string root = folder.path() + "/root", model = folder.path() + "/model", ckpt = folder.path() + "/ckpt-1";
  std::filesystem::create_directories(root);
  std::filesystem::create_directories(model + "/variables");
  WriteFile(root + "/file", "open");
  WriteFile(ckpt + ".index", "index");
  WriteFile(ckpt + "0.index", "of another");
  WriteFile(model + "/variables/values", "values");
  std::filesystem::create_symlink(ckpt + "0.index", model + "/link");
  const auto with_checkpoint = ConfinedFiles(root, ckpt), with_model = ConfinedFiles(root, model + "/");
  EXPECT_EQ(with_checkpoint->Read("file"), "open");
  EXPECT_EQ(with_checkpoint->Read(ckpt + ".index"), "index");
  EXPECT_FALSE(with_checkpoint->Exists(ckpt));
  EXPECT_EQ(with_model->Read("file://" + model + "/variables/values"), "values");
  EXPECT_TRUE(with_model->IsFolder(model));
  EXPECT_THAT(with_model->List(model + "/variables"), ElementsAre("values"));
  for (const std::string& path : {ckpt + "0.index", ckpt + "./../secret", model + "/variables/values"}) {
    EXPECT_EQ(CodeOf([&] { with_checkpoint->Open(path); }), Code::kPermissionDenied) << path;
  }
  for (const std::string& path : {ckpt + ".index", model + "/../ckpt-1.index", model + "/link", model + "s"}) {
    EXPECT_EQ(CodeOf([&] { with_model->Open(path); }), Code::kPermissionDenied) << path;
  }
  EXPECT_EQ(CodeOf([&] { with_checkpoint->Replace(ckpt + ".index"); }), Code::kPermissionDenied);
  EXPECT_EQ(CodeOf([&] { with_model->Remove(model + "/variables/values"); }), Code::kPermissionDenied);
}

// A checkpoint in several files is named by a pattern.
TEST(FileSystem, ConfinedOnesReadWhatMatchesThePatternThatTheUserHandsOver) {
  const TemporaryWorkingFolder folder;
  std::filesystem::create_directories("root");
  WriteFile("root/ckpt-00000-of-00002", "in the root");
  for (const std::string name : {"ckpt-00000-of-00002", "ckpt-00001-of-00002", "ckpt-x"}) WriteFile(name, name);
  for (const std::string& begin : {std::string(), folder.path() + "/"}) {
    const std::string pattern = begin + "ckpt-????\?-of-00002", found_at = begin.empty() ? "./" : begin;
    const auto files = ConfinedFiles("root", pattern);
    EXPECT_THAT(Matching(*files, pattern),
                ElementsAre(found_at + "ckpt-00000-of-00002", found_at + "ckpt-00001-of-00002"));
    EXPECT_FALSE(files->IsFolder(found_at + "ckpt-00000-of-00002"));
    EXPECT_EQ(files->Read(found_at + "ckpt-00000-of-00002"), "ckpt-00000-of-00002");
    EXPECT_FALSE(files->Exists(pattern + ".index"));
    EXPECT_EQ(CodeOf([&] { files->Replace(folder.path() + "/ckpt-00001-of-00002"); }), Code::kPermissionDenied);
    EXPECT_EQ(CodeOf([&] { files->Read(folder.path() + "/ckpt-x"); }), Code::kPermissionDenied);
    EXPECT_EQ(CodeOf([&] { files->List(folder.path()); }), Code::kPermissionDenied);
    EXPECT_EQ(CodeOf([&] { Matching(*files, folder.path() + "/*"); }), Code::kPermissionDenied);
  }
}

TEST(FileSystem, NamesAreAsLongAsTheyMayBe) {
  const TemporaryFolder folder;
  const std::string longest = folder.path() + "/" + std::string(255, 'n');
  WriteFile(longest, "there");
  EXPECT_EQ(Files().Read(longest), "there");
  EXPECT_NE(CodeOf([&] { WriteFile(longest + "n", "too long"); }), Code::kOk);
  std::string deep = folder.path();
  for (int level = 0; level < 20'000; ++level) deep += "/d";
  EXPECT_EQ(CodeOf([&] { Files().MakeFolders(deep); }), Code::kInvalidArgument);
  EXPECT_THAT(Files().List(folder.path()), ElementsAre(std::string(255, 'n')));
}

// What is written to a link is the file that it leads to, which need not be there yet.
TEST(FileSystem, ReplacesWhereLinksLead) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/in");
  std::filesystem::create_symlink("in/file", folder.path() + "/link");
  std::filesystem::create_symlink(folder.path() + "/link", folder.path() + "/in/other");
  for (const char* const content : {"one", "two"}) {
    Files().Write(folder.path() + "/in/other", content);
    EXPECT_EQ(Files().Read(folder.path() + "/in/file"), content);
  }
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() + "/link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() + "/in/other"));
  std::filesystem::create_symlink("ring", folder.path() + "/ring");
  EXPECT_EQ(CodeOf([&] { Files().Write(folder.path() + "/ring", "x"); }), Code::kFailedPrecondition);
  EXPECT_THAT(Files().List(folder.path()), ElementsAre("in", "link", "ring"));
}

// Whoever has the file open sees what is added.
TEST(FileSystem, FilesGrowWhereTheyAre) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  Files().Append(path, "one ");
  const auto before = std::filesystem::status(path);
  std::filesystem::create_hard_link(path, folder.path() + "/same");
  Files().Append(path, "two");
  EXPECT_EQ(Files().Read(folder.path() + "/same"), "one two");
  EXPECT_EQ(std::filesystem::status(path).permissions(), before.permissions());
  EXPECT_EQ(CodeOf([&] { Files().Append(folder.path(), "x"); }), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOf([&] { Files().Append(folder.path() + "/none/file", "x"); }), Code::kNotFound);
  std::filesystem::create_symlink(path, folder.path() + "/link");
  const auto confined = ConfinedFiles(folder.path());
  confined->Append("file", " three");
  EXPECT_EQ(Files().Read(path), "one two three");
  EXPECT_EQ(CodeOf([&] { confined->Append("link", "x"); }), Code::kPermissionDenied);
  EXPECT_EQ(CodeOf([&] { confined->Append("../file", "x"); }), Code::kPermissionDenied);
}

}  // namespace
}  // namespace plumb
