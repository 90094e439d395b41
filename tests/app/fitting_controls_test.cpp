#include "app/document/fitting_controls.hpp"
#include "catch.hpp"
#include "models/model/resolve.hpp"

using namespace heed;
using trace::AttentionKind;

namespace {

models::Controls scales_off(const std::vector<models::Scope>& scopes) {
    models::Controls controls;
    models::HeadControls off;
    off.scale = models::Scale{models::Scale::Kind::off, 1};
    for (const models::Scope& scope : scopes) controls.set(scope, off);
    return controls;
}

} // namespace

TEST_CASE("entries for layers, heads and kinds that a model lacks are left out, and no other") {
    models::ModelSpec config;
    config.d_model = 64;
    config.n_heads = 4;
    config.n_encoder_layers = 2;
    config.n_decoder_layers = 3;
    const std::vector<models::Scope> kept = {{},
                                             {AttentionKind::encoder_self, {}, {}},
                                             {AttentionKind::encoder_self, 1, 3},
                                             {AttentionKind::cross, 2, {}},
                                             {{}, {}, 3}};
    std::vector<models::Scope> all = kept;
    all.insert(all.end(), {{AttentionKind::encoder_self, 2, {}},
                           {AttentionKind::decoder_self, 0, 4},
                           {{}, 3, {}},
                           {{}, {}, 7}});
    const models::Controls fitted = app::fitting_controls(scales_off(all), config);
    CHECK(fitted == scales_off(kept));
    CHECK(models::check(fitted, config).has_value());

    config.architecture = models::Architecture::encoder_only;
    const models::Controls encoder = app::fitting_controls(scales_off(all), config);
    CHECK(models::check(encoder, config).has_value());
    CHECK(encoder.scoped.size() == 4);
}

TEST_CASE("a control that is wrong in itself stays, and is told by the run") {
    models::ModelSpec config;
    models::Controls controls;
    models::HeadControls broken;
    broken.temperature = -1;
    controls.set({}, broken);
    CHECK(app::fitting_controls(controls, config) == controls);
    CHECK_FALSE(models::check(controls, config).has_value());
}
