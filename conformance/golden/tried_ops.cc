#include "conformance/golden/tried_ops.h"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "conformance/golden/case.h"
#include "spec/files/file.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

namespace fs = std::filesystem;

// What stands behind // outside of a text is left out.
std::string WithoutComments(const std::string& source) {
  std::string code;
  bool in_text = false;
  for (size_t i = 0; i < source.size(); ++i) {
    if (!in_text && source.compare(i, 2, "//") == 0) i = std::min(source.find('\n', i), source.size() - 1);
    const bool is_escaped = i > 0 && source[i - 1] == '\\';
    if (source[i] == '"' && !is_escaped) in_text = !in_text;
    if (source[i] == '\n') in_text = false;
    code += source[i];
  }
  return code;
}

// The ops that the source gives inputs to.
void AddCalledOps(const std::string& source, std::set<std::string>* ops) {
  static const std::regex called(R"re([\w>](?:[({]\s*|\(\s*"[^"\n]*"\s*,\s*)"(\w+)"\s*,\s*\{)re");
  const std::string code = WithoutComments(source);
  for (auto match = std::sregex_iterator(code.begin(), code.end(), called); match != std::sregex_iterator(); ++match) {
    if (FindOp((*match)[1].str()) != nullptr) ops->insert((*match)[1].str());
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
  std::set<std::string> called;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
    if (file.path().string().ends_with("_test.cc")) AddCalledOps(ReadFile(file.path()), &called);
  }
  return called;
}

std::vector<std::string> UntriedOps(const std::string& root) {
  std::set<std::string> tried = RecordedOps(root + "/conformance/golden/cases"), executed;
  for (const char* folder : {"/reference/ops", "/fastpath/cpu"}) tried.merge(OpsInTests(root + folder));
  for (const char* folder : {"/reference/step", "/backends"}) executed.merge(OpsInTests(root + folder));
  std::vector<std::string> untried;
  for (const OpDef* op : AllOps()) {
    const bool is_internal = op->name.starts_with('_');
    const bool is_tried = tried.contains(op->name) || (is_internal && executed.contains(op->name));
    if (!is_tried) untried.push_back(op->name);
  }
  return untried;
}

}  // namespace plumb::conformance
