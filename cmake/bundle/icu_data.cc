// ICU's data, of which there is none: what letters and scripts are is in its code, and nothing else is asked for.
#include <unicode/udata.h>
#include <unicode/utypes.h>

namespace {

// An empty table of contents, as ICU lays one out: a header, then the number of entries.
struct Contents {
  uint16_t header_bytes;
  uint8_t magic[2];
  UDataInfo info;
  uint8_t padding[8];
  int32_t entries;
  int32_t unused;
};

}  // namespace

extern "C" {
extern const Contents U_ICUDATA_ENTRY_POINT;
alignas(16) const Contents U_ICUDATA_ENTRY_POINT = {32,
                                                    {0xda, 0x27},
                                                    {sizeof(UDataInfo),
                                                     0,
                                                     U_IS_BIG_ENDIAN,
                                                     U_CHARSET_FAMILY,
                                                     U_SIZEOF_UCHAR,
                                                     0,
                                                     {'T', 'o', 'C', 'P'},
                                                     {1, 0, 0, 0},
                                                     {0, 0, 0, 0}},
                                                    {},
                                                    0,
                                                    0};
}
