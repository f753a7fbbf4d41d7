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
};

struct GoldenCase {
  std::string name;
  GraphDef graph;
  Status graph_status;  // not ok: the graph's bytes make no sense, and `graph` is empty
  std::vector<RecordedStep> steps;
  Status contents_status;        // not ok: files or steps cannot be decoded
  std::vector<std::string> ops;  // op types that the steps can reach, functions included
  bool refused = false;          // the graph cannot be built: loading or running gives the step's code
  bool races = false;            // has several outcomes
};

// The cases of one file, in order. "${DIR}" in strings becomes `folder`, where a case's files are written.
class CaseReader {
 public:
  explicit CaseReader(const std::string& path) : records_(path, Compression::kGzip) {}
  // Nothing at the end. Throws kDataLoss for what is not a case.
  std::optional<GoldenCase> Next(const std::string& folder);
  // Passes over a case, and gives its name.
  std::optional<std::string> Skip();

 private:
  RecordReader records_;
};

}  // namespace plumb::conformance
