#include "client/training/part_slices.h"

#include <algorithm>
#include <charconv>

#include "spec/checkpoint/slice.h"
#include "spec/core/status.h"

namespace plumb {
namespace {

std::vector<std::string> SlicesAlong(int axis, const std::vector<PartialShape>& parts, const Shape& whole) {
  std::string dims;
  for (const int64_t dim : whole.dims()) dims += Str(dim, " ");
  std::vector<std::string> slices;
  int64_t begin = 0;
  for (const PartialShape& part : parts) {
    const int64_t length = part.rank() == whole.rank() ? part.dim(axis) : -1;
    std::vector<int64_t> expected = whole.ToVector();
    expected[axis] = length;
    if (length <= 0 || length > whole[axis] - begin || part.dims() != expected) return {};
    TensorSlice slice = TensorSlice::Whole(whole.rank());
    slice.extents[axis] = {begin, length};
    slices.push_back(dims + slice.ToString());
    begin += length;
  }
  return begin == whole[axis] ? slices : std::vector<std::string>();
}

}  // namespace

std::optional<PartName> ParsePartName(const std::string& name) {
  constexpr std::string_view kPart = "/part_";
  const size_t at = name.rfind(kPart);
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = at + kPart.size(), end = std::min(name.find('/', begin), name.size());
  PartName part{name.substr(0, at) + name.substr(end), 0};
  const auto [stop, error] = std::from_chars(name.data() + begin, name.data() + end, part.number);
  if (error != std::errc() || stop != name.data() + end) return std::nullopt;
  return part;
}

std::vector<std::string> SlicesOf(const std::vector<PartialShape>& parts, const Shape& whole) {
  for (int axis = 0; axis < whole.rank(); ++axis) {
    std::vector<std::string> slices = SlicesAlong(axis, parts, whole);
    if (!slices.empty()) return slices;
  }
  return {};
}

}  // namespace plumb
