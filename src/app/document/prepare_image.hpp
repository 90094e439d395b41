// From a document's picture to what a model of patches reads.
#pragma once

#include "app/document/document.hpp"
#include "app/document/file_stamp.hpp"
#include "base/result.hpp"
#include "files/picture.hpp"
#include "models/checkpoint/image_settings.hpp"
#include "models/model/model.hpp"

#include <memory>
#include <optional>
#include <string>

namespace heed::app {

bool reads_pictures(const models::Config& config);

/// The numbers that the settings make of a picture: red, green and blue one below another, and
/// alpha left out, each height × width. Errors: out_of_range, beyond 2^26 pixels on the way.
base::Result<num::Matrix<float>> preprocessed(const files::Picture& picture,
                                              const models::ImageSettings& settings,
                                              const std::string& subject);

/// Whether a model reads a picture and the document names none: it is shown an even grey.
bool lacks_picture(const Document& document, const models::Model& model);
inline constexpr const char* kNoPicture = "No picture yet. Drop a PNG or JPEG on the window.";

/// Reads a document's picture, and keeps the last until its file or the model is another, so that
/// runs of it share their layers.
class ImageReader {
  public:
    /// Fills input.image of a model that reads pictures; others it leaves alone.
    /// Errors: those of reading a file, of files::read_picture and models::image_settings; mismatch
    /// where the settings make another size than the model reads.
    base::Result<void> read(const Document& document, const models::Model& model,
                            models::Input& input);

  private:
    using Image = std::shared_ptr<const num::Matrix<float>>;
    base::Result<Image> made(const Document& document, const models::ModelSpec& spec) const;

    std::string picture_file_, model_file_;
    std::optional<FileStamp> stamp_;
    models::PatchSpec patches_;
    Image image_;
};

} // namespace heed::app
