#include "fastpath/cpu/string/print.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"
#include "spec/core/thread_annotations.h"
#include "spec/files/file_system.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

class PrintKernel : public Kernel {
 public:
  explicit PrintKernel(const Node& node)
      : message_(GetAttr<std::string>(node.attrs, "message")),
        most_(GetAttr<int64_t>(node.attrs, "first_n")),
        summarize_(Int32Attr(node, "summarize")) {}

  void Run(KernelContext& context) override {
    if (most_ < 0 || times_.fetch_add(1, std::memory_order_relaxed) < most_) {
      std::string text = message_;
      for (int i = 1; i < context.num_inputs(); ++i) {
        context.CopyGuarded(i);
        text += '[';
        AppendFirst(context.input(i), summarize_, text);
        text += ']';
      }
      text += '\n';
      std::fwrite(text.data(), 1, text.size(), stderr);
    }
    context.SetOutput(0, context.input(0));
  }
  bool KeepsAliases() const override { return true; }
  void Save(const StateWriter& writer) const override {
    const int64_t times = times_.load(std::memory_order_relaxed);
    writer.PutScalar<int64_t>("times", most_ < 0 ? times : std::min(times, most_));
  }
  void Restore(const StateReader& reader) override { times_ = reader.GetScalar<int64_t>("times"); }

 private:
  const std::string message_;
  const int64_t most_, summarize_;
  std::atomic<int64_t> times_ = 0;
};

class PrintV2Kernel : public Kernel {
 public:
  explicit PrintV2Kernel(const Node& node) : node_(node.name), end_(GetAttr<std::string>(node.attrs, "end")) {
    constexpr std::string_view kFile = "file://";
    constexpr std::string_view kStreams[] = {"stdout", "stderr", "log(info)", "log(warning)", "log(error)"};
    const auto& stream = GetAttr<std::string>(node.attrs, "output_stream");
    if (stream.starts_with(kFile)) path_ = stream.substr(kFile.size());
    Require(!path_.empty() || std::find(std::begin(kStreams), std::end(kStreams), stream) != std::end(kStreams),
            "text is printed to stdout, stderr, log(info), log(warning), log(error) or file:// and a ",
            "path, and not to '", stream, "'");
    stream_ = stream == "stdout" ? stdout : stderr;
  }

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    Require(input.rank() == 0, "one text is printed, not a tensor of shape ", Printed(input.shape()));
    const std::string text = input.scalar<std::string>() + end_;
    if (!path_.empty()) return Append(text);
    std::fwrite(text.data(), 1, text.size(), stream_);
    std::fflush(stream_);
  }

 private:
  // Texts that are added at once must not lose each other.
  void Append(const std::string& text) const {
    static Mutex mutex;
    MutexLock lock(mutex);
    Files().Append(path_, text);
  }

  const std::string node_, end_;
  std::string path_;
  std::FILE* stream_ = nullptr;
};

constexpr KernelRow kRows[] = {
    {"Print", Make<PrintKernel>},
    {"PrintV2", Make<PrintV2Kernel>},
};

}  // namespace

std::span<const KernelRow> LoggingPrint() { return kRows; }

}  // namespace plumb::fast::cpu
