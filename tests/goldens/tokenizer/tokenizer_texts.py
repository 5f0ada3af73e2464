"""Texts for make_tokenizer_goldens.py: many languages, code, and what breaks tokenizers."""

SENTENCES = [
    "The quick brown fox jumps over the lazy dog.",
    "She said: \"I'm sure they'll come, but we've no idea when he'd know.\" It's 5 o'clock; don't YOU'RE shout.",
    "IT'S HE'LL WE'VE I'M THEY'RE CAN'T SHE'D it'S he'Ll",
    "It\u2019s a typographic apostrophe, isn\u2019t it? '\u017f long s, x'\u017f, '\u212a kelvin",
    "Größenwahn, Straße, Äpfel, ÖSTERREICH, ẞ; naïve café, façade, Ångström, cœur, œuvre, ĲSSEL",
    "El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia. ¿Qué? ¡Sí!",
    "À noite, vovô Kowalsky vê o ímã cair no pé do pinguim.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń. Árvíztűrő tükörfúrógép.",
    "Pijamalı hasta yağız şoföre çabucak güvendi. İIıi",
    "Tiếng Việt: Đường phố Hà Nội rất đông người vào buổi sáng.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю. Їжак, ґанок, ўсё.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ᾳ ᾴ ὕ ΐ",
    "שלום עולם, מה שלומך? נִקּוּד בְּעִבְרִית",
    "السلام عليكم ورحمة الله وبركاته، ١٢٣٤ ۱۲۳ مُشَكَّل",
    "नमस्ते दुनिया, आप कैसे हैं? क़ ख़ ग़ ज़ ड़ ढ़ १२३",
    "আমি বাংলায় গান গাই। কো কৌ ড় ঢ় য়",
    "தமிழ் மொழி கொ கோ கௌ, తెలుగు భాష, ಕನ್ನಡ ಕೊ, മലയാളം കൊ",
    "ภาษาไทยไม่มีช่องว่างระหว่างคำ ๑๒๓ กำ น้ำ",
    "ພາສາລາວ ភាសាខ្មែរ မြန်မာဘာသာ བོད་སྐད་ ཀྵ",
    "ქართული ენა, Հայերեն լեզու, አማርኛ ቋንቋ",
    "人人生而自由，在尊严和权利上一律平等。二〇二四年 １２３ＡＢＣ　全角空格",
    "日本語の文章です。カタカナとひらがな、ガ ガ ﾊﾟ ㍿ ㈱ 々〆",
    "한국어 문장입니다. 각 각 한 \u1112\u1161\u11ab \u1100\u1161 \uac00\u11a8",
    "Esperanto: ĉu vi ŝatas ĵaŭdon? Māori: tēnā koutou. Yorùbá: ẹ kú ọjọ́ Íñtánẹ́ẹ̀tì",
    "👍🏽 👨‍👩‍👧‍👦 🇩🇪🇫🇷 ❤️ ☎︎ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ 🤷🏼‍♀️😀😀😀",
    "∑_{i=0}^{n} xᵢ² ≤ ∫₀^∞ e^{−x²} dx = √π/2 ≈ 0.8862 ⇒ ∀x∈ℝ ∃y: x≠y",
    "½ ⅓ ² ³ ₁₂ Ⅷ ⅳ ① ⑳ 〇 一二三 ൰ ௧ 𝟙𝟚 𝔘𝔫𝔦 ℌ ㊿",
    "0 12 123 1234 12345 1234567890 3.14159 1,000,000 -273.15 1e-9 0x1F 2024-02-29T23:59:60Z v1.2.3-rc4",
    "def f(x):\n    return x**2 + 1\n\n\nclass A:\n\tpass  # tab\n",
    "#include <vector>\r\nint main() {\r\n\tstd::vector<int> v{1,2,3};\r\n\treturn v[0]!=1;\r\n}\r\n",
    "for(let i=0;i<10;++i){console.log(`${i}: ${a[i]??'none'}`)}//!?",
    "SELECT * FROM t WHERE a='it''s' AND b<>\"x\";--comment",
    "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Köln\", \"days\": [1, 2.5, null, true]}}",
    "<html><body class='x'>&amp;&#8364;<br/></body></html><!-- <|> -->",
    "https://example.org/a/b?x=1&y=%20#frag user@example.com C:\\Windows\\System32 ~/.bashrc $HOME/{a,b}*",
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n\n- [ ] task\n1. one\n> quote\n```sh\nls -la\n```\n",
    "!!! ??? ... --- *** ### @@@ $$$ %%% ^^^ &&& ((())) [[[]]] {{{}}} <<<>>> ///\\\\\\ ~~~ ``` ''' \"\"\"",
    "''s '''re 're've'll'd'm't's's 'x 'S 'Re 'lL 'l 'r 'v '",
    "a's b't c're d've e'm f'll g'd h'n i'sx 1's !'s \n's  's",
    "don''t  ' s  'sn't",
]

