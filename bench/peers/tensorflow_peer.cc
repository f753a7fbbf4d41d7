// TensorFlow's side of the comparison: the wheel's own library through TF_SessionRun, without Python.
// Usage: plumb_peer_tensorflow LIBRARY [executor|model]: "executor" turns TensorFlow's graph optimizers off.
#include <cstring>
#include <iostream>
#include <stdexcept>

#include "bench/peers/case.h"
#include "bench/peers/tensorflow_api.h"

namespace plumb::peers {
namespace {

class TensorFlowPeer : public Peer {
 public:
  TensorFlowPeer(const std::string& library, bool optimizers)
      : tf_(library), optimizers_(optimizers), status_(tf_.NewStatus()) {}
  ~TensorFlowPeer() override { Unload(); }

  void Load(const Case& task, int threads) override {
    Unload();
    Import(task.graph);
    Open(threads, task.cpus);
    for (const CaseFeed& feed : task.feeds) AddFeed(feed);
    for (const std::string& name : task.inits) RunTarget(name);
    for (const std::string& name : task.fetches) fetches_.push_back(Output(name));
    for (const std::string& name : task.targets) targets_.push_back(Output(name).oper);
    for (const std::string& name : task.runners) {
      const TF_Operation* const runner = Output(name).oper;
      runners_.Start([this, runner, status = tf_.NewStatus()] {
        tf_.SessionRun(session_, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0, &runner, 1, nullptr, status);
        return tf_.GetCode(status) == 0;
      });
    }
  }

  double Step() override {
    TF_Tensor* outputs[8] = {};
    tf_.SessionRun(session_, nullptr, feeds_.data(), values_.data(), static_cast<int>(feeds_.size()), fetches_.data(),
                   outputs, static_cast<int>(fetches_.size()), targets_.data(), static_cast<int>(targets_.size()),
                   nullptr, status_);
    Check();
    const double sum = fetches_.empty() ? 0 : Sum(outputs[0]);
    for (size_t i = 0; i < fetches_.size(); ++i) tf_.DeleteTensor(outputs[i]);
    return sum;
  }

 private:
  static constexpr int kFloat = 1;  // the number of float32 in DataType

  void Check() {
    if (tf_.GetCode(status_) != 0) throw std::runtime_error(tf_.Message(status_));
  }

  void Unload() {
    if (session_ != nullptr) {
      tf_.CloseSession(session_, status_);
      runners_.Join();
      tf_.DeleteSession(session_, status_);
      tf_.DeleteGraph(graph_);
    }
    for (TF_Tensor* value : values_) tf_.DeleteTensor(value);
    session_ = nullptr;
    feeds_.clear();
    values_.clear();
    fetches_.clear();
    targets_.clear();
  }

  void Import(const std::string& bytes) {
    graph_ = tf_.NewGraph();
    TF_Buffer* buffer = tf_.NewBufferFromString(bytes.data(), bytes.size());
    TF_ImportGraphDefOptions* options = tf_.NewImportGraphDefOptions();
    tf_.GraphImportGraphDef(graph_, buffer, options, status_);
    tf_.DeleteImportGraphDefOptions(options);
    tf_.DeleteBuffer(buffer);
    Check();
  }

  void Open(int threads, int cpus) {
    TF_SessionOptions* options = tf_.NewSessionOptions();
    const std::string config = SessionConfig(threads, cpus, optimizers_);
    tf_.SetConfig(options, config.data(), config.size(), status_);
    Check();
    session_ = tf_.NewSession(graph_, options, status_);
    tf_.DeleteSessionOptions(options);
    Check();
  }

  TF_Output Output(const std::string& name) {
    const size_t colon = name.rfind(':');
    const std::string node = name.substr(0, colon);
    TF_Operation* operation = tf_.GraphOperationByName(graph_, node.c_str());
    if (operation == nullptr) throw std::runtime_error("no node is called " + node);
    return {operation, colon == std::string::npos ? 0 : std::stoi(name.substr(colon + 1))};
  }

  void RunTarget(const std::string& name) {
    const TF_Operation* target = Output(name).oper;
    tf_.SessionRun(session_, nullptr, feeds_.data(), values_.data(), static_cast<int>(feeds_.size()), nullptr, nullptr,
                   0, &target, 1, nullptr, status_);
    Check();
  }

  void AddFeed(const CaseFeed& feed) {
    const int dtype = KindOf(feed.dtype).number;
    TF_Tensor* value =
        tf_.AllocateTensor(dtype, feed.dims.data(), static_cast<int>(feed.dims.size()), feed.bytes.size());
    std::memcpy(tf_.TensorData(value), feed.bytes.data(), feed.bytes.size());
    feeds_.push_back(Output(feed.name));
    values_.push_back(value);
  }

  double Sum(const TF_Tensor* tensor) {
    if (tf_.TensorType(tensor) != kFloat) return 0;
    const auto* values = static_cast<const float*>(tf_.TensorData(tensor));
    double sum = 0;
    for (size_t i = 0; i < tf_.TensorByteSize(tensor) / sizeof(float); ++i) sum += values[i];
    return sum;
  }

  TensorFlowApi tf_;
  bool optimizers_;
  TF_Status* status_;
  TF_Graph* graph_ = nullptr;
  TF_Session* session_ = nullptr;
  std::vector<TF_Output> feeds_, fetches_;
  std::vector<TF_Tensor*> values_;
  std::vector<const TF_Operation*> targets_;
  Runners runners_;
};

}  // namespace
}  // namespace plumb::peers

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: plumb_peer_tensorflow LIBRARY [executor|model]\n";
    return 2;
  }
  try {
    plumb::peers::TensorFlowPeer peer(argv[1], argc > 2 && std::string(argv[2]) == "model");
    return plumb::peers::Serve(peer);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
