#include <algorithm>
#include <cstdio>
#include <set>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/printed_element.h"
#include "spec/files/file_system.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

constexpr std::string_view kFile = "file://";

// How often a node has printed.
struct Times : KernelState {
  std::unique_ptr<KernelState> Clone(Copies&) const override { return std::make_unique<Times>(*this); }
  void Save(const StateWriter& writer) const override { writer.PutScalar<int64_t>("times", times); }
  void Restore(const StateReader& reader) override { times = reader.GetScalar<int64_t>("times"); }
  int64_t times = 0;
};

// The elements of a part of a tensor in their order, those of each row, each matrix and so on in brackets, until none
// is `left` to be shown.
template <class T>
std::string FirstRows(const Tensor& tensor, int axis, int64_t first, int64_t& left) {
  int64_t step = 1;
  for (int k = axis + 1; k < tensor.rank(); ++k) step *= tensor.dim(k);
  std::string text;
  for (int64_t i = 0; i < tensor.dim(axis) && left > 0; ++i) {
    if (axis < tensor.rank() - 1) {
      text += "[" + FirstRows<T>(tensor, axis + 1, first + i * step, left) + "]";
    } else {
      text += (i > 0 ? " " : "") + PrintedElement(tensor.data<T>()[first + i]);
      --left;
    }
    // A row that is cut off says so; so does the whole.
    if (left == 0 && axis > 0 && axis == tensor.rank() - 1 && i + 1 < tensor.dim(axis)) text += "...";
  }
  return text;
}

std::string QuestionMarks(int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) text += i > 0 ? " ?" : "?";
  return text;
}

// The first `most` elements, or all where it is negative.
std::string FirstElements(const Tensor& tensor, int64_t most) {
  int64_t shown = most < 0 ? tensor.elements() : std::min(most, tensor.elements());
  if (shown == 0 && tensor.dtype() == DType::kBool) return "";
  const std::string end = shown < tensor.elements() ? "..." : "";
  if (shown == 0 || !IsPrinted(tensor.dtype())) return QuestionMarks(shown) + end;
  return VisitType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return (tensor.rank() == 0 ? PrintedElement(tensor.data<T>()[0]) : FirstRows<T>(tensor, 0, 0, shown)) + end;
  });
}

void Print(OpContext& c) {
  c.Output(0, c.input(0));
  const auto most = c.attr<int64_t>("first_n");
  int64_t& times = StateOf<Times>(c, [] { return std::make_unique<Times>(); }).times;
  if (most >= 0 && times >= most) return;
  ++times;
  std::string text = c.attr<std::string>("message");
  const auto summarize = c.attr<int64_t>("summarize");
  for (int i = 1; i < c.num_inputs(); ++i) {
    text += "[" + FirstElements(c.tensor(i), summarize) + "]";
  }
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool IsFile(const std::string& stream) { return stream.starts_with(kFile) && stream.size() > kFile.size(); }

void CheckSummarize(const Node& node) { Int32Attr(node, "summarize"); }

void CheckStream(const Node& node) {
  const auto& stream = GetAttr<std::string>(node.attrs, "output_stream");
  static const std::set<std::string> kStreams = {"stdout", "stderr", "log(info)", "log(warning)", "log(error)"};
  Require(kStreams.contains(stream) || IsFile(stream), "output_stream must be stdout, stderr, log(info), ",
          "log(warning), log(error) or file:// and a path, not '", stream, "'");
}

void PrintV2(OpContext& c) {
  const Tensor& input = c.tensor(0);
  Require(input.rank() == 0, "the text to print must be a scalar, not of shape ", input.shape().ToString());
  const std::string text = input.scalar<std::string>() + c.attr<std::string>("end");
  const auto& stream = c.attr<std::string>("output_stream");
  if (IsFile(stream)) {
    const std::string path = stream.substr(kFile.size());
    Files().Append(path, text);
    return;
  }
  std::FILE* const file = stream == "stdout" ? stdout : stderr;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

constexpr KernelRow kRows[] = {
    {"Print", Print, CheckSummarize},
    {"PrintV2", PrintV2, CheckStream},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LoggingPrint() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
