// The reference and the fast path, asked the same: neither may crash, both give the same code, and values of the same
// types and shapes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/compare/oracle.h"
#include "spec/session/session.h"

namespace plumb::fuzz {

// How much of the values has to be equal. kSolved: rounding decides whether there are any, as of a matrix that is
// nearly singular.
enum class Alike { kShapes, kSolved, kBits };
using Contents = std::map<std::string, std::string>;

// What both are asked, in turn, step by step. Ends the process with the graph and both answers where these differ.
class Sides {
 public:
  // Paths lead into a folder of the process, where these files are, by name. Where there are none, it is emptied of
  // what one side left before the other one is asked.
  Sides(GraphDef graph, Alike alike, Contents files = {});

  // The code that both answered with. kResourceExhausted where one of them has no memory for it, and kUnimplemented
  // where one of them has no kernel, whatever the other says.
  Code Run(const conformance::StepRequest& step);
  // Where a file of this name lies.
  std::string PathOf(const std::string& name) const { return folder_ + "/" + name; }

 private:
  void Prepare() const;
  bool MayBoth(const Status& actual, const Status& expected) const;
  void CompareValues(const std::vector<reference::Value>& expected) const;
  [[noreturn]] void Differ(const std::string& actual, const std::string& expected) const;

  const std::string& folder_;
  const GraphDef graph_;
  const Alike alike_;
  const bool has_files_;
  conformance::Oracle reference_;
  std::unique_ptr<Session> fast_;
  Status loaded_;
  std::vector<Tensor> values_;  // of the fast path
};

}  // namespace plumb::fuzz
