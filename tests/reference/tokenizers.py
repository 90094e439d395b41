#!/usr/bin/env python3
"""Small tokenisers of every kind, and what the tokenizers library makes of hard lines.

Writes tests/tokenizers/data: lines.txt (one JSON string a line), NAME.json (a tokenizer.json) and
NAME.expected (see write_expected). Run from the top of the tree, with
tokenizers 0.23 and sentencepiece: python3 tests/reference/tokenizers.py tests/tokenizers/data
"""
import json
import os
import random
import sys

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
from tokenizers import pre_tokenizers, processors, trainers

FOLDER = sys.argv[1]

PROSE = """
The black cat is small, and the white dog isn't. They've been sleeping since 1987; we'll see.
A model reads tokens, not words: attention weights say which token looks at which other token.
Don't you think that it's strange? I'm sure she'd said: "Never mind!" (But who knows...)
Der schnelle braune Fuchs springt über den faulen Hund; Größe und Maße sind verschieden.
L'été dernier, nous étions à la plage où l'on mangeait des crêpes, n'est-ce pas ?
El niño comió una piña en la montaña, y después bebió agua con azúcar. ¿Qué más quieres?
Съешь же ещё этих мягких французских булок, да выпей чаю. Москва — столица России.
我爱北京天安门。注意力机制是深度学习中的一种技术，模型使用自注意力。今天天气很好！
日本語の文章はスペースなしで書かれます。東京タワーは高いです。カタカナとひらがな。
한국어 문장은 띄어쓰기가 있습니다. 서울은 대한민국의 수도입니다.
اللغة العربية جميلة جدا، والكتابة من اليمين إلى اليسار. كتاب جديد على الطاولة.
हिन्दी में लिखा गया एक वाक्य। भारत एक बड़ा देश है।
ภาษาไทยไม่มีการเว้นวรรคระหว่างคำ สวัสดีครับ
Η γρήγορη αλεπού πηδάει πάνω από τον τεμπέλη σκύλο. Καλημέρα κόσμε!
def main(argc, argv): return [x ** 2 for x in range(10) if x % 3 == 0]  # a comment
for (int i = 0; i < n; ++i) { sum += a[i] * b[i]; } std::vector<float> weights(1024, 0.5f);
SELECT name, COUNT(*) FROM users WHERE age >= 18 GROUP BY name ORDER BY 2 DESC LIMIT 10;
https://example.org/path?query=1&other=two#part user@example.com 192.168.0.1 3.14159 1,234,567.89
""".strip().split("\n")


