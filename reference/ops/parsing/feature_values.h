// The values of a Feature (rule 9.16).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/ops/parsing/wire_reader.h"
#include "spec/core/tensor.h"

namespace plumb::reference {

// TensorFlow has two readers, which differ where bytes are odd: in an Example a list of floats that are packed must be
// there as long as it says; in a SequenceExample it may end before, with a whole float.
enum class Message { kExample, kSequenceExample };

// Reads one Feature that must have values of `type` (float32, int64, string), as a vector. Of packed numbers only those
// of the first field count. Where the list ends the reader stays, even if more bytes follow.
Tensor ReadFeature(WireReader& reader, DType type, Message message);
// Reads a list of values of `type` that says it has no bytes.
void ReadEmptyFeature(WireReader& reader, DType type);
// What a feature in an Example has values of; kInvalid when it is empty.
DType TypeOfFeature(std::string_view feature);

// Vectors one behind the other.
Tensor Joined(DType type, const std::vector<Tensor>& parts);

}  // namespace plumb::reference
