// A debugger for one step: it stops after nodes, and reads what to do next as lines of text, from a person or a script.
#pragma once

#include <iosfwd>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reference/session.h"

namespace plumb::reference {

class Debugger {
 public:
  // `prompt` is printed before each command is read.
  Debugger(std::istream& in, std::ostream& out, std::string prompt) : in_(in), out_(out), prompt_(std::move(prompt)) {}

  // Runs one step under the commands that `Help` lists. The end of the input lets the step run to its end. Returns what
  // the step returned; kCancelled when it was quit.
  Status Run(ReferenceSession& session, std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets);

 private:
  struct Seen {
    std::string place;
    std::vector<Token> outputs;
  };

  void AfterNode(const NodeRun& run);
  bool StopsAt(const NodeRun& run, const std::string& name);
  void ReadCommands();
  // Does one command; true when the step shall go on.
  bool Do(const std::string& line);
  void Break(const std::string& what);
  void Print(const std::string& tensor);
  void Where();
  void Help();

  std::istream& in_;
  std::ostream& out_;
  std::string prompt_;

  int64_t nodes_to_run_ = 0;          // stop when it reaches zero; negative: never
  std::string run_to_;                // stop after this node
  std::set<std::string> breaks_;      // nodes, and "nan", "inf", "dead"
  std::map<std::string, Seen> seen_;  // the latest outputs, by node
  std::string latest_;                // the node that ran last
  bool over_ = false, quit_ = false;
};

// Type, shape, first elements; of numbers also their range, mean, spread, and how many are zero, NaN or infinite.
std::string Describe(const Value& value);

}  // namespace plumb::reference