def hard_lines():
    draw = random.Random(17)
    lines = ["", " ", "  ", "\n", "\t", "a", "é", "e\u0301", "\u0301", "中", "😀", "👨‍👩‍👧‍👦", "🇫🇷🇩🇪", "👍🏽",
             "\u200d", "\u200b", "\ufeff", "\u00a0", "\u3000", "\u0000", "\ufffd", "\x7f", "\x80\x9f",
             "ﬁ ﬂ ﬃ ²³¹ ½ ¼ ① Ⅷ ℃ ㎏ ㍿", "ÅÅÅ", "가각힣", "\u1100\u1161\u11a8", "ǅ ǆ Ǆ", "İıIi", "ẞß",
             "ﷺ", "𝕳𝖊𝖑𝖑𝖔", "ａｂｃ　ＡＢＣ１２３", "ｶﾞｷﾞ", "カ\u3099", "a\u0323\u0307", "a\u0307\u0323",
             "q\u0307\u0323\u0301\u0328", "\u0344", "\u2126", "\u212b", "\u0958", "\u0340\u0341",
             "<s>", "</s>", "<unk>", "[MASK]", "[CLS] a [SEP]", "<pad><pad>", "<|endoftext|>",
             "Hello<|endoftext|>World", " <mask> ", "a<mask>b", "x  <mask>  y", "the NEWTOKEN is",
             "theNEWTOKENis", "newtoken NewToken", "wholeword", "a wholeword b", "wholewordy",
             "▁", "▁▁a", "a▁b", "Ġ", "Ġthe", "Ċ", "<0xE4>", "<0x0A>", "##ing", "ing##", "</w>",
             "don't Don'T DON'T 'twas 'LL 'Ve 're'm'd", "’s ’t", "can't've", "'ſ it'ſ",
             "1234567890", "１２３４", "١٢٣٤", "१२३४", "一二三", "3.14e-10", "1,000,000", "1st 2nd",
             "foo_bar fooBar FOO_BAR", "a_b__c", "\\n\\t\\\\", "{}[]()<>", "!!!???...", "—–-‐‑",
             "$100 €50 £20 ¥1000", "a+b=c", "^_^ `x` ~y~", "“quotes” ‘single’ «guillemets»",
             "\u180e", "\u0085", "\u2028\u2029", "\u061c\u202e", "tab\tseparated\tvalues",
             "line one\nline two\r\nline three\rline four", "   leading", "trailing   ", " both ",
             "many      spaces", "\n\n\n", " \n \n ", "a\n\n\nb", "\t\t\tx", "a \u3000 b", "a\u00a0b",
             "x" * 120, "ab" * 70, "é" * 101, "中" * 30, "a" * 99 + "é", " " * 50, "-" * 80, "=" * 33]
    lines += PROSE
    words = [w for line in PROSE for w in line.split()]
    for _ in range(120):
        lines.append(" ".join(draw.choice(words) for _ in range(draw.randint(1, 12))))
    for _ in range(60):
        lines.append("".join(draw.choice(words + [" ", "  ", "\n", "\t", "1", "23", "456"])
                             for _ in range(draw.randint(2, 10))))
    for _ in range(60):
        line = list(draw.choice(PROSE))
        for _ in range(draw.randint(1, 6)):
            at = draw.randrange(len(line))
            line[at] = draw.choice([line[at].upper(), "\u0301", "", " ", line[at] * 3, "\u0327", "😀"])
        lines.append("".join(line))
    blocks = [(0x20, 0x7e), (0xa0, 0x17f), (0x300, 0x36f), (0x370, 0x3ff), (0x400, 0x4ff),
              (0x590, 0x5ff), (0x600, 0x6ff), (0x900, 0x97f), (0xe00, 0xe7f), (0x1100, 0x11ff),
              (0x1e00, 0x1eff), (0x1f00, 0x1fff), (0x2000, 0x206f), (0x2070, 0x209f),
              (0x2100, 0x214f), (0x2190, 0x21ff), (0x2460, 0x24ff), (0x2600, 0x26ff),
              (0x3000, 0x303f), (0x3040, 0x30ff), (0x3100, 0x312f), (0x3200, 0x32ff),
              (0x3300, 0x33ff), (0x4e00, 0x9fff), (0xac00, 0xd7a3), (0xe000, 0xe0ff),
              (0xf900, 0xfaff), (0xfb00, 0xfb4f), (0xfe00, 0xfe6f), (0xff00, 0xffef),
              (0x1d400, 0x1d7ff), (0x1f300, 0x1f64f), (0x1f900, 0x1f9ff), (0x20000, 0x2a6d0),
              (0xe0100, 0xe01ef), (0x10000, 0x100ff), (0x12000, 0x120ff)]
    for first, last in blocks:
        for _ in range(3):
            lines.append("".join(chr(draw.randint(first, last)) for _ in range(draw.randint(3, 14))))
    old = [c for c in range(0x20, 0x2fa20) if not 0xd800 <= c < 0xe000 and is_old(c)]
    for _ in range(110):
        lines.append("".join(chr(draw.choice(old)) for _ in range(draw.randint(1, 16))))
    for _ in range(40):
        lines.append("".join(draw.choice(["a", "B", " ", "é", "e\u0301", "中", "1", ".", "😀", "\u200d",
                                          "\n", "ß", "'s", "<mask>", "NEWTOKEN", "▁", "ก", "\u0e34"])
                             for _ in range(draw.randint(1, 20))))
    return lines


def is_old(code_point):
    """Assigned for ten years, so that every library's tables know it."""
    import unicodedata
    return unicodedata.ucd_3_2_0.category(chr(code_point)) not in ("Cn", "Cs")


LINES = hard_lines()
assert len(LINES) >= 600, len(LINES)


def byte_offsets(text, offsets):
    places = [0]
    for c in text:
        places.append(places[-1] + len(c.encode()))
    last = len(places) - 1
    return [(places[min(b, last)], places[min(e, last)]) for b, e in offsets]


