#include <algorithm>
#include <functional>
#include <iterator>

#include "reference/kernel/op_context.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

using Pieces = std::vector<std::string>;

bool IsSpace(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

// At white space, of which any amount is one cut. After `limit` cuts the rest is a piece, even an empty one.
Pieces WordsOf(const std::string& text, int64_t limit) {
  Pieces words;
  size_t at = 0;
  const auto skip_space = [&] {
    while (at < text.size() && IsSpace(text[at])) ++at;
  };
  for (skip_space(); at < text.size(); skip_space()) {
    const size_t begin = at;
    if (std::ssize(words) == limit) break;
    while (at < text.size() && !IsSpace(text[at])) ++at;
    words.push_back(text.substr(begin, at - begin));
  }
  if (std::ssize(words) == limit) words.push_back(text.substr(at));
  return words;
}

Pieces CutAt(const std::string& text, const std::string& separator, int64_t limit) {
  Pieces pieces;
  size_t begin = 0;
  while (std::ssize(pieces) != limit) {
    const size_t cut = text.find(separator, begin);
    if (cut == std::string::npos) break;
    pieces.push_back(text.substr(begin, cut - begin));
    begin = cut + separator.size();
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

// At each byte that is a delimiter; between all bytes if there are no delimiters.
Pieces CutAtBytes(const std::string& text, const std::string& delimiters) {
  if (text.empty()) return {};
  Pieces pieces(1);
  for (const char c : text) {
    if (delimiters.empty() && !pieces.back().empty()) pieces.emplace_back();
    if (delimiters.find(c) == std::string::npos) {
      pieces.back() += c;
    } else {
      pieces.emplace_back();
    }
  }
  return pieces;
}

// Row i of a sparse matrix has the pieces of text i.
void OutputPieces(OpContext& c, const std::function<Pieces(const std::string&)>& split) {
  Require(c.tensor(0).rank() == 1, "the input to split is a vector, not of shape ", c.tensor(0).shape().ToString());
  Pieces values;
  std::vector<int64_t> indices;
  int64_t row = 0, width = 0;
  for (const std::string& text : c.tensor(0).data<std::string>()) {
    int64_t column = 0;
    for (std::string& piece : split(text)) {
      indices.insert(indices.end(), {row, column++});
      values.push_back(std::move(piece));
    }
    width = std::max(width, column);
    ++row;
  }
  c.Output(0, MakeTensor<int64_t>({std::ssize(values), 2}, std::span<const int64_t>(indices)));
  c.Output(1, MakeTensor<std::string>({std::ssize(values)}, std::span<const std::string>(values)));
  c.Output(2, MakeVector<int64_t>({row, width}));
}

const std::string& SeparatorIn(const OpContext& c) {
  Require(c.tensor(1).rank() == 0, "the separator is a scalar, not of shape ", c.tensor(1).shape().ToString());
  return c.tensor(1).scalar<std::string>();
}

void StringSplit(OpContext& c) {
  const std::string& delimiters = SeparatorIn(c);
  const bool skip_empty = c.attr<bool>("skip_empty");
  OutputPieces(c, [&](const std::string& text) {
    Pieces pieces = CutAtBytes(text, delimiters);
    if (skip_empty) std::erase(pieces, "");
    return pieces;
  });
}

void StringSplitV2(OpContext& c) {
  const std::string& separator = SeparatorIn(c);
  const int64_t limit = Int32Attr(c.node, "maxsplit");
  OutputPieces(c, [&](const std::string& text) {
    if (limit == 0) return Pieces{text};
    return separator.empty() ? WordsOf(text, limit) : CutAt(text, separator, limit);
  });
}

constexpr KernelRow kRows[] = {
    {"StringSplit", StringSplit},
    {"StringSplitV2", StringSplitV2},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringSplit() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
