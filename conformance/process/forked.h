// Work in a process of its own, which may crash or hang without taking the caller along.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "spec/core/status.h"

namespace plumb::conformance {

// The work answers with lines of text. An Error that it throws is a failure.
using Answer = std::function<void(const std::string& line)>;
using ForkedWork = std::function<void(const Answer& answer)>;

// One such process. The caller must have one thread when it starts.
class ForkedProcess {
 public:
  explicit ForkedProcess(const ForkedWork& work);
  ~ForkedProcess();  // kills it
  ForkedProcess(const ForkedProcess&) = delete;
  ForkedProcess& operator=(const ForkedProcess&) = delete;

  // Readable when there are answers, or the end.
  int fd() const { return pipe_; }
  // Takes what has arrived; blocks when nothing has. False at the end.
  bool Read(std::vector<std::string>* answers);
  void Kill();
  // After the end: "crashed: …" or "threw …"; empty when it ended well.
  std::string Failure();
  // The Error that the work threw, whole; ok when it threw none.
  const Status& thrown() const { return thrown_; }

 private:
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string unread_;
  Status thrown_;
};

struct ForkedResult {
  std::vector<std::string> answers;  // that arrived before it ended
  std::string failure;               // as above, or "hung: …"
  Status thrown;                     // what it threw, if that was the failure
};

// Does the work and waits for it. The process is killed when nothing arrives for `silence`.
ForkedResult RunForked(const ForkedWork& work, std::chrono::milliseconds silence = std::chrono::seconds(120));

}  // namespace plumb::conformance
