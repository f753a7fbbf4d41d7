// Batches from files for the models of `Learners()`.
#pragma once

#include "tools/train/data/model_data.h"

namespace plumb::tools {

// The model on batches that are drawn at random from what lies in the folder of `data`; equal seeds draw equal batches,
// of the sizes that the model has. Throws kNotFound for a folder without such files, kInvalidArgument for a model that
// reads none, and for files that do not fit its inputs.
//
// Digits: MNIST's four files. Numbers that are no images are drawn besides. Texts: train.txt or ptb.train.txt, words
// between spaces, the end of a line counting as one; the most frequent ones have numbers of their own, as many as the
// model knows, all others share the last. Translations: train.source and train.target, whose lines are sentences and
// what each is in the other language; words have numbers in the same way, but for 0, which ends each sentence, fills it
// up, and stands before the first word that is written. Pairs of which one is empty or too long for the model are left
// out.
//
// Captions: Flickr8k.token.txt or captions.txt, whose lines are NAME#0, a tab and a caption, or, below the heading
// image,caption, comma-separated; the images lie in the folder or in folders in it. Words, in lower case, have numbers
// as those of translations. Captions that are too long are left out, and so are those without an image. Places: each
// *train*.txt, as Vinyals et al. published them, with lines x1 y1 x2 y2 ... output 1 3 ... 1. Zeros stand behind points
// where a model reads more of them; the first place once more ends the places and fills them up. Lines that are too
// long are left out. Census: adult.data or train.csv, as UCI has them. Columns and pairs of them are numbered by
// frequency, all together; numbers have the mean 0 and the standard deviation 1.
TrainedModel BuildOnFiles(Scope& scope, Optimizer& optimizer, const models::LearnerEntry& entry,
                          models::LearnerSize size, const ModelData& data);

}  // namespace plumb::tools
