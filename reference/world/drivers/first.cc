#include "reference/world/drivers/first.h"

namespace plumb::reference {

size_t FirstDriver::Choose(Choice, size_t, std::string_view) { return 0; }

}  // namespace plumb::reference
