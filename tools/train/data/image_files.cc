#include "tools/train/data/image_files.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "spec/core/status.h"
#include "spec/files/file_system.h"
#include "spec/formats/record.h"
#include "spec/proto/example.pb.h"

namespace plumb::tools {
namespace {

bool IsNameOfImage(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return !name.starts_with('.') && (name.ends_with(".jpg") || name.ends_with(".jpeg") || name.ends_with(".png"));
}

// Such as flowers_train-00000-of-00005.tfrecord.
bool IsNameOfRecords(std::string_view name) {
  const size_t train = name.find("train-");
  return train != name.npos && name.find("-of-", train) != name.npos;
}

std::string At(int64_t offset, const std::string& file) { return Str("offset ", offset, " of '", file, "'"); }

std::string BytesAt(const RandomAccessFile& file, int64_t offset, int64_t size) {
  std::string bytes(static_cast<size_t>(size), '\0');
  file.ReadAt(offset, size, bytes.data());
  return bytes;
}

}  // namespace

ImageFiles::ImageFiles(const std::string& folder, int64_t classes) : classes_(classes) {
  std::vector<std::string> records;
  for (const std::string& name : Files().List(folder)) {
    const std::string path = folder + "/" + name;
    if (Files().IsFolder(path)) {
      if (!name.starts_with('.')) sources_.push_back(path);
    } else if (IsNameOfRecords(name)) {
      records.push_back(path);
    }
  }
  are_records_ = !records.empty();
  if (are_records_) sources_ = std::move(records);
  Require(are_records_ || std::ssize(sources_) <= classes, "'", folder, "' has ", sources_.size(),
          " folders, one of each class, and the model tells ", classes, " classes apart");
  for (int32_t source = 0; source < std::ssize(sources_); ++source) {
    are_records_ ? ListRecords(source) : ListClass(source);
  }
  if (images_.empty()) {
    throw NotFound("there are no images in '", folder, "': --data wants a folder with a folder of each class, in which",
                   " .jpg, .jpeg or .png files lie, or with files of records such as train-00000-of-00128");
  }
}

void ImageFiles::ListClass(int32_t source) {
  const auto before = images_.size();
  for (std::string& name : Files().List(sources_[static_cast<size_t>(source)])) {
    if (IsNameOfImage(name)) images_.push_back({.source = source, .name = std::move(name)});
  }
  Require(images_.size() > before, "there is no .jpg, .jpeg or .png file in '", sources_[static_cast<size_t>(source)],
          "': each folder that --data holds is a class");
}

void ImageFiles::ListRecords(int32_t source) {
  const std::string& path = sources_[static_cast<size_t>(source)];
  const auto file = Files().Open(path);
  constexpr auto kHeader = int64_t{kRecordHeaderBytes}, kFooter = int64_t{kRecordFooterBytes};
  for (int64_t offset = 0; offset < file->size();) {
    const int64_t left = file->size() - offset - kHeader - kFooter;
    if (left < 0) throw DataLoss("truncated record at ", At(offset, path));
    const uint64_t length = RecordLength(BytesAt(*file, offset, kHeader), At(offset, path));
    if (length > static_cast<uint64_t>(left)) throw DataLoss("truncated record at ", At(offset, path));
    images_.push_back({.source = source, .offset = offset, .length = static_cast<int64_t>(length)});
    offset += kHeader + static_cast<int64_t>(length) + kFooter;
  }
}

std::string ImageFiles::NameOf(int64_t image) const {
  const Place& place = images_[static_cast<size_t>(image)];
  const std::string& source = sources_[static_cast<size_t>(place.source)];
  return are_records_ ? Str("the record at ", At(place.offset, source)) : Str("'", source, "/", place.name, "'");
}

EncodedImage ImageFiles::Read(int64_t image) const {
  const Place& place = images_[static_cast<size_t>(image)];
  const std::string& source = sources_[static_cast<size_t>(place.source)];
  if (!are_records_) return {Files().Read(source + "/" + place.name), place.source};
  const auto file = Files().Open(source);
  const int64_t first = place.offset + int64_t{kRecordHeaderBytes};
  const std::string record = BytesAt(*file, first, place.length);
  CheckRecord(record, BytesAt(*file, first + place.length, kRecordFooterBytes), At(place.offset, source));
  pb::Example example;
  if (!example.ParseFromString(record)) throw DataLoss(NameOf(image), " is no Example");
  auto& features = *example.mutable_features()->mutable_feature();
  const auto& contents = features["image/encoded"].bytes_list();
  const auto& label = features["image/class/label"].int64_list();
  Require(contents.value_size() == 1 && label.value_size() == 1, NameOf(image),
          " wants one value of image/encoded and one of image/class/label, and has ", contents.value_size(), " and ",
          label.value_size());
  Require(label.value(0) >= 1 && label.value(0) <= classes_, NameOf(image), " has the label ", label.value(0),
          "; the model tells the classes from 1 to ", classes_, " apart");
  return {contents.value(0), static_cast<int32_t>(label.value(0) - 1)};
}

}  // namespace plumb::tools
