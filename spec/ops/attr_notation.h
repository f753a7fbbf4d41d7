// The notation of attributes and sets of types (op_def.h), for the rows and for samples.
#pragma once

#include <string_view>
#include <vector>

#include "spec/ops/op_def.h"
#include "spec/ops/text_cursor.h"

namespace plumb {

// The types that a name such as "floats" stands for; null if it is none.
const std::vector<DType>* FindTypeSet(std::string_view name);
// "[floats, int32]": the types of the set, named sets written out.
std::vector<DType> ParseTypeSet(TextCursor& cursor);
// A value of the attribute's kind: 3, 'SAME', [1, 2], float32, true, [2, ?].
AttrValue ParseAttrValue(TextCursor& cursor, const AttrDef& attr);
// "N: int >= 1; T: type in [floats]".
std::vector<AttrDef> ParseAttrs(std::string_view text);

}  // namespace plumb
