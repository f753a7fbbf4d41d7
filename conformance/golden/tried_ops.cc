#include "conformance/golden/tried_ops.h"

#include <filesystem>

#include "conformance/golden/case.h"
#include "spec/formats/file.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

namespace fs = std::filesystem;

// The texts between quotes of a source that are names of ops.
void AddQuotedOps(const std::string& source, std::set<std::string>* ops) {
  for (size_t open = source.find('"'); open != std::string::npos; open = source.find('"', open + 1)) {
    const size_t close = source.find('"', open + 1);
    if (close == std::string::npos) return;
    const std::string text = source.substr(open + 1, close - open - 1);
    if (FindOp(text) != nullptr) ops->insert(text);
  }
}

}  // namespace

std::set<std::string> RecordedOps(const std::string& folder) {
  std::set<std::string> recorded;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    if (!file.path().string().ends_with(".golden.gz")) continue;
    CaseReader cases(file.path());
    while (const auto ops = cases.SkipForOps()) recorded.insert(ops->begin(), ops->end());
  }
  return recorded;
}

std::set<std::string> OpsInTests(const std::string& folder) {
  std::set<std::string> named;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
    if (file.path().string().ends_with("_test.cc")) AddQuotedOps(ReadFile(file.path()), &named);
  }
  return named;
}

std::vector<std::string> UntriedOps(const std::string& root) {
  std::set<std::string> tried = RecordedOps(root + "/conformance/golden/cases");
  for (const char* folder : {"/reference", "/fastpath"}) tried.merge(OpsInTests(root + folder));
  std::vector<std::string> untried;
  for (const OpDef* op : AllOps()) {
    if (!op->name.starts_with('_') && !tried.contains(op->name)) untried.push_back(op->name);
  }
  return untried;
}

}  // namespace plumb::conformance
