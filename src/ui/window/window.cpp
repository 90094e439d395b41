#include "ui/window/window.hpp"

#include "app/files/settings_saver.hpp"
#include "app/files/shipped_models.hpp"
#include "app/learn/lessons.hpp"
#include "app/learn/verdicts.hpp"
#include "app/views/titles.hpp"
#include "base/file.hpp"
#include "base/visible.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/paint/lettering.hpp"
#include "ui/paint/retained_frame.hpp"
#include "ui/train/train_state.hpp"
#include "ui/window/compose.hpp"
#include "ui/window/first_model.hpp"
#include "ui/window/glfw_window.hpp"
#include "ui/window/input_queue.hpp"
#include "ui/window/leave_signals.hpp"
#include "ui/window/pace.hpp"
#include "ui/window/shell.hpp"
#include "ui/window/zoom.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace heed::ui {

namespace {

class Window {
  public:
    base::Result<void> open(const app::Settings& settings);
    ~Window();
    void run(app::SettingsSaver& saver, const LeaveSignals& signals);
    app::Settings settings_now() const;
    base::Result<void> end_experiment() { return shell_->experiment.close(); }

    std::string first_notice, first_file;
    bool first_start = false; // nothing was remembered

  private:
    void start_imgui();
    void make_shell(const app::Settings& settings);
    void frame();
    float wait_at_most(const app::SettingsSaver& saver) const;
    float rest() const { return engine_->busy() || shell_->busy_with_files() ? pace_.rest() : 0; }
    void save(app::SettingsSaver& saver);
    void write_status();
    void fill_screen(bool fill);
    void hand_over_input();
    float scale() const { return content_scale_ * std::min(zoom_, fits_); }

    // Everything that GLFW tells comes through here first.
    static Window& of(GLFWwindow* w) { return *static_cast<Window*>(glfwGetWindowUserPointer(w)); }
    void listen();

