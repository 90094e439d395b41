// Page 5: sinusoidal positions: curves, offsets, rotations, adding and concatenating.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "lab/rotations.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/attention/position.hpp"
#include "nn/attention/position_offsets.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

Matrix<double> offset_rotation(Index d, double offset, double base) {
    Matrix<double> rotation = Matrix<double>::Zero(d, d);
    for (Index c = 0; c + 1 < d; c += 2) {
        const double angle =
            offset / std::pow(base, static_cast<double>(c) / static_cast<double>(d));
        // sin(p + k) = sin p cos k + cos p sin k, and cos(p + k) = cos p cos k − sin p sin k.
        rotation(c, c) = rotation(c + 1, c + 1) = std::cos(angle);
        rotation(c + 1, c) = std::sin(angle);
        rotation(c, c + 1) = -std::sin(angle);
    }
    return rotation;
}

namespace {

/// X with A X = B, by Gauss and Jordan's elimination with pivots. A is square and not singular.
Matrix<double> solved(Matrix<double> a, Matrix<double> b) {
    for (Index c = 0; c < a.cols(); ++c) {
        Index pivot = 0;
        a.col(c).tail(a.rows() - c).cwiseAbs().maxCoeff(&pivot);
        a.row(c).swap(a.row(c + pivot));
        b.row(c).swap(b.row(c + pivot));
        const double by = a(c, c);
        a.row(c) /= by;
        b.row(c) /= by;
        for (Index r = 0; r < a.rows(); ++r) {
            const double factor = r == c ? 0 : a(r, c);
            a.row(r) -= factor * a.row(c);
            b.row(r) -= factor * b.row(c);
        }
    }
    return b;
}

} // namespace

Matrix<double> fitted_offset(const Matrix<double>& table, Index offset) {
    const Index rows = table.rows() - offset;
    const Matrix<double> from = table.topRows(rows), to = table.bottomRows(rows);
    return solved(from.transpose() * from, from.transpose() * to);
}

