#include "fastpath/formulas/array/data_format.h"

#include <algorithm>

namespace plumb::fast {
namespace {

std::vector<int64_t> PlacesOf(const std::string& from, const std::string& to) {
  std::vector<int64_t> places;
  for (const char letter : from) places.push_back(static_cast<int64_t>(to.find(letter)));
  return places;
}

std::string Spatial(const std::string& format) {
  std::string spatial;
  for (const char letter : format) {
    if (letter == 'H' || letter == 'W' || (format.size() == 5 && letter == 'D')) spatial += letter;
  }
  Require(spatial.size() + 2 == format.size(), "the format '", format, "' must name ", format.size() - 2,
          " spatial dimensions");
  return spatial;
}

}  // namespace

DataFormats::DataFormats(const Node& node)
    : from(GetAttrOr<std::string>(node.attrs, "src_format", "NHWC")),
      to(GetAttrOr<std::string>(node.attrs, "dst_format", "NCHW")) {
  Require(from.size() == 4 || from.size() == 5, "a format has 4 or 5 letters, not '", from, "'");
  Require(to.size() == 4 || to.size() == 5, "a format has 4 or 5 letters, not '", to, "'");
  bool permuted = from.size() == to.size();
  for (const char letter : from) {
    permuted &= std::count(from.begin(), from.end(), letter) == 1 && std::count(to.begin(), to.end(), letter) == 1;
  }
  Require(permuted, "the letters of '", to, "' must be those of '", from, "', each once");
}

std::vector<int64_t> DataFormats::Places() const { return PlacesOf(from, to); }

std::vector<int64_t> DataFormats::PlacesOfRows(const Shape& shape) const {
  Require(shape.rank() == 1 || (shape.rank() == 2 && shape[1] == 2),
          "the input must be a vector or a matrix of pairs, not of shape ", shape.ToString());
  const auto rank = static_cast<int64_t>(from.size());
  Require(shape[0] == rank || shape[0] == rank - 2, "the input must have ", rank, " or ", rank - 2,
          " rows, not the shape ", shape.ToString());
  return shape[0] == rank ? Places() : PlacesOf(Spatial(from), Spatial(to));
}

}  // namespace plumb::fast
