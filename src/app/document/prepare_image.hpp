// The input that a model of patches reads, made of a document's picture.
#pragma once

#include "app/document/document.hpp"
#include "app/document/file_stamp.hpp"
#include "base/result.hpp"
#include "figure/base/figure.hpp"
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

/// Pixels of the part of a picture that these numbers are made of, in its own colours, and in as
/// many pixels as it has there, up to 1024 a side.
figure::Pixels seen_of(const files::Picture& picture, const models::ImageSettings& settings);

/// True where a model reads a picture and the document names none: it is shown an even grey.
bool lacks_picture(const Document& document, const models::Model& model);
inline constexpr const char* kNoPicture =
    "No picture yet: the model reads an even grey. Drop a PNG or JPEG here, or press Ctrl+O.";

/// Reads a document's picture, and keeps the last until its file or the model is another, so that
/// runs of it share their layers.
class ImageReader {
  public:
    /// Fills input.image of a model that reads pictures; others it leaves alone.
    /// Errors: those of reading a file, of files::read_picture and models::image_settings; mismatch
    /// where the settings make another size than the model reads.
    base::Result<void> read(const Document& document, const models::Model& model,
                            models::Input& input);
    /// Pixels of the picture that was read last; null where there is none.
    const std::shared_ptr<const figure::Pixels>& seen() const { return last_.seen; }

  private:
    struct Made {
        std::shared_ptr<const num::Matrix<float>> image;
        std::shared_ptr<const figure::Pixels> seen;
    };
    base::Result<Made> made(const Document& document, const models::PatchSpec& patches) const;

    std::string picture_file_, model_file_;
    std::optional<FileStamp> stamp_;
    models::PatchSpec patches_;
    Made last_;
};

} // namespace heed::app
