// A recorded case (golden.proto) as plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/compare/oracle.h"
#include "spec/formats/record.h"
#include "spec/graph/graph_def.h"

namespace plumb::conformance {

// How a recorded value is compared.
enum class Check { kExact, kBounded, kType };

struct RecordedValue {
  Tensor tensor;
  Check check = Check::kExact;
};

struct RecordedStep {
  StepRequest request;
  std::vector<RecordedValue> values;  // one per fetch when the code is kOk
  Code code = Code::kOk;
  std::string message;  // for people
  int group = 0;        // steps of one group, if it is not 0, start together, each on a thread of its own
};

// One of the ways in which a racing graph was seen to end.
struct RecordedOutcome {
  std::vector<Code> codes;     // one per step
  std::vector<Tensor> values;  // what the steps with code kOk fetched, in order
};

struct GoldenCase {
  std::string name;
  GraphDef graph;
  Status graph_status;  // not ok: the graph's bytes make no sense, and `graph` is empty
  std::vector<RecordedStep> steps;
  Status contents_status;                 // not ok: files or steps cannot be decoded
  std::vector<std::string> ops;           // op types that the steps can reach, in functions too
  bool refused = false;                   // the graph cannot be built: loading or running gives the step's code
  std::vector<RecordedOutcome> observed;  // of a racing graph: all that were seen; its steps carry no values
};

// The cases of one file, in order. "${DIR}" in strings becomes `folder`, where a case's files are written.
class CaseReader {
 public:
  explicit CaseReader(const std::string& path) : records_(path, Compression::kGzip) {}
  // Nothing at the end. Throws kDataLoss for what is not a case.
  std::optional<GoldenCase> Next(const std::string& folder);
  // Passes over a case, and gives its name.
  std::optional<std::string> Skip();
  // Passes over a case, and gives the ops that its steps reach.
  std::optional<std::vector<std::string>> SkipForOps();

 private:
  RecordReader records_;
};

}  // namespace plumb::conformance
