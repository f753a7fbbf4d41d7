#include "spec/graph/saver_names.h"

#include <gtest/gtest.h>

#include "spec/formats/file.h"
#include "spec/formats/temporary_folder.h"

namespace plumb {
namespace {

GraphDef GraphOf(const std::vector<std::string>& names) {
  GraphDef graph;
  for (const std::string& name : names) graph.nodes.emplace_back().name = name;
  return graph;
}

// Z61.
TEST(SaverNames, AreThoseOfTheFileOrTheUsualOnes) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/graph";
  const GraphDef usual = GraphOf({"save/Const", "save/restore_all"}), own = GraphOf({"p", "r"});
  WriteFile(path, "saver_def { filename_tensor_name: 'p:0' save_tensor_name: 's:0' restore_op_name: 'r' }");
  EXPECT_EQ(LoadSaverNames(path, own)->prefix, "p:0");
  EXPECT_EQ(LoadSaverNames(path, own)->save, "s:0");
  EXPECT_EQ(LoadSaverNames(path, own)->restore, "r");
  EXPECT_EQ(LoadSaverNames(path, usual)->restore, "save/restore_all");
  EXPECT_FALSE(LoadSaverNames(path, GraphDef()).has_value());
  WriteFile(path, std::string("\x1a\x08\x0a\x03p:0\x1a\x01r", 10));
  EXPECT_EQ(LoadSaverNames(path, own)->restore, "r");
  WriteFile(path, "no message");
  EXPECT_FALSE(LoadSaverNames(path, own).has_value());
}

}  // namespace
}  // namespace plumb
