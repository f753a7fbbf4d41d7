#include "conformance/compare/row_order.h"

#include <cstring>
#include <map>
#include <string>

namespace plumb::conformance {
namespace {

int64_t RowsOf(const Tensor& tensor) { return tensor.rank() == 0 ? 0 : tensor.dim(0); }
int64_t WidthOf(const Tensor& tensor) { return RowsOf(tensor) == 0 ? 0 : tensor.elements() / RowsOf(tensor); }

// Equal rows have equal texts.
std::string TextOfRow(const Tensor& tensor, int64_t row) {
  const int64_t width = WidthOf(tensor);
  if (tensor.dtype() == DType::kString) {
    std::string text;
    for (const std::string& element : tensor.data<std::string>().subspan(row * width, width)) {
      text += Str(element.size(), " ", element);
    }
    return text;
  }
  const size_t size = ElementSize(tensor.dtype()) * static_cast<size_t>(width);
  return {static_cast<const char*>(tensor.raw()) + static_cast<size_t>(row) * size, size};
}

}  // namespace

std::vector<int64_t> OrderOfRows(const Tensor& actual, const Tensor& expected) {
  std::multimap<std::string, int64_t> left;
  for (int64_t row = 0; row < RowsOf(actual); ++row) left.emplace(TextOfRow(actual, row), row);
  std::vector<int64_t> order(static_cast<size_t>(RowsOf(expected)), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    const auto found = left.find(TextOfRow(expected, static_cast<int64_t>(i)));
    if (found == left.end()) continue;
    order[i] = found->second;
    left.erase(found);
  }
  auto rest = left.begin();
  for (int64_t& row : order) {
    if (row < 0) row = (rest++)->second;
  }
  return order;
}

Tensor RowsInOrder(const Tensor& tensor, const std::vector<int64_t>& order) {
  if (RowsOf(tensor) != static_cast<int64_t>(order.size()) || tensor.elements() == 0) return tensor;
  Tensor result = tensor.Clone();
  const auto width = static_cast<size_t>(WidthOf(tensor));
  for (size_t row = 0; row < order.size(); ++row) {
    const auto from = static_cast<size_t>(order[row]);
    if (tensor.dtype() == DType::kString) {
      for (size_t i = 0; i < width; ++i) {
        result.mutable_data<std::string>()[row * width + i] = tensor.data<std::string>()[from * width + i];
      }
    } else {
      const size_t size = ElementSize(tensor.dtype()) * width;
      std::memcpy(static_cast<char*>(result.mutable_raw()) + row * size,
                  static_cast<const char*>(tensor.raw()) + from * size, size);
    }
  }
  return result;
}

}  // namespace plumb::conformance