def digest(value):
    """Four signs of FNV-1a's 64 bits."""
    h = 0xcbf29ce484222325
    for byte in value.encode():
        h = (h ^ byte) * 0x100000001b3 % 2 ** 64
    h ^= h >> 32
    return "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[h >> 6 * i & 63]
                   for i in range(4))


def write_expected(name, encode, decode, lines=None, in_characters=True):
    """A line a text: digests of its ids, tokens (a line feed between) and offsets ("begin:end" with
    spaces between), of the ids and offsets without special tokens, and of what the ids decode to."""
    with open(f"{FOLDER}/{name}.expected", "w") as out:
        for text in LINES if lines is None else lines:
            ids, tokens, offsets = encode(text, True)
            bare, _, bare_offsets = encode(text, False)
            numbers = lambda ids: " ".join(map(str, ids))
            places = lambda o: " ".join(f"{b}:{e}" for b, e in (byte_offsets(text, o) if in_characters else o))
            out.write(" ".join(map(digest, [numbers(ids), "\n".join(tokens), places(offsets),
                                            numbers(bare) + "|" + places(bare_offsets),
                                            decode(ids)])) + "\n")


def save(name, tokenizer):
    path = f"{FOLDER}/{name}.json"
    tokenizer.save(path, pretty=False)
    tokenizer = Tokenizer.from_file(path)

    def encode(text, special):
        e = tokenizer.encode(text, add_special_tokens=special)
        return e.ids, e.tokens, e.offsets
    write_expected(name, encode, lambda ids: tokenizer.decode(ids, skip_special_tokens=True))


ADDED = [AddedToken("NEWTOKEN", normalized=True), AddedToken("wholeword", single_word=True)]


def trained(model, trainer, normalizer=None, pre=None, decoder=None, post=None, added=ADDED):
    t = Tokenizer(model)
    if normalizer: t.normalizer = normalizer
    if pre: t.pre_tokenizer = pre
    if decoder: t.decoder = decoder
    t.train_from_iterator(PROSE * 3, trainer)
    if added: t.add_tokens(added)
    if post: t.post_processor = post(t)
    return t


def template(before, after):
    def make(t):
        names = before + after
        single = " ".join(before + ["$A"] + after)
        return processors.TemplateProcessing(
            single=single, pair=" ".join([single, "$B:1"] + [f"{x}:1" for x in after]),
            special_tokens=[(x, t.token_to_id(x)) for x in set(names)])
    return make


LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
         r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
         r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}"
         r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def byte_bpe(size=520, special=("<|endoftext|>",), **rules):
    return models.BPE(**rules), trainers.BpeTrainer(
        vocab_size=size, special_tokens=list(special), show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet())


def edited(tokenizer, edit):
    data = json.loads(tokenizer.to_str())
    edit(data)
    return Tokenizer.from_str(json.dumps(data))


def byte_level():
    save("gpt2", trained(*byte_bpe(), pre=pre_tokenizers.ByteLevel(add_prefix_space=False),
                         decoder=decoders.ByteLevel(),
                         post=lambda t: processors.ByteLevel(trim_offsets=False)))
    save("gpt2_trimmed", trained(*byte_bpe(), pre=pre_tokenizers.ByteLevel(add_prefix_space=True),
                                 decoder=decoders.ByteLevel(),
                                 post=lambda t: processors.ByteLevel(trim_offsets=True)))
    special = ("<s>", "<pad>", "</s>", "<unk>")
    save("roberta", trained(
        *byte_bpe(special=special), pre=pre_tokenizers.ByteLevel(add_prefix_space=False),
        decoder=decoders.ByteLevel(),
        added=ADDED + [AddedToken("<mask>", lstrip=True, special=True)],
        post=lambda t: processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)))
    cut = lambda pattern: pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(pattern), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    llama3 = trained(*byte_bpe(special=("<|begin_of_text|>", "<|end_of_text|>")), pre=cut(LLAMA3),
                     decoder=decoders.ByteLevel(),
                     post=lambda t: processors.Sequence([
                         processors.ByteLevel(trim_offsets=False),
                         template(["<|begin_of_text|>"], [])(t)]))

    def without_some_merges(data):
        data["model"]["ignore_merges"] = True
        data["model"]["merges"] = data["model"]["merges"][:-60]
    save("llama3", edited(llama3, without_some_merges))
    save("qwen2", trained(*byte_bpe(), normalizer=normalizers.NFC(), decoder=decoders.ByteLevel(),
                          pre=cut(LLAMA3.replace("{1,3}", "")),
                          post=lambda t: processors.ByteLevel(trim_offsets=False)))
    save("gpt4o", trained(*byte_bpe(400), pre=cut(GPT4O), decoder=decoders.ByteLevel()))
    save("byte_normalizer", trained(*byte_bpe(400), normalizer=normalizers.ByteLevel(),
                                    decoder=decoders.ByteLevel(), added=[AddedToken("wholeword", normalized=False)]))


