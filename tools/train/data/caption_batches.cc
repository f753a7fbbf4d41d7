#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "spec/files/file_system.h"
#include "tools/train/data/image_decoder.h"
#include "tools/train/data/learner_batches.h"
#include "tools/train/data/text_files.h"
#include "tools/train/data/words.h"

namespace plumb::tools {
namespace {

using models::Learner;

struct Caption {
  std::string image;  // the name of its file
  Sentence words;     // in lower case
};

Caption CaptionOf(std::string image, std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return {std::move(image), WordsOf(text)};
}

// NAME#0, a tab, and the first caption of the image NAME.
Caption CaptionIn(const std::string& line) {
  const size_t tab = line.find('\t');
  Require(tab != line.npos, "no tab stands between the name of an image and its caption");
  const std::string name = line.substr(0, tab);
  return CaptionOf(name.substr(0, name.rfind('#')), line.substr(tab + 1));
}

// Lines as those above, or, below the heading image,caption, of comma-separated values.
std::vector<Caption> CaptionsIn(const ModelData& data) {
  for (const char* const name : {"Flickr8k.token.txt", "captions.txt"}) {
    const std::string path = data.folder + "/" + name;
    if (!Files().Exists(path)) continue;
    std::vector<Caption> captions;
    std::optional<std::string> heading;
    ReadLines(path, [&](const std::string& line) {
      if (!heading) heading = line;
      if (*heading != "image,caption") captions.push_back(CaptionIn(line));
    });
    if (heading != "image,caption") return captions;
    ReadCsv(path, 2, data,
            [&](const std::vector<std::string>& fields) { captions.push_back(CaptionOf(fields[0], fields[1])); });
    captions.erase(captions.begin());
    return captions;
  }
  throw NotFound("there is neither Flickr8k.token.txt nor captions.txt in '", data.folder,
                 "': --data wants a folder with ", FilesOf(models::LearnerData::kCaptions));
}

// The paths of the files in a folder and in those that lie in it, by their names.
std::map<std::string, std::string> FilesByName(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : Files().List(folder)) {
    const std::string path = Str(folder, "/", name);
    if (!Files().IsFolder(path)) {
      files[name] = path;
    } else if (!name.starts_with('.')) {
      for (const std::string& inner : Files().List(path)) files.emplace(inner, Str(path, "/", inner));
    }
  }
  return files;
}

class CaptionsOfLearner final : public Batches {
 public:
  CaptionsOfLearner(const Learner& learner, const ModelData& data)
      : Batches(learner, data.seed),
        decoder_(
            {.batch = ShapeOf(0).dim(0), .side = ShapeOf(0).dim(1), .backend = data.backend, .threads = data.threads}) {
    const std::vector<Caption> captions = CaptionsIn(data);
    WordCounts counts;
    for (const Caption& caption : captions) Count(caption.words, counts);
    const Vocabulary numbers = NumberWords(counts, 1, learner.inputs[2].below);
    const std::map<std::string, std::string> files = FilesByName(data.folder);
    const int64_t written = ShapeOf(2).dim(1);
    int64_t of_other_sizes = 0, without_images = 0;
    for (const Caption& caption : captions) {
      const auto file = files.find(caption.image);
      if (caption.words.empty() || std::ssize(caption.words) >= written) {
        ++of_other_sizes;
      } else if (file == files.end()) {
        ++without_images;
      } else {
        captioned_.push_back({file->second, Filled(caption.words, numbers, written)});
      }
    }
    Require(!captioned_.empty(), "of the ", captions.size(), " captions in '", data.folder, "' ", of_other_sizes,
            " do not have from 1 to ", written - 1, " words, which is what the model writes, and the images of ",
            without_images, " lie neither there nor in a folder there");
    LeaveOut(of_other_sizes, "captions (empty, or of too many words)");
    LeaveOut(without_images, "captions (of images that are not there)");
  }

  std::vector<FeedValue> Next() override {
    const std::vector<size_t> rows = Draw();
    std::vector<Tensor> batch = NewBatch();
    std::vector<std::string> contents;
    int32_t *before = batch[1].mutable_data<int32_t>().data(), *target = batch[2].mutable_data<int32_t>().data();
    for (const size_t row : rows) {
      contents.push_back(Files().Read(captioned_[row].file));
      PutWritten(captioned_[row].words, before, target);
    }
    batch[0] = decoder_.Decode(contents, [&](size_t i) { return Str("'", captioned_[rows[i]].file, "'"); });
    return Feeds(std::move(batch));
  }

  void Skip() override { Draw(); }

 private:
  struct Captioned {
    std::string file;
    std::vector<int32_t> words;  // filled up
  };

  std::vector<size_t> Draw() {
    std::vector<size_t> rows(static_cast<size_t>(ShapeOf(0).dim(0)));
    for (size_t& row : rows) row = static_cast<size_t>(Below(std::ssize(captioned_)));
    return rows;
  }

  ImageDecoder decoder_;
  std::vector<Captioned> captioned_;
};

}  // namespace

std::shared_ptr<Batches> CaptionsFor(const Learner& learner, const ModelData& data) {
  return std::make_shared<CaptionsOfLearner>(learner, data);
}

}  // namespace plumb::tools