    GLFWwindow* window_ = nullptr;
    std::atomic<bool> glfw_ = false; // the engine wakes it
    bool imgui_ = false;
    std::optional<app::FileOpened> checkpoint_; // that it is started with
    Pace pace_;
    bool full_screen_ = false;
    std::array<int, 4> usual_place_{}; // x, y, width, height, while it fills the screen
    bool drew_ = false;                // since the settings were last looked at
    std::optional<app::SettingsSaver::Clock::time_point> frame_due_; // without any input
    float content_scale_ = 1, zoom_ = 1;
    float fits_ = 4; // the largest zoom of a window of this size
    InputQueue input_;
    std::string clipboard_;
    std::string status_path_, title_;
    app::Settings settings_;
    std::unique_ptr<Fonts> fonts_;
    std::unique_ptr<GlRenderer> renderer_;
    std::unique_ptr<RetainedFrame> retained_;
    std::unique_ptr<app::Engine> engine_;
    std::unique_ptr<Shell> shell_;
};

base::Result<void> Window::open(const app::Settings& settings) {
    settings_ = settings;
    zoom_ = settings.ui_zoom;
    use_utf8_locale();
    // Beside what a window takes to be made.
    auto lettering = std::async(std::launch::async, load_lettering);
    engine_ = std::make_unique<app::Engine>([this] {
        if (glfw_) glfwPostEmptyEvent();
    });
    if (models::is_checkpoint(first_file) && !first_file.ends_with(".safetensors")) {
        checkpoint_ = ask_ahead(*engine_, settings.session, first_file);
    }
    if (auto started = start_glfw(); !started) return started;
    glfw_ = true;
    auto window = make_glfw_window(settings.window_width, settings.window_height);
    if (!window) return tl::make_unexpected(window.error());
    window_ = *window;
    content_scale_ = content_scale_of(window_);
    start_imgui();
    fonts_ = lettering.get();
    make_shell(settings);
    shell_->opens_first = first_start && !first_file.empty();
    if (checkpoint_) {
        shell_->open_first(*checkpoint_);
    } else if (first_file.empty()) {
        shell_->offer_sentence();
    } else {
        shell_->open_file(first_file);
    }
    if (const char* path = std::getenv("HEED_STATUS_FILE")) status_path_ = path;
    return {};
}

void Window::start_imgui() {
    ImGui::CreateContext();
    imgui_ = true;
    set_style();
    glfwSetWindowUserPointer(window_, this);
    listen();
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    shim::set_clipboard({[](void* user) -> const char* {
                             Window& w = *static_cast<Window*>(user);
                             const char* text = glfwGetClipboardString(w.window_);
                             w.clipboard_ = w.shell_->ui.private_use().pasted(text ? text : "");
                             return w.clipboard_.c_str();
                         },
                         [](void* user, const char* text) {
                             Window& w = *static_cast<Window*>(user);
                             glfwSetClipboardString(
                                 w.window_, w.shell_->ui.private_use().decode(text).c_str());
                         },
                         this});
}

void Window::make_shell(const app::Settings& settings) {
    renderer_ = std::make_unique<GlRenderer>();
    retained_ = std::make_unique<RetainedFrame>(*renderer_);
    shell_ = std::make_unique<Shell>(*renderer_, *fonts_, *engine_, settings.session.document,
                                     settings.session.focus, settings.session.view, !checkpoint_);
    shell_->experiment.published = [] { glfwPostEmptyEvent(); };
    shell_->experiment.folder = app::experiment_folder();
    shell_->experiment.look_for_saved();
    WindowState& state = shell_->state;
    const auto last = std::ranges::find(train::task_infos(), settings.train_task,
                                        [](const auto& info) { return std::string(info.name); });
    if (last != train::task_infos().end()) {
        app::choose_task(state.train->form, last->task);
    } else if (!app::speaks_chinese()) {
        app::choose_task(state.train->form, train::Task::en_fr);
    }
    state.layout.panels = settings.panels;
    state.layout.cues = settings.cues;
    state.files.verdicts_file = app::verdicts_path();
    state.files.lessons_folder = app::lessons_folder();
    shell_->work.pin(settings.session.pinned);
    shell_->work.set_kept(settings.session.kept);
    state.files.session_file = settings.session_file;
    if (const std::filesystem::path own = app::settings_path(); !own.empty()) {
        state.files.before_opening = (own.parent_path() / "before-opening.json").string();
    }
    state.files.folder = settings.folder;
    state.files.written_folder = settings.written_folder;
    state.files.recent_files = settings.recent_files;
    state.files.model_words = settings.model_words;
    state.dialogs->recent_commands = settings.recent_commands;
    shell_->work.notice = {first_notice, true};
}

Window::~Window() {
    shell_.reset();
    engine_.reset();
    retained_.reset();
    renderer_.reset();
    if (imgui_) {
        if (ImGui::GetIO().BackendRendererUserData != nullptr) ImGui_ImplOpenGL3_Shutdown();
        if (ImGui::GetIO().BackendPlatformUserData != nullptr) ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
    if (window_ != nullptr) glfwDestroyWindow(window_);
    if (glfw_) glfwTerminate();
}

void Window::listen() {
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int code, int action, int mods) {
        of(w).input_.key(key, code, action, mods);
        of(w).shell_->wake();
    });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned character) {
        of(w).input_.character(character);
        of(w).shell_->wake();
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
        of(w).input_.button(button, action, mods);
        of(w).shell_->wake();
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
        of(w).input_.wheel(x, y);
        of(w).shell_->wake();
    });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
        of(w).input_.cursor(x, y);
        of(w).shell_->wake();
    });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
        ImGui_ImplGlfw_CursorEnterCallback(w, entered);
        of(w).shell_->wake();
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
        ImGui_ImplGlfw_WindowFocusCallback(w, focused);
        of(w).shell_->wake();
    });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) {
        if (of(w).shell_) of(w).frame(); // while a border is dragged, some systems give no loop
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) {
        if (of(w).shell_) of(w).shell_->wake();
    });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float x, float) {
        of(w).content_scale_ = x;
        if (of(w).shell_) of(w).shell_->wake();
    });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        if (count > 0 && of(w).shell_) of(w).shell_->open_file(paths[0]);
    });
}