def wordpiece():
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    def bert(name, normalizer, size=600, **more):
        save(name, trained(
            models.WordPiece(unk_token="[UNK]", **more),
            trainers.WordPieceTrainer(vocab_size=size, special_tokens=special, show_progress=False),
            normalizer=normalizer, pre=pre_tokenizers.BertPreTokenizer(),
            decoder=decoders.WordPiece(), post=template(["[CLS]"], ["[SEP]"])))
    bert("bert", normalizers.BertNormalizer())
    bert("bert_cased", normalizers.BertNormalizer(lowercase=False, handle_chinese_chars=False))
    bert("bert_accents", normalizers.BertNormalizer(clean_text=False, strip_accents=False, lowercase=True))
    save("bert_processing", trained(
        models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=12),
        trainers.WordPieceTrainer(vocab_size=400, special_tokens=special, show_progress=False),
        normalizer=normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(),
                                         normalizers.Lowercase(), normalizers.Strip()]),
        pre=pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits(True),
                                     pre_tokenizers.Punctuation("merged_with_previous")]),
        decoder=decoders.WordPiece(cleanup=False),
        post=lambda t: processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))))


def characters(special, size=500, **rules):
    return models.BPE(unk_token="<unk>", **rules), trainers.BpeTrainer(
        vocab_size=size, special_tokens=special, show_progress=False, limit_alphabet=120)


def with_bytes(data):
    vocab = data["model"]["vocab"]
    for b in range(256):
        vocab.setdefault(f"<0x{b:02X}>", len(vocab))
    data["model"]["byte_fallback"] = True


def fallback():
    special = ["<unk>", "<s>", "</s>"]
    llama2 = trained(*characters(special, fuse_unk=True),
                     normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
                     decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(),
                                                decoders.Fuse(), decoders.Strip(" ", 1, 0)]),
                     post=template(["<s>"], []))
    save("llama2", edited(llama2, with_bytes))
    gemma = trained(*characters(["<pad>", "<eos>", "<bos>", "<unk>"], fuse_unk=True),
                    normalizer=normalizers.Replace(" ", "▁"), post=template(["<bos>"], []),
                    decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]))
    save("gemma", edited(gemma, with_bytes))
    save("mistral", edited(trained(
        *characters(special), pre=pre_tokenizers.Metaspace(prepend_scheme="first", split=False),
        decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                   decoders.Strip(" ", 1, 0)])), with_bytes))
    save("fused", trained(*characters(special, fuse_unk=True), pre=pre_tokenizers.Whitespace(),
                          decoder=decoders.BPEDecoder()))
    save("clip", trained(
        models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"),
        trainers.BpeTrainer(vocab_size=500, special_tokens=special, show_progress=False,
                            end_of_word_suffix="</w>", limit_alphabet=100),
        normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "),
                                         normalizers.Lowercase()]),
        pre=pre_tokenizers.Split(Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"),
                                 "removed", invert=True),
        decoder=decoders.BPEDecoder("</w>"), post=template(["<s>"], ["</s>"])))
    save("prefixed", trained(
        models.BPE(unk_token="<unk>", continuing_subword_prefix="##"),
        trainers.BpeTrainer(vocab_size=500, special_tokens=special, show_progress=False,
                            continuing_subword_prefix="##", limit_alphabet=100),
        normalizer=normalizers.Nmt(), pre=pre_tokenizers.UnicodeScripts(),
        decoder=decoders.WordPiece()))


