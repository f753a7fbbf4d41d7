#include <algorithm>
#include <string_view>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/elementwise/broadcast.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kGrain = 1024;  // strings to a chunk

// Bytes of UTF-8 that do not begin a character, 10xxxxxx, are the signed numbers below -64.
bool Continues(char byte) { return static_cast<signed char>(byte) < -64; }

// Walks `count` characters on from `at`; how many there were.
int64_t Advance(std::string_view text, int64_t count, size_t& at) {
  int64_t walked = 0;
  for (; walked < count && at < text.size(); ++walked) {
    for (++at; at < text.size() && Continues(text[at]);) ++at;
  }
  return walked;
}

// The same towards the front.
int64_t Retreat(std::string_view text, int64_t count, size_t& at) {
  int64_t walked = 0;
  for (; walked < count && at > 0; ++walked) {
    for (--at; at > 0 && Continues(text[at]);) --at;
  }
  return walked;
}

// False where `text` has no such position.
bool TakeBytes(std::string_view text, int64_t pos, int64_t len, std::string& part) {
  const auto size = static_cast<int64_t>(text.size());
  if (pos > size || pos < -size) return false;
  const int64_t begin = pos < 0 ? pos + size : pos;
  part.assign(text.substr(static_cast<size_t>(begin), len < 0 ? std::string_view::npos : static_cast<size_t>(len)));
  return true;
}

bool TakeCharacters(std::string_view text, int64_t pos, int64_t len, std::string& part) {
  size_t begin = 0;
  if (pos >= 0) {
    if (Advance(text, pos, begin) < pos) return false;
  } else {
    if (len < 0 || pos < -static_cast<int64_t>(text.size())) return false;
    begin = text.size();
    if (Retreat(text, -pos, begin) < -pos) return false;
  }
  size_t end = begin;
  Advance(text, len, end);
  part.assign(text.substr(begin, end - begin));
  return true;
}

class SubstrKernel : public Kernel {
 public:
  explicit SubstrKernel(const Node& node)
      : take_(GetAttr<std::string>(node.attrs, "unit") == "BYTE" ? TakeBytes : TakeCharacters) {}

  void Run(KernelContext& context) override {
    const Tensor &input = context.input(0), &pos = context.input(1), &len = context.input(2);
    Require(pos.shape() == len.shape(), "pos and len must have one shape, not ", Printed(pos.shape()), " and ",
            Printed(len.shape()));
    BroadcastPlan plan;
    Require(MakeBroadcastPlan(input.shape(), pos.shape(), plan), "strings of shape ", Printed(input.shape()),
            " and positions of shape ", Printed(pos.shape()), " do not broadcast");
    const std::string* strings = input.data<std::string>().data();
    std::string* parts = context.AllocateOutput(0, DType::kString, plan.result).mutable_data<std::string>().data();
    const int64_t inner = plan.inner(), x_step = plan.x_stride[plan.rank - 1], y_step = plan.y_stride[plan.rank - 1];
    context.pool().ParallelFor(plan.result.elements(), kGrain, [&](int64_t begin, int64_t end) {
      RowCursor row(plan, begin / inner);
      for (int64_t i = begin, at = begin % inner; i < end; ++i, ++at) {
        if (at == inner) {
          at = 0;
          row.Next();
        }
        const int64_t x = row.x() + at * x_step, y = row.y() + at * y_step;
        Require(take_(strings[x], IntAt(pos, y), IntAt(len, y), parts[i]), "string ", x, " has nothing at ",
                IntAt(pos, y), " of length ", IntAt(len, y));
      }
    });
  }

 private:
  bool (*const take_)(std::string_view, int64_t, int64_t, std::string&);
};

class StringLengthKernel : public Kernel {
 public:
  explicit StringLengthKernel(const Node& node) : bytes_(GetAttr<std::string>(node.attrs, "unit") == "BYTE") {}

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    const std::string* strings = input.data<std::string>().data();
    int32_t* lengths = context.AllocateOutput(0, DType::kInt32, input.shape()).mutable_data<int32_t>().data();
    context.pool().ParallelFor(input.elements(), kGrain * 16, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const std::string& text = strings[i];
        const int64_t continuing = bytes_ ? 0 : std::count_if(text.begin(), text.end(), Continues);
        lengths[i] = static_cast<int32_t>(static_cast<int64_t>(text.size()) - continuing);
      }
    });
  }

 private:
  const bool bytes_;
};

constexpr KernelRow kRows[] = {
    {"Substr", Make<SubstrKernel>},
    {"StringLength", Make<StringLengthKernel>},
};

}  // namespace

std::span<const KernelRow> StringSubstr() { return kRows; }

}  // namespace plumb::fast::cpu
