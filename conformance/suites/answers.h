// What the reference answers to the cases that an op is tried with. It computes each case once, however many backends
// are held against the answers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/compare/oracle.h"
#include "conformance/suites/single_node.h"

namespace plumb::conformance {

// To the steps of one case.
class Answers {
 public:
  explicit Answers(SingleNode single) : single_(std::move(single)), oracle_(single_.graph, Limits::kSharp) {}

  const SingleNode& single() const { return single_; }
  const Status& loaded() const { return oracle_.loaded(); }
  // To the step of this number, counted from 0; the steps before it were asked for.
  const reference::StepOutcome& To(size_t number, const StepRequest& step);
  // What a fetch of that step is under random rounding (Oracle::Sample).
  Samples Sampler(size_t number, size_t fetch);
  // Of what is remembered here: inputs, values and bounds.
  size_t bytes() const;

 private:
  std::vector<Tensor> Sampled(size_t number, size_t fetch);

  const SingleNode single_;
  Oracle oracle_;
  std::vector<StepRequest> steps_;
  std::vector<reference::StepOutcome> outcomes_;
  std::map<std::pair<size_t, size_t>, std::vector<Tensor>> samples_;  // by step and fetch
};

// To the cases of one op on one choice of types.
class KnownAnswers {
 public:
  // `backends`: that will ask; nothing is remembered for a single one.
  explicit KnownAnswers(size_t backends) : remembers_(backends > 1) {}

  // Those to a case of the same graph and the same inputs when they are known, else new ones.
  std::shared_ptr<Answers> Of(SingleNode single);

 private:
  const bool remembers_;
  size_t bytes_ = 0;  // of all but the newest, whose steps are still to come
  std::shared_ptr<Answers> newest_;
  std::multimap<std::string, std::shared_ptr<Answers>> known_;  // by the graph
};

}  // namespace plumb::conformance
