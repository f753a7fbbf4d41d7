// For tests: what a session that is made up has in common with the others. A test says how steps answer.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "spec/session/session.h"

namespace plumb::conformance {

// Takes any graph, and has steps alone.
class RunOnlySession : public Session {
 public:
  using Session::Run;
  Status Extend(const GraphDef&) override { return OkStatus(); }
  Status MakeCallable(std::span<const std::string>, std::span<const std::string>, std::span<const std::string>,
                      std::unique_ptr<Callable>*) override {
    return Status(Code::kUnimplemented, "not needed");
  }
  Status Reset(std::span<const std::string>) override { return OkStatus(); }
  Status Close() override { return OkStatus(); }
};

}  // namespace plumb::conformance
