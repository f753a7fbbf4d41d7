#include "reference/world/drivers/seeded.h"

namespace plumb::reference {

// n is so far below 2⁶⁴ that the remainder is as good as uniform; and it is the same with every standard library.
size_t SeededDriver::Choose(Choice, size_t n, std::string_view) { return static_cast<size_t>(random_() % n); }

}  // namespace plumb::reference
