#include "ui/task_rng.hpp"

namespace heed::ui::test {

namespace {

const std::string kTexts[] = {
    "The cat sat on the mat",
    "The dog chased the cat, didn't it? 3.14",
    "Le chat s'est assis sur le tapis",
    "a",
    "x ",
    "我昨天吃了一个苹果",
    "汤姆 追逐 杰瑞",
    "ذهب الولد إلى المدرسة",
    "שלום עולם 42",
    "नमस्ते दुनिया",
    "ผู้ชายกินข้าว",
    "👩‍👩‍👧‍👦 likes 🍎🏳️‍🌈",
    "👍🏽👍🏿🇫🇷",
    "e\u0301cole \ufb01n \u200b\u200d \u2067abc\u2069",
    "Z\u0351\u036b\u0343\u036aa\u0302\u0301lgo",
    "",
    "   \t\n ",
    "a\nb\r\nc",
    std::string("nul\0inside", 10),
    "\xff\xfe broken \xc3(",
    "\xe6\x88",
    "\xf0\x9f\x98 and \xed\xa0\x80 surrogates",
    "\x80\x80\x80",
    "\ue000\uf8ff private",
    "\U0010ffff\U000f0000 noncharacters",
    "\\n %s %d {} ## ### ##id \" ' <b>",
};

std::string repeated(const std::string& word, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += word;
    return text;
}

} // namespace

std::string some_text(TaskRng& rng) {
    switch (rng.roll(12)) {
    case 0: return repeated("word ", rng.roll(60));
    case 1: return repeated("长", rng.roll(90));
    case 2: return std::string(static_cast<std::size_t>(rng.roll(3000)), 'x');
    case 3: return rng.of(kTexts) + " " + rng.of(kTexts);
    case 4: { // any bytes
        std::string bytes;
        for (int i = rng.roll(24); i > 0; --i) bytes += static_cast<char>(rng.roll(256));
        return bytes;
    }
    default: return rng.of(kTexts);
    }
}

} // namespace heed::ui::test
