// Drops a file on the window under the pointer, as a file manager does (XDND, version 5): for the
// tests of the real window.
// usage: drop_file PATH
#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

namespace {

struct Drag {
    Display* display;
    Window source, target = 0;
    int x = 0, y = 0;
    std::string list; // text/uri-list

    Atom atom(const char* name) const { return XInternAtom(display, name, False); }

    bool takes_drops(Window window) const {
        Atom type = 0;
        int format = 0;
        unsigned long count = 0, rest = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(display, window, atom("XdndAware"), 0, 1, False, AnyPropertyType, &type,
                           &format, &count, &rest, &data);
        if (data != nullptr) XFree(data);
        return type != None;
    }

    /// The first window from the root down to the pointer that takes drops.
    void find_target() {
        Window window = DefaultRootWindow(display), root = 0, child = 0;
        int inside_x = 0, inside_y = 0;
        unsigned int keys = 0;
        while (XQueryPointer(display, window, &root, &child, &x, &y, &inside_x, &inside_y, &keys) &&
               child != 0) {
            window = child;
            if (!takes_drops(window)) continue;
            target = window;
            return;
        }
    }

    void send(const char* message, long a, long b, long c, long d) const {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.display = display;
        event.xclient.window = target;
        event.xclient.message_type = atom(message);
        event.xclient.format = 32;
        event.xclient.data.l[0] = static_cast<long>(source);
        event.xclient.data.l[1] = a;
        event.xclient.data.l[2] = b;
        event.xclient.data.l[3] = c;
        event.xclient.data.l[4] = d;
        XSendEvent(display, target, False, NoEventMask, &event);
        XFlush(display);
    }

    void answer(const XSelectionRequestEvent& asked) const {
        XChangeProperty(display, asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(list.data()),
                        static_cast<int>(list.size()));
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.requestor = asked.requestor;
        event.xselection.selection = asked.selection;
        event.xselection.target = asked.target;
        event.xselection.property = asked.property;
        event.xselection.time = asked.time;
        XSendEvent(display, asked.requestor, False, NoEventMask, &event);
        XFlush(display);
    }

    /// Until the target says so, for ten seconds at most.
    bool wait_for(const char* message) const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < end) {
            if (XPending(display) == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                continue;
            }
            XEvent event;
            XNextEvent(display, &event);
            if (event.type == SelectionRequest) answer(event.xselectionrequest);
            if (event.type == ClientMessage && event.xclient.message_type == atom(message)) {
                return true;
            }
        }
        std::fprintf(stderr, "the window never sent %s\n", message);
        return false;
    }
};

} // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    Display* display = XOpenDisplay(nullptr);
    if (display == nullptr) return 1;
    const Window source =
        XCreateSimpleWindow(display, DefaultRootWindow(display), -9, -9, 1, 1, 0, 0, 0);
    Drag drag{display, source, 0, 0, 0, "file://" + std::string(arguments[1]) + "\r\n"};
    drag.find_target();
    if (drag.target == 0) {
        std::fprintf(stderr, "nothing under the pointer takes a file\n");
        return 1;
    }
    XSetSelectionOwner(display, drag.atom("XdndSelection"), source, CurrentTime);
    constexpr long kVersion = 5L << 24;
    const auto type = static_cast<long>(drag.atom("text/uri-list"));
    const auto copy = static_cast<long>(drag.atom("XdndActionCopy"));
    drag.send("XdndEnter", kVersion, type, 0, 0);
    drag.send("XdndPosition", 0, static_cast<long>(drag.x) << 16 | drag.y, CurrentTime, copy);
    if (!drag.wait_for("XdndStatus")) return 1;
    drag.send("XdndDrop", 0, CurrentTime, 0, 0);
    const bool taken = drag.wait_for("XdndFinished");
    XCloseDisplay(display);
    return taken ? 0 : 1;
}