namespace {

using base::Result;

Matrix<double> positions_table(const Settings& s) {
    return nn::sinusoidal_table<double>(s.integer("positions"), 2 * s.integer("pairs"), 0,
                                        s.number("base"));
}

/// The largest size of PE(p + k) − PE(p) R over all p.
double rotation_error(const Matrix<double>& table, const Matrix<double>& rotation, Index offset) {
    const Index rows = table.rows() - offset;
    if (rows < 1) return 0;
    return largest_difference(table.bottomRows(rows), table.topRows(rows) * rotation);
}

Index offset_of(const Settings& s) {
    return std::min<Index>(s.integer("offset"), s.integer("positions") - 1);
}

std::vector<double> count_up(Index n, double from = 0) {
    std::vector<double> values;
    for (Index i = 0; i < n; ++i) values.push_back(from + static_cast<double>(i));
    return values;
}

Curves wave_curves(const Matrix<double>& table) {
    Curves curves{count_up(table.rows())};
    const Index d = table.cols();
    for (const Index c : {Index(0), d / 4 / 2 * 2, d / 2 / 2 * 2, 3 * d / 4 / 2 * 2}) {
        if (!curves.series.empty() && curves.series.back().name == fmt::format("dimension {}", c))
            continue;
        Series series{fmt::format("dimension {}", c)};
        for (Index p = 0; p < table.rows(); ++p) series.values.push_back(table(p, c));
        curves.series.push_back(std::move(series));
    }
    curves.x_word = "position p";
    curves.y_word = "PE(p, dimension)";
    return curves;
}

std::vector<Picture> look_at_positions(const Settings& s) {
    const Matrix<double> table = positions_table(s);
    const Index k = offset_of(s);
    const Matrix<double> rotation =
        offset_rotation(table.cols(), static_cast<double>(k), s.number("base"));
    const auto profile = nn::position_products(table);
    Curves products{count_up(2 * table.rows() - 1, 1 - static_cast<double>(table.rows())),
                    {{"PE(p)·PE(p + offset)", {profile.mean.begin(), profile.mean.end()}}}};
    products.x_word = "offset";
    products.y_word = "dot product";
    products.now = static_cast<double>(k);
    products.now_words = fmt::format("at offset {}", k);
    Picture whole = matrix_picture("The encoding PE(p) of each position",
                                   "sine and cosine in turn, each pair slower; positions and "
                                   "dimensions count from 0, as\u00a0in\u00a0the\u00a0formula",
                                   table, {});
    auto& grid = std::get<Grid>(whole.data);
    grid.numbers = false;
    grid.row_word = "position";
    grid.col_word = "dimension";
    grid.bar_word = "PE";
    for (Index p = 0; p < table.rows(); ++p) grid.rows.push_back(std::to_string(p));
    for (Index c = 0; c < table.cols(); ++c) grid.cols.push_back(std::to_string(c));
    Picture turning =
        matrix_picture(fmt::format("PE(p + {}) = PE(p) R", k),
                       fmt::format("R, from row to column; largest error over all p {:.2g}",
                                   rotation_error(table, rotation, k)),
                       rotation, std::get<Grid>(whole.data).cols, std::get<Grid>(whole.data).cols);
    std::get<Grid>(turning.data).row_word = "dimension";
    std::get<Grid>(turning.data).col_word = "dimension";
    return {whole,
            {"Some dimensions", "the value of each at every position", wave_curves(table)},
            turning,
            {"Dot product of two positions", "mean over all p; largest at offset 0", products}};
}

/// [x; PE] with one identity above another against x + PE, by what models do.
double adding_error(const Settings& s, const Matrix<double>& table) {
    const Index d = table.cols();
    const Matrix<double> x = draw_features(s.seed, "embedding", table.rows(), d);
    const num::Weights<double> weights(nn::adding_matrix<double>(d));
    const auto joined = [&](nn::Join join) {
        return nn::join_positions<double>(nn::alone(), join, weights, x, table);
    };
    return largest_difference(joined(nn::Join::add), joined(nn::Join::concatenate));
}

/// The error of a one-hot position concatenated: [x; e_p] with W = [I; table] is x + PE(p).
double one_hot_error(const Settings& s, const Matrix<double>& table) {
    const Index n = table.rows(), d = table.cols();
    const Matrix<double> x = draw_features(s.seed, "embedding", n, d);
    Matrix<double> with_place(n, d + n);
    with_place << x, Matrix<double>::Identity(n, n);
    Matrix<double> w(d + n, d);
    w << Matrix<double>::Identity(d, d), table;
    return largest_difference(with_place * w, x + table);
}

Result<Sample> measure_positions(const Settings& s, const Work&) {
    const Matrix<double> table = positions_table(s);
    const Index k = offset_of(s);
    const Matrix<double> rotation =
        offset_rotation(table.cols(), static_cast<double>(k), s.number("base"));
    const Matrix<float> single =
        nn::sinusoidal_table<float>(table.rows(), table.cols(), 0, s.number("base"));
    const auto profile = nn::position_products(table);
    double spread = 0;
    for (std::size_t i = 0; i < profile.mean.size(); ++i) {
        spread = std::max(spread, profile.most[i] - profile.least[i]);
    }
    const Matrix<double> identity = Matrix<double>::Identity(table.cols(), table.cols());
    // Learned positions, drawn: no matrix moves all of them on.
    const Matrix<double> learned =
        draw_features(s.seed, "learned", 4 * table.cols() + k, table.cols());
    const double learned_error = rotation_error(learned, fitted_offset(learned, k), k);
    return Sample{
        {{"offset", "offset k", static_cast<double>(k)},
         {"rotation_error", "largest |PE(p + k) − PE(p) R|", rotation_error(table, rotation, k)},
         {"rotation_error_float", "largest |PE(p + k) − PE(p) R| in 32-bit floats",
          rotation_error(single.cast<double>(), rotation, k)},
         {"orthogonality", "largest |R R^{T} − I|",
          largest_difference(rotation * rotation.transpose(), identity)},
         {"product_spread", "dot products at one offset differ by", spread},
         {"learned_error", "random vectors, best-fitting matrix: largest error", learned_error},
         {"adding_error", "adding against concatenating: largest difference",
          adding_error(s, table)},
         {"one_hot_error", "adding against concatenating one-hot positions: largest difference",
          one_hot_error(s, table)}}};
}

Judgement judge_positions(const std::vector<Number>& measured) {
    // The worst of all seeds: sentences say what none passes.
    const auto value = [&](const char* name) { return most_of(number(measured, name)); };
    const double error = value("rotation_error_float");
    constexpr double kRotates = 1e-5, kExact = 1e-12;
    if (value("rotation_error") > kRotates || error > kRotates || value("orthogonality") > kExact) {
        return {Verdict::does_not_hold,
                fmt::format("PE(p + k) is up to {:.2g} away from the rotated PE(p), in 32-bit "
                            "floats {:.2g}.",
                            value("rotation_error"), error)};
    }
    const std::string turned = fmt::format(
        "One rotation turns PE(p) into PE(p + k) for every p: the largest error is {:.2g}, and "
        "{:.2g} in 32-bit floats. For random vectors in place of PE, even the best-fitting "
        "matrix is off by {}. ",
        value("rotation_error"), error, in_digits(number(measured, "learned_error")));
    if (value("adding_error") > kExact || value("one_hot_error") > kExact) {
        return {Verdict::depends,
                turned + fmt::format("But adding and concatenating differ by {:.2g}.",
                                     std::max(value("adding_error"), value("one_hot_error")))};
    }
    const double apart = std::max(value("adding_error"), value("one_hot_error"));
    return {
        Verdict::holds,
        turned +
            "Adding a position equals concatenating it and multiplying by two identity "
            "matrices, one above the other; so does concatenating a one-hot position, 1 at p and 0 "
            "elsewhere, and multiplying by the identity above the table of all PE(p). " +
            (apart == 0 ? std::string("The results are identical.")
                        : fmt::format("The results differ by {} at most.", rounded_up(apart, 2)))};
}

/// The table that the open model adds, and what an offset does to it.
OnModel rotations_on_model(const models::Run& run, const Settings& s, const trace::HeadId& head) {
    const Index k = offset_of(s), width = run.model->traits().width, d = width - width % 2;
    const Matrix<double> table = nn::sinusoidal_table<double>(s.integer("positions"), d);
    const Matrix<double> rotation = offset_rotation(d, static_cast<double>(k), nn::kPositionBase);
    OnModel seen;
    seen.words = fmt::format("This model adds sinusoidal positions, {} features wide. One rotation "
                             "moves each of them {} position{} on; the largest error is {:.2g}. "
                             "It was trained with them: expect mistakes with positions off.",
                             d, k, k == 1 ? "" : "s", rotation_error(table, rotation, k));
    seen.open = head;
    models::Controls off = run.controls;
    models::HeadControls whole = off.at({});
    whole.positions = nn::Positions::none;
    off.set({}, whole);
    seen.controls = off;
    seen.controls_words = "with positions off";
    return seen;
}

std::optional<OnModel> positions_on_model(const models::Run& run, const Settings& s) {
    const Matrix<float>* learned = run.model->learned_positions(trace::AttentionKind::encoder_self);
    const auto heads = heads_of(run, 1);
    const nn::Positions positions = run.model->traits().usual_positions;
    if (positions == nn::Positions::sinusoidal && !heads.empty()) {
        return rotations_on_model(run, s, heads[0]);
    }
    if (positions != nn::Positions::learned) return std::nullopt;
    if (!learned || learned->rows() < 8 || heads.empty()) return std::nullopt;
    const Index rows = std::min<Index>(learned->rows(), 128);
    const Matrix<double> table = learned->topRows(rows).cast<double>();
    const auto profile = nn::position_products(table);
    Curves products{count_up(2 * rows - 1, 1 - static_cast<double>(rows)),
                    {{"P[p]·P[p + offset]",
                      {profile.mean.begin(), profile.mean.end()},
                      {profile.least.begin(), profile.least.end()},
                      {profile.most.begin(), profile.most.end()}}}};
    products.x_word = "offset";
    products.y_word = "dot product";
    double spread = 0;
    for (std::size_t i = 0; i < profile.mean.size(); ++i) {
        spread = std::max(spread, profile.most[i] - profile.least[i]);
    }
    OnModel seen;
    seen.words = fmt::format("This model learned its positions. Dot products of two positions at "
                             "the same offset differ by up to {:.3g}. If one rotation moved every "
                             "position on, they would not differ.",
                             spread);
    seen.pictures = {{"Dot product of two learned positions",
                      fmt::format("mean and range over the first {} positions", rows), products}};
    seen.open = heads[0];
    return seen;
}

} // namespace

