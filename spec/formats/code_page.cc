#include "spec/formats/code_page.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>

#include <utility>
#include <vector>

#include "spec/core/status.h"
#include "spec/ops/string/encoding.h"

namespace plumb {
namespace {

struct Close {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Opened = std::unique_ptr<UConverter, Close>;

// ICU takes a name that it does not know for that of a file, and no name for the machine's own encoding.
bool IsListed(const std::string& name) {
  const auto has_aliases = [](const std::string& listed) {
    UErrorCode status = U_ZERO_ERROR;
    return ucnv_countAliases(listed.c_str(), &status) > 0 && U_SUCCESS(status);
  };
  const std::string plain = name.substr(0, name.find(','));  // without options
  return !plain.empty() && name.find('\0') == std::string::npos && (has_aliases(name) || has_aliases(plain));
}

Opened Open(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  Opened converter(IsListed(name) ? ucnv_open(name.c_str(), &status) : nullptr);
  return U_SUCCESS(status) ? std::move(converter) : nullptr;
}

// Notes that the bytes are no character, and has ICU put U+FFFD in their place.
void NoteMalformed(const void* malformed, UConverterToUnicodeArgs* args, const char* bytes, int32_t length,
                   UConverterCallbackReason reason, UErrorCode* status) {
  if (reason == UCNV_UNASSIGNED || reason == UCNV_ILLEGAL || reason == UCNV_IRREGULAR) {
    *static_cast<bool*>(const_cast<void*>(malformed)) = true;  // NOLINT: what ICU passes through
  }
  UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, args, bytes, length, reason, status);
}

}  // namespace

// What a thread has opened it keeps for the next text: to open one takes longer than to read a short text.
struct CodePageReader::Converter {
  std::string name;
  Opened opened;

  static std::vector<std::unique_ptr<Converter>>& Spare() {
    thread_local std::vector<std::unique_ptr<Converter>> spare;
    return spare;
  }
  static std::unique_ptr<Converter> Take(const std::string& name) {
    auto& spare = Spare();
    for (auto& converter : spare) {
      if (converter->name != name) continue;
      std::swap(converter, spare.back());
      std::unique_ptr<Converter> taken = std::move(spare.back());
      spare.pop_back();
      ucnv_reset(taken->opened.get());
      return taken;
    }
    auto taken = std::make_unique<Converter>();
    taken->name = name;
    taken->opened = Open(name);
    Require(taken->opened != nullptr, "ICU has no code page '", name, "'");
    return taken;
  }
};

bool HasCodePage(const std::string& name) { return Open(name) != nullptr; }

CodePageReader::CodePageReader(const std::string& name, std::string_view text)
    : converter_(Converter::Take(name)), text_(text) {
  UErrorCode status = U_ZERO_ERROR;
  ucnv_setToUCallBack(converter_->opened.get(), NoteMalformed, &malformed_, nullptr, nullptr, &status);
  if (U_FAILURE(status)) throw Internal("ICU: ", u_errorName(status));
}

CodePageReader::~CodePageReader() {
  constexpr size_t kMostSpare = 4;
  auto& spare = Converter::Spare();
  if (spare.size() < kMostSpare) spare.push_back(std::move(converter_));
}

bool CodePageReader::Next() {
  malformed_ = false;
  start_ = end_;
  if (end_ >= text_.size()) return false;
  const char *next = text_.data() + end_, *const limit = text_.data() + text_.size();
  UErrorCode status = U_ZERO_ERROR;
  code_point_ = ucnv_getNextUChar(converter_->opened.get(), &next, limit, &status);
  if (malformed_) code_point_ = kReplacementCharacter;  // ICU has one for each page
  end_ = U_FAILURE(status) ? text_.size() : static_cast<size_t>(next - text_.data());
  return true;
}

}  // namespace plumb
