// Images in files, with what they show, that are read one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plumb::tools {

struct EncodedImage {
  std::string contents;  // of a JPEG or PNG file
  int32_t label = 0;
};

// Either a folder of each class, in which .jpg, .jpeg and .png files lie: the labels count the sorted names of the
// folders. Or files of records, train-00000-of-00128 and so on, as TensorFlow's scripts write ImageNet: Examples with
// "image/encoded", and "image/class/label" where the first class is 1. What other files there are is passed over, and
// so are names that begin with a dot.
class ImageFiles {
 public:
  // Throws kNotFound for a folder without images, kInvalidArgument for a class without any and for more classes than
  // the model tells apart, kDataLoss for a file of records that is cut off.
  ImageFiles(const std::string& folder, int64_t classes);

  int64_t size() const { return std::ssize(images_); }
  // Throws kDataLoss for a damaged record and for one that is no Example, kInvalidArgument for an Example without those
  // features and for a label that no class has; messages name the file.
  EncodedImage Read(int64_t image) const;
  // For people.
  std::string NameOf(int64_t image) const;

 private:
  // A file of a folder, or a record of a file.
  struct Place {
    int32_t source = 0;
    std::string name = {};
    int64_t offset = 0, length = 0;
  };
  void ListClass(int32_t source);
  void ListRecords(int32_t source);

  const int64_t classes_;
  bool are_records_ = false;
  std::vector<std::string> sources_;  // folders, or files of records
  std::vector<Place> images_;
};

}  // namespace plumb::tools