Page positions_page() {
    Page page;
    page.name = "positions";
    page.group = "Order";
    page.title = "Are offsets between positions rotations?";
    page.words =
        "Position p is encoded as d numbers PE(p): pairs i of a sine and a cosine of p, each with "
        "a longer wavelength than the last. A step of k positions turns each pair by its own fixed "
        "angle, whatever p is. Adding PE(p) to an embedding is concatenating the two, "
        "then multiplying by a matrix.";
    page.formula = "PE(p, 2i) = sin(\\frac{p}{10000^{2i/d}}),  PE(p, 2i + 1) = cos(\\frac{p}"
                   "{10000^{2i/d}})";
    page.claim = "PE(p + k) is PE(p) turned by a rotation that depends on k alone, and adding "
                 "positions is a special case of concatenating them and multiplying by a matrix.";
    page.source = "Vaswani et al. 2017, section 3.5";
    page.parameters = {whole("offset", "Offset k", "How many positions further on.", 1, 63, 5),
                       whole("positions", "Positions", "Rows of the table.", 8, 128, 64),
                       whole("pairs", "Pairs of features",
                             "Half of the width d: one sine and one cosine each.", 2, 64, 16, true),
                       real("base", "Base", "Wavelengths grow from 2π towards 2π times this.", 10,
                            100000, 10000, true)};
    page.look = look_at_positions;
    page.measure_seed = measure_positions;
    page.judge = judge_positions;
    page.on_model = positions_on_model;
    page.n_seeds = 3;
    return page;
}

} // namespace heed::lab
