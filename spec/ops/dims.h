// Shape patterns: "[b... m k] [b... k n] -> [b... m n]" says how the shapes of an op's arguments hang together.
//
// One pattern per argument. In brackets: a name (one dimension; equal names are equal sizes), a name with dots (any
// number of dimensions; at most one in a shape), a number (that size), '?' (some size). A bare '?' is some shape. The
// pattern of an argument "T*N" or "list(Ts)" holds for each of its values.
//
// Read forwards it infers output shapes; read backwards it gives random input shapes (sample.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/shape.h"
#include "spec/ops/op_def.h"
#include "spec/ops/text_cursor.h"

namespace plumb {

struct DimPattern {
  enum class Kind { kName, kRest, kSize, kAny };
  Kind kind = Kind::kAny;
  std::string name;   // kName, kRest
  int64_t size = -1;  // kSize
};

struct ShapePattern {
  bool is_any = false;  // the bare '?'
  std::vector<DimPattern> dims;
  std::string ToString() const;
};

struct ShapeRelation {
  std::vector<ShapePattern> inputs;
  std::vector<ShapePattern> outputs;
};

// Both throw kInvalidArgument with the position of the mistake.
ShapePattern ParseShapePattern(TextCursor& cursor);
ShapeRelation ParseShapeRelation(std::string_view text);

// What the names of a pattern stand for, as far as it is known.
class DimBindings {
 public:
  // Learns from a value's shape. Throws kInvalidArgument when the shape contradicts the pattern or what is known.
  void Match(const ShapePattern& pattern, const PartialShape& shape);
  // The pattern with all that is known put in.
  PartialShape Apply(const ShapePattern& pattern) const;

  bool IsBound(const DimPattern& dim) const;
  void BindSize(const std::string& name, int64_t size);
  void BindRest(const std::string& name, const PartialShape& dims);
  // -1 where the size is not known.
  int64_t Size(const std::string& name) const;

 private:
  std::map<std::string, int64_t> sizes_;
  std::map<std::string, PartialShape> rests_;
};

// How many values an argument of a node with these attributes has (rule T1).
int64_t CountValues(const ArgDef& arg, const AttrMap& attrs);

// Output shapes by a pattern.
std::vector<PartialShape> InferByPattern(const ShapeContext& context, std::string_view pattern);

}  // namespace plumb