WHITE_SPACE = [
    "",
    " ",
    "  ",
    "   a",
    "a ",
    "a  ",
    "a   b    c     d",
    "\n",
    "\n\n\n",
    " \n \n  x",
    "x\n\n  y \n\n\n z",
    "a\t\tb\t c \td",
    "\r\n\r\n a\r b\n\r c",
    "a \n",
    "a  \n  \n",
    "...\n\n...\r\n \n",
    " !\n\n ?\r\n",
    "\n 1 \n  2  \n\n   3",
    "  1   2    3",
    "   \u4e2d   \u6587   ",
    "a\u00a0b\u00a0\u00a0c \u00a0 d\u00a0",
    "a\u2003b\u2003\u2003 c\u3000d\u3000\u3000",
    "\u2028x\u2029y\u0085z \u0085 \u1680w",
    "\u200bzero\u200b width\ufeffbom \u180e \u2060",
    "a\x0bb\x0c c\x0b\x0c d\x1c\x1d\x1e\x1f e",
    " \u202f1\u2009000\u2009km\u205f",
    "\t\n\t\n\t x",
    "  \r\n  \r\n  end  ",
]

HOSTILE = [
    "\x00",
    "a\x00b\x00\x00c",
    "\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b[31m\x7f",
    "\x80\x81\x9f\xa0\xad",
    "\ufffd\ufffe\uffff \U0010ffff \U000f0000 \ue000",
    "e\u0301 e\u0300\u0301 a\u030a A\u030a \u212b \u2126 o\u0302\u0301 u\u0308\u0304 s\u0323\u0307 s\u0307\u0323",
    "q\u0323\u0307 q\u0307\u0323 \u1e69 \u1e0b\u0323 \u0344 \u0340\u0341 \u0958 \u2adc \u0f73\u0f71 \ufb1d \U0002f800",
    "\u0301start with a mark, a" + "\u0301\u0316\u0327\u0345" * 12 + " zalgo",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034dA",
    "\u1100\u1161\u11a8\u1100\u1161 \ud55c\u11ab \uac00\u0301 \u1161\u11a8 \u1100\u0300\u1161",
    "1\u0301 '\u0301s \n\u0301 \u00a0\u0301 <\u0338 =\u0338 >\u0338",
    "\u202eright to left\u202c \u2066isolate\u2069 \u200f\u200e\u061c",
    "<|im_start|>system\nignore<|im_end|>",
    "\ufb01\ufb06 \u01c4\u01c5 \u0149 \u1e9e \u0130 \u03c2\u03c3",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "AAAABBBBaaaabbbbAbAbAbAbABABABABxyzxyzxyzxyz00000000111111110101010101",
    "ThisIsAVeryLongCamelCaseIdentifierWithManyParts_and_snake_case_and-kebab-case-MIXED123Together",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==",
    "=" * 80 + "\n" + "-" * 80 + "\n" + "*" * 33,
    " " * 79 + "x" + "\t" * 17 + "y" + "\n" * 23 + "z",
    "\U0001f600" * 20 + "\u200d" * 5 + "\ufe0f" * 5,
]

REPEATED = [
    ("a", 30000),
    (" ", 30000),
    ("\n", 10000),
    ("\r\n", 5000),
    (" \n", 5000),
    ("0", 10000),
    ("ab", 10000),
    ("abc ", 5000),
    ("\u4e2d", 5000),
    ("\u4e2d\u6587", 3000),
    ("e\u0301", 3000),
    ("\u0301\u0316", 3000),
    ("\u1100\u1161\u11a8", 2000),
    ("\U0001f600", 3000),
    ("!", 10000),
    ("'s", 5000),
    ("<|im_start|>", 1000),
    ("-", 10001),
    ("th", 7001),
    ("\x00", 5000),
]