void Window::hand_over_input() {
    if (input_.hand_over(window_, shell_->ui, shell_->holds())) shell_->wake();
}

void Window::frame() {
    drew_ = true;
    pace_.begin();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width == 0 || height == 0) return; // minimised
    fits_ = largest_zoom(width, height, content_scale_);
    if (shell_->state.layout.zoom_steps != 0) {
        const float steps = std::exchange(shell_->state.layout.zoom_steps, 0.0f);
        zoom_ = zoomed(zoom_, steps, fits_);
    }
    hand_over_input();
    compose_frame(*shell_, *fonts_, scale(),
                  {[this] {
                       shim::renew_font_texture();
                       retained_->forget();
                   },
                   [this] {
                       ImGui_ImplOpenGL3_NewFrame();
                       ImGui_ImplGlfw_NewFrame();
                       input_.hold_buttons();
                   }});
    retained_->draw(shell_->ui.theme().ground);
    glfwSwapBuffers(window_);
    const std::string title = shell_->title();
    if (title != title_) {
        title_ = title;
        glfwSetWindowTitle(window_, title_.c_str());
    }
    frame_due_ = {};
    if (const float due = shell_->wants_frame_in(); due >= 0) {
        const std::chrono::duration<float> left(due);
        frame_due_ = app::SettingsSaver::Clock::now() +
                     std::chrono::duration_cast<app::SettingsSaver::Clock::duration>(left);
    }
    write_status();
    pace_.end();
}

