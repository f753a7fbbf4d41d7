// What a rank keeps of a session, on its way to whoever saves it, and back.
#pragma once

#include <string>
#include <string_view>

#include "spec/session/saved_state.h"

namespace plumb::dist {

std::string EncodeState(const SavedState& state);
// Throws kInvalidArgument for bytes that EncodeState did not write.
SavedState DecodeState(std::string_view bytes);

}  // namespace plumb::dist