# Pools for random texts: what pre-tokenizers treat differently, mixed.
POOLS = {
    "ascii": [chr(code) for code in range(32, 127)],
    "rules": list("aZ's'S'll're 1290²½!?.-\n\r\t  \u00a0\u3000é中ß\u0301"),
    "words": ["the", " and", " of", "ing", " to", "tion", " I", "'m", " don", "'t", " 19", "84", "\n", "  ", ". ", ", "],
    "marks": list("aeoAsdqu") + [chr(code) for code in range(0x300, 0x34F)] + list("\u0f71\u0f72\u0f74\u05b0\u05bc\u0334"),
    "hangul": [chr(0x1100 + i) for i in range(19)] + [chr(0x1161 + i) for i in range(21)]
    + [chr(0x11A7 + i) for i in range(28)] + [chr(0xAC00 + 28 * i) for i in range(40)] + [" "],
    "scripts": [chr(code) for first, last in [(0xC0, 0x17F), (0x391, 0x3C9), (0x410, 0x44F), (0x5D0, 0x5EA), (0x627, 0x64A),
                                              (0x905, 0x939), (0xE01, 0xE2E), (0x3041, 0x3096), (0x4E00, 0x4FFF)]
                for code in range(first, last + 1)] + [" "] * 40 + ["\n"] * 5,
    "symbols": [chr(code) for first, last in [(0x21, 0x2F), (0xA1, 0xBF), (0x2010, 0x2027), (0x2030, 0x205E), (0x20A0, 0x20BD),
                                              (0x2190, 0x21FF), (0x2460, 0x24FF), (0x1F300, 0x1F64F)]
                for code in range(first, last + 1)] + list(" \na1"),
    "planes": [chr(code) for first, last in [(0x10400, 0x1044F), (0x1D400, 0x1D454), (0x1D7CE, 0x1D7FF), (0x20000, 0x20100),
                                             (0x2F800, 0x2F820), (0xE0100, 0xE0120), (0xF0000, 0xF0010)]
               for code in range(first, last + 1)] + list(" \n"),
    "controls": [chr(code) for code in range(0x00, 0xA1)],
}


def texts(random):
    result = SENTENCES + WHITE_SPACE + HOSTILE
    for pool in POOLS.values():
        for _ in range(20):
            result.append("".join(random.choice(pool) for _ in range(random.randrange(1, 48))))
    everything = [character for pool in POOLS.values() for character in pool]
    for _ in range(40):
        result.append("".join(random.choice(everything) for _ in range(random.randrange(1, 40))))
    return result


def special_texts():
    return [
        "<|im_start|>user\nHello there<|im_end|>\n<|im_start|>assistant\n",
        "<|im_start|><|im_start|><|im_end|><|endoftext|>",
        "a<|im_end|>b <|im_end|> c\n<|im_end|>\n",
        "<|im_start|", "<|im_start|>", "<<|im_start|>>", "<|im_start |>", "<|IM_START|>", "|im_end|>",
        "<|im_<|im_end|>start|>",
        "<|im_start|>e\u0301<|im_end|>\u0301\u0327x",
        "don<|im_end|>'t 12<|im_end|>34   <|im_end|>  x",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call><|im_end|>",
        "<tool_call></tool_call> < tool_call > <tool_cal<tool_call>l>",
        "<|fim_prefix|>def f():<|fim_suffix|>    return x<|fim_middle|>",
        "<|repo_name|>x<|file_sep|>y<repo_name>z<reponame><file_sep><filename><gh_stars><issue_start>",
        "<issue_comment><issue_closed><jupyter_start><jupyter_text><jupyter_code><jupyter_output><jupyter_script>"
        "<empty_output>",
        "<|vision_start|><|image_pad|><|video_pad|><|vision_pad|><|vision_end|><|quad_start|><|quad_end|><|box_start|>"
        "<|box_end|><|object_ref_start|><|object_ref_end|><|fim_pad|>",
        "[PAD151665] <|endoftext|>[PAD151666]",
        "  <|im_start|>  user  \n  <|im_end|>  ",
    ]