void Window::fill_screen(bool fill) {
    full_screen_ = fill;
    auto& [x, y, width, height] = usual_place_;
    if (!fill) {
        if (glfwGetWindowMonitor(window_) != nullptr) {
            glfwSetWindowMonitor(window_, nullptr, x, y, width, height, GLFW_DONT_CARE);
        }
        return;
    }
    GLFWmonitor* monitor = monitor_of(window_);
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;
    glfwGetWindowPos(window_, &x, &y);
    glfwGetWindowSize(window_, &width, &height);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::write_status() {
    if (status_path_.empty()) return;
    static_cast<void>(base::write_file_atomic(status_path_, shell_->status()));
}

/// Seconds until the loop has something to do by itself.
float Window::wait_at_most(const app::SettingsSaver& saver) const {
    constexpr float kIdle = 0.5f, kLeast = 0.001f;
    float seconds = kIdle;
    const auto until = [&](app::SettingsSaver::Clock::time_point due) {
        const std::chrono::duration<float> left = due - app::SettingsSaver::Clock::now();
        seconds = std::min(seconds, left.count());
    };
    if (frame_due_) until(*frame_due_);
    if (const auto due = saver.due()) until(*due);
    return std::max({seconds, rest(), kLeast});
}

void Window::save(app::SettingsSaver& saver) {
    const auto now = app::SettingsSaver::Clock::now();
    const bool due = saver.due() && now >= *saver.due();
    // What is saved changes in frames alone.
    if (std::exchange(drew_, false) || due) saver.look(settings_now(), now);
    if (const auto trouble = saver.take_trouble()) {
        shell_->work.notice = {base::describe(*trouble), true};
        shell_->wake();
    }
}

void Window::run(app::SettingsSaver& saver, const LeaveSignals& signals) {
    std::shared_ptr<const app::Snapshot> drawn;
    if (checkpoint_) wait_for_first_map(*engine_, signals);
    glfwShowWindow(window_);
    while (!shell_->leaves() && !signals.asked()) {
        if (glfwWindowShouldClose(window_) || shell_->state.leaving.asked) {
            glfwSetWindowShouldClose(window_, GLFW_FALSE);
            shell_->wish_to_leave();
            continue;
        }
        if (const bool on = shell_->state.layout.presenting; on != full_screen_) fill_screen(on);
        if (shell_->wants_frame()) {
            glfwWaitEventsTimeout(static_cast<double>(rest())); // ends with the first event
        } else {
            glfwWaitEventsTimeout(static_cast<double>(wait_at_most(saver)));
            if (frame_due_ && app::SettingsSaver::Clock::now() >= *frame_due_) shell_->wake_once();
        }
        if (auto newest = engine_->latest(); newest != drawn) {
            drawn = std::move(newest);
            shell_->wake();
        }
        const bool in_training = shell_->state.view.view == app::View::train ||
                                 shell_->experiment.saving() || shell_->experiment.resuming();
        if (in_training && shell_->experiment.has_news()) shell_->wake();
        if (shell_->wants_frame()) {
            if (pace_.wait()) glfwPollEvents(); // the frame shows where the hand is by now
            frame();
        }
        save(saver);
    }
}

app::Settings Window::settings_now() const {
    app::Settings now = settings_;
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    if (glfwGetWindowMonitor(window_) != nullptr) {
        width = usual_place_[2];
        height = usual_place_[3];
    }
    // Window units at scale 1, as they are given to the next start.
    const float shown = std::max(content_scale_, 0.1f);
    now.window_width = static_cast<int>(std::lround(static_cast<float>(width) / shown));
    now.window_height = static_cast<int>(std::lround(static_cast<float>(height) / shown));
    now.ui_zoom = zoom_;
    now.panels = shell_->state.layout.panels;
    now.cues = shell_->state.layout.cues;
    now.session = shell_->session();
    now.session_file = shell_->state.files.session_file;
    now.folder = shell_->state.files.folder;
    now.written_folder = shell_->state.files.written_folder;
    now.recent_files = shell_->state.files.recent_files;
    now.model_words = shell_->state.files.model_words;
    std::erase_if(now.model_words, [&](const auto& words) {
        return std::ranges::find(now.recent_files, words.first) == now.recent_files.end();
    });
    const app::ExperimentForm& form = shell_->state.train->form;
    if (form.file.empty()) now.train_task = app::task_word(form);
    now.recent_commands = shell_->state.dialogs->recent_commands;
    if (now.session.view.dark != settings_.session.view.dark) {
        now.theme = now.session.view.dark ? app::ThemeChoice::dark : app::ThemeChoice::light;
    }
    return now;
}

} // namespace

base::Result<int> run_window(const std::string& file) {
    const std::string path = app::settings_path();
    app::LoadedSettings loaded;
    std::error_code failed;
    const bool first = path.empty() || !std::filesystem::exists(path, failed);
    if (!path.empty()) loaded = app::load_settings(path);
    if (first) {
        app::Opening opening = app::first_opening();
        loaded.settings.session.document = std::move(opening.document);
        loaded.settings.session.focus = opening.focus;
    }
    loaded.settings.session.view.dark = loaded.settings.theme == app::ThemeChoice::dark;
    // Before any thread is made; wakes nobody but a window.
    std::mutex mutex;
    bool opened = false; // guarded by the mutex
    const auto set_opened = [&](bool now) {
        const std::lock_guard lock(mutex);
        opened = now;
    };
    const LeaveSignals signals([&] {
        const std::lock_guard lock(mutex);
        if (opened) glfwPostEmptyEvent();
    });
    Window window;
    window.first_file = file;
    window.first_start = first;
    window.first_notice = loaded.note.value_or("");
    if (auto open = window.open(loaded.settings); !open) return tl::make_unexpected(open.error());
    set_opened(true);
    app::SettingsSaver saver(path, window.settings_now());
    window.run(saver, signals);
    set_opened(false);
    int code = 0;
    // The window is gone: there is nobody left to tell but the terminal.
    for (const auto& saved : {saver.close(window.settings_now()), window.end_experiment()}) {
        if (saved) continue;
        base::tell("heed: " + base::describe(saved.error()));
        code = 1;
    }
    return code;
}

} // namespace heed::ui