def cutting():
    def words(name, pre, normalizer=None, decoder=None, post=None):
        save(name, trained(models.WordLevel(unk_token="<unk>"),
                           trainers.WordLevelTrainer(vocab_size=250, special_tokens=["<unk>", "<s>", "</s>"],
                                                     show_progress=False),
                           normalizer=normalizer, pre=pre, decoder=decoder, post=post))
    words("whitespace", pre_tokenizers.Whitespace())
    words("digits", pre_tokenizers.Sequence([pre_tokenizers.Digits(False), pre_tokenizers.Punctuation("contiguous"),
                                             pre_tokenizers.CharDelimiterSplit(" ")]),
          normalizer=normalizers.NFKD(), decoder=decoders.CTC(pad_token="<unk>"))
    words("metaspace", pre_tokenizers.Metaspace(), decoder=decoders.Metaspace(),
          post=template(["<s>", "<s>"], ["</s>"]))
    words("metaspace_never", pre_tokenizers.Metaspace(replacement="_", prepend_scheme="never"),
          decoder=decoders.Metaspace(replacement="_", prepend_scheme="never"))
    words("fixed_length", pre_tokenizers.FixedLength(3), normalizer=normalizers.Strip(left=False))
    words("split_next", pre_tokenizers.Split("a", "merged_with_next"),
          normalizer=normalizers.Strip(right=False))
    words("split_previous", pre_tokenizers.Split(Regex(r"[aeiou\s]+|\b\w{2}\b|\d"), "merged_with_previous"))
    words("split_removed", pre_tokenizers.Split(Regex(r"\W|x*"), "removed"))
    both = lambda *cuts: pre_tokenizers.Sequence(list(cuts))
    words("split_contiguous", both(pre_tokenizers.Split(Regex("[aeiou]"), "contiguous"),
                                   pre_tokenizers.Punctuation("removed")),
          decoder=decoders.Replace(Regex("[aeiou]{2,}"), "~"))
    words("split_inverted", both(pre_tokenizers.Split(Regex(r"\w+"), "isolated", invert=True),
                                 pre_tokenizers.Punctuation("merged_with_next")))
    words("split_inverted_next", both(pre_tokenizers.Split(Regex(r"\S+"), "merged_with_next", invert=True),
                                      pre_tokenizers.Punctuation("isolated")))
    words("metaspace_first", pre_tokenizers.Metaspace(prepend_scheme="first"),
          decoder=decoders.Metaspace(prepend_scheme="first"))


def small_map():
    """A table of our own with few rules: SentencePiece's is a quarter of a megabyte."""
    import io
    import sentencepiece
    rules = f"{FOLDER}/rules.tsv"
    pairs = [("ﬁ", "fi"), ("①", "1"), ("ａ", "a"), ("ｂ", "b"), ("Ａ", "A"), ("１", "1"), ("\u00a0", " "),
             ("\u3000", " "), ("½", "1⁄2"), ("\u200b", ""), ("é", "e"), ("e\u0301", "E"), ("ß", "ss"),
             ("ｶ", "カ"), ("ｶﾞ", "ガ"), ("\u0e34", ""), ("\n", " "), ("\t", " "), ("中", "zhong"), ("ﷺ", "صلى الله")]
    with open(rules, "w") as f:
        for old, new in pairs:
            f.write(" ".join(f"{ord(c):X}" for c in old) + "\t" + " ".join(f"{ord(c):X}" for c in new) + "\n")
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(PROSE * 3), model_writer=out, vocab_size=340, model_type="unigram",
        normalization_rule_tsv=rules, hard_vocab_limit=False, minloglevel=2)
    os.remove(rules)
    return out.getvalue()


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128: return value, at


