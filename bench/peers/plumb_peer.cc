// Our side of the comparison: the fast CPU backend through a Callable.
// Usage: plumb_peer [executor|model]: "executor" turns graph optimisation off, as on the other side.
#include <cstring>
#include <memory>
#include <stdexcept>

#include "backends/backends.h"
#include "bench/peers/case.h"
#include "spec/graph/proto_io.h"

namespace plumb::peers {
namespace {

void Check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

Tensor ToTensor(const CaseFeed& feed) {
  Tensor tensor(*ParseDType(feed.dtype), Shape(std::span<const int64_t>(feed.dims)));
  std::memcpy(tensor.mutable_raw(), feed.bytes.data(), feed.bytes.size());
  return tensor;
}

class PlumbPeer : public Peer {
 public:
  explicit PlumbPeer(bool optimize) { options_.optimize = optimize; }
  ~PlumbPeer() override { Close(); }

  void Load(const Case& task, int threads) override {
    Close();
    options_.threads = threads;
    options_.cpu_devices = task.cpus;
    session_ = OpenSession("cpu", options_);
    Check(session_->Extend(ParseGraphDef(task.graph)));
    std::vector<std::string> names;
    std::vector<Feed> fed;
    feeds_.clear();
    for (const CaseFeed& feed : task.feeds) {
      names.push_back(feed.name);
      feeds_.push_back(ToTensor(feed));
      fed.emplace_back(feed.name, feeds_.back());
    }
    std::vector<Tensor> none;
    if (!task.inits.empty()) Check(session_->Run(fed, {}, task.inits, &none));
    Check(session_->MakeCallable(names, task.fetches, task.targets, &callable_));
    for (const std::string& name : task.runners) {
      const std::vector<std::string> target = {name};
      auto enqueue = std::make_shared<std::unique_ptr<Session::Callable>>();
      Check(session_->MakeCallable({}, {}, target, enqueue.get()));
      runners_.Start([enqueue] {
        std::vector<Tensor> outputs;
        return (*enqueue)->Run({}, &outputs).ok();
      });
    }
  }

  double Step() override {
    const Status status = callable_->Run(feeds_, &outputs_);
    if (!status.ok()) Check(status);
    if (outputs_.empty() || outputs_[0].dtype() != DType::kFloat) return 0;
    double sum = 0;
    for (const float value : outputs_[0].data<float>()) sum += value;
    return sum;
  }

 private:
  void Close() {
    if (session_ != nullptr) static_cast<void>(session_->Close());
    runners_.Join();
    callable_.reset();
    session_.reset();
  }

  SessionOptions options_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Session::Callable> callable_;
  std::vector<Tensor> feeds_;
  std::vector<Tensor> outputs_;
  Runners runners_;
};

}  // namespace
}  // namespace plumb::peers

int main(int argc, char** argv) {
  plumb::peers::PlumbPeer peer(argc > 1 && std::string(argv[1]) == "model");
  return plumb::peers::Serve(peer);
}