def proto_fields(data):
    """Numbers and values of a protocol buffer's fields."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0: value, at = varint(data, at)
        elif key & 7 == 5: value, at = data[at:at + 4], at + 4
        elif key & 7 == 1: value, at = data[at:at + 8], at + 8
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def normalizer_spec(model):
    """The bytes of precompiled_charsmap (field 2 of field 3)."""
    spec = next(v for k, v in proto_fields(model) if k == 3)
    return next(v for k, v in proto_fields(spec) if k == 2)


def unigram():
    charsmap_bytes = normalizer_spec(small_map())
    special = ["<pad>", "</s>", "<unk>"]
    def make(name, normalizer, pre, post, bytes_too=False):
        t = trained(models.Unigram(), trainers.UnigramTrainer(
            vocab_size=400, special_tokens=special, unk_token="<unk>", show_progress=False),
            normalizer=normalizer, pre=pre, decoder=decoders.Metaspace(), post=post)
        def edit(data):
            for b in range(256): data["model"]["vocab"].append([f"<0x{b:02X}>", -20.0 - b])
            data["model"]["byte_fallback"] = True
        save(name, edited(t, edit) if bytes_too else t)
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    precompiled = normalizers.Precompiled(charsmap_bytes)
    make("t5", normalizers.Sequence([precompiled, normalizers.Strip(left=False), spaces]),
         pre_tokenizers.Metaspace(), template([], ["</s>"]))
    make("xlm_r", precompiled, pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
         template(["<pad>"], ["</s>"]))
    make("unigram_bytes", None, pre_tokenizers.Metaspace(split=False), None, bytes_too=True)


def spm(**options):
    import io
    import sentencepiece
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(PROSE * 3), model_writer=out, hard_vocab_limit=False, minloglevel=2, **options)
    return out.getvalue()


def write_spm(path, data, before=(), after=(), ids=None, fallback=False, special=None):
    """Expected by SentencePiece itself. Bytes of one character have its place, all of them. A
    character of several bytes: `ids` maps ids of the file to those of the model."""
    import sentencepiece
    os.makedirs(os.path.dirname(f"{FOLDER}/{path}"), exist_ok=True)
    open(f"{FOLDER}/{path}", "wb").write(data)
    sp = sentencepiece.SentencePieceProcessor(model_proto=data)
    ids = ids or (lambda i, piece: i)

    def encode(text, with_special):
        pieces = []
        for number, value in proto_fields(sp.encode(text, return_type="serialized_proto")):
            if number != 2: continue
            p = dict(proto_fields(value))
            piece = p[1].decode()
            pieces.append([ids(p[2], piece), piece, p.get(4, 0), p.get(5, 0), p.get(3), sp.is_byte(p[2])])
        for i in range(len(pieces) - 1, 0, -1):  # the last byte of a character has its surface
            if pieces[i][5] and pieces[i - 1][5] and pieces[i - 1][2] == pieces[i - 1][3]:
                pieces[i - 1][3] = pieces[i][3]
        if with_special:
            pieces = [[i, t, 0, 0] for i, t in before] + pieces + [[i, t, 0, 0] for i, t in after]
        return [p[0] for p in pieces], [p[1] for p in pieces], [(p[2], p[3]) for p in pieces]
    lines = [x for x in LINES if not any(t in x for t in (special or []))]
    name = path.split("/")[0] if "/" in path else path
    write_expected(name, encode, lambda ids: "", lines, in_characters=False)
    if special:
        json.dump([i for i, x in enumerate(LINES) if x in lines], open(f"{FOLDER}/{name}.lines", "w"))


def sentencepieces():
    names = dict(unk_piece="<unk>", bos_piece="<s>", eos_piece="</s>", pad_piece="<pad>")
    uni = spm(vocab_size=420, model_type="unigram", normalization_rule_name="identity",
              user_defined_symbols=["NEWTOKEN", "<mask>"], **names)
    write_spm("unigram.model", uni)
    write_spm("kept.model", spm(vocab_size=420, model_type="unigram", normalization_rule_name="identity",
                                remove_extra_whitespaces=False, add_dummy_prefix=False, **names))
    write_spm("suffix.model", spm(vocab_size=400, model_type="bpe", normalization_rule_name="identity",
                                  treat_whitespace_as_suffix=True, **names))
    write_spm("mapped.model", small_map())
    bpe = spm(vocab_size=700, model_type="bpe", normalization_rule_name="identity", byte_fallback=True,
              character_coverage=0.98, remove_extra_whitespaces=False, user_defined_symbols=["NEWTOKEN"], **names)
    write_spm("bpe.model", bpe)
    control = ["<s>", "</s>", "<unk>", "<pad>", "<mask>", "<extra_id_"]
    write_spm("old_llama/tokenizer.model", bpe, before=[(1, "<s>")], special=control)
    write_spm("old_t5/spiece.model", spm(vocab_size=420, model_type="unigram", pad_id=0, eos_id=1, unk_id=2,
                                         bos_id=-1, normalization_rule_name="identity", **names),
              after=[(1, "</s>")], special=control)
    write_spm("old_xlm_r/sentencepiece.bpe.model", spm(vocab_size=420, model_type="unigram",
                                                       normalization_rule_name="identity", **names),
              before=[(0, "<s>")], after=[(2, "</s>")], special=control,
              ids=lambda i, piece: 3 if i == 0 else i + 1)


def old_files():
    """By transformers' own classes."""
    import transformers
    transformers.logging.set_verbosity_error()

    def make(name, source, config, cls, files):
        folder = f"{FOLDER}/{name}"
        os.makedirs(folder, exist_ok=True)
        model = json.load(open(f"{FOLDER}/{source}.json"))["model"]
        vocab = model["vocab"]
        if "vocab.txt" in files:
            by_id = sorted(vocab, key=vocab.get)
            open(f"{folder}/vocab.txt", "w").write("".join(t + "\n" for t in by_id))
        else:
            vocab.setdefault("<mask>", len(vocab))
            json.dump(vocab, open(f"{folder}/vocab.json", "w"), ensure_ascii=False)
            open(f"{folder}/merges.txt", "w").write(
                "#version: 0.2\n" + "".join(" ".join(m) + "\n" for m in model["merges"]))
        json.dump(config, open(f"{folder}/tokenizer_config.json", "w"))
        if cls:
            backend = getattr(transformers, cls).from_pretrained(folder).backend_tokenizer
        else:  # transformers 5.12 cannot make it with tokenizers 0.23: its rows by hand
            backend = Tokenizer(models.BPE.from_file(f"{folder}/vocab.json", f"{folder}/merges.txt"))
            backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            backend.post_processor = processors.RobertaProcessing(
                ("</s>", vocab["</s>"]), ("<s>", vocab["<s>"]), add_prefix_space=False)
            backend.add_special_tokens(["<s>", "</s>", "<unk>", "<pad>", AddedToken("<mask>", lstrip=True)])

        def encode(text, special):
            e = backend.encode(text, add_special_tokens=special)
            return e.ids, e.tokens, e.offsets
        write_expected(name, encode, lambda ids: "")
    make("old_gpt2", "gpt2", {"tokenizer_class": "GPT2Tokenizer"}, "GPT2Tokenizer", ["vocab.json"])
    make("old_roberta", "roberta", {"tokenizer_class": "RobertaTokenizer"}, None, ["vocab.json"])
    make("old_qwen2", "qwen2", {"tokenizer_class": "Qwen2Tokenizer"}, "Qwen2Tokenizer", ["vocab.json"])
    make("old_bert", "bert", {"tokenizer_class": "BertTokenizer"}, "BertTokenizer", ["vocab.txt"])
    make("old_bert_cased", "bert_cased", {"tokenizer_class": "BertTokenizer", "do_lower_case": False,
                                          "tokenize_chinese_chars": False}, "BertTokenizer", ["vocab.txt"])


def marian():
    """Pieces of SentencePiece, ids of vocab.json, a language in front, </s> behind."""
    import sentencepiece
    folder = f"{FOLDER}/old_marian"
    os.makedirs(folder, exist_ok=True)
    sides = {side: spm(vocab_size=size, model_type="unigram", normalization_rule_name="identity")
             for side, size in (("source", 400), ("target", 420))}
    vocab = {"</s>": 0, "<unk>": 1, ">>fra<<": 2}
    for side, data in sides.items():
        open(f"{folder}/{side}.spm", "wb").write(data)
        sp = sentencepiece.SentencePieceProcessor(model_proto=data)
        for i in range(3, sp.get_piece_size()): vocab.setdefault(sp.id_to_piece(i), len(vocab))
    vocab["<pad>"] = len(vocab)
    json.dump(vocab, open(f"{folder}/vocab.json", "w"), ensure_ascii=False)
    for side, data in sides.items():
        control = ["</s>", "<unk>", "<pad>"]
        write_spm(f"marian_{side}/x.spm", data, after=[(0, "</s>")], special=control,
                  ids=lambda i, piece: vocab.get(piece, 1))
        os.remove(f"{FOLDER}/marian_{side}/x.spm")
        os.rmdir(f"{FOLDER}/marian_{side}")


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    with open(f"{FOLDER}/lines.txt", "w") as f:
        for line in LINES: f.write(json.dumps(line) + "\n")
    byte_level()
    wordpiece()
    fallback()
    cutting()
    unigram()
    sentencepieces()
    marian()
    old_files()
