#!/usr/bin/env python3
"""Writes prose_tokens.tsv: how many WordPieces the `tokenizers` library makes of English prose.

    make_prose_goldens.py TOKENIZER.JSON     (that of all-MiniLM-L6-v2: bert-base-uncased's vocabulary)

Old texts are in the public domain, the others were written for this file. A line each: count, tab, text.
"""
import pathlib
import sys

from tokenizers import Tokenizer

TEXTS = [
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a "
    "wife. However little known the feelings or views of such a man may be on his first entering a neighbourhood, this "
    "truth is so well fixed in the minds of the surrounding families, that he is considered as the rightful property of "
    "some one or other of their daughters.",
    "When in the Course of human events, it becomes necessary for one people to dissolve the political bands which have "
    "connected them with another, and to assume among the powers of the earth, the separate and equal station to which "
    "the Laws of Nature and of Nature's God entitle them, a decent respect to the opinions of mankind requires that they "
    "should declare the causes which impel them to the separation.",
    "Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and "
    "dedicated to the proposition that all men are created equal. Now we are engaged in a great civil war, testing "
    "whether that nation, or any nation so conceived and so dedicated, can long endure.",
    "Call me Ishmael. Some years ago - never mind how long precisely - having little or no money in my purse, and nothing "
    "particular to interest me on shore, I thought I would sail about a little and see the watery part of the world.",
    "There is grandeur in this view of life, with its several powers, having been originally breathed into a few forms "
    "or into one; and that, whilst this planet has gone cycling on according to the fixed law of gravity, from so simple "
    "a beginning endless forms most beautiful and most wonderful have been, and are being, evolved.",
    "Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or "
    "twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, \"and what "
    "is the use of a book,\" thought Alice \"without pictures or conversations?\"",
    "Marley was dead: to begin with. There is no doubt whatever about that. The register of his burial was signed by the "
    "clergyman, the clerk, the undertaker, and the chief mourner. Scrooge signed it. Old Marley was as dead as a door-nail.",
    "In the beginning God created the heaven and the earth. And the earth was without form, and void; and darkness was "
    "upon the face of the deep. And the Spirit of God moved upon the face of the waters.",
    "We the People of the United States, in Order to form a more perfect Union, establish Justice, insure domestic "
    "Tranquility, provide for the common defence, promote the general Welfare, and secure the Blessings of Liberty to "
    "ourselves and our Posterity, do ordain and establish this Constitution.",
    "The server keeps a connection open for every browser tab. When the network is lost, the page tries again after one "
    "second, then after two, four and eight, and shows a small note above the text field while it waits.",
    "To install the program, download the archive, unpack it into an empty folder and run the script called setup. It "
    "asks for a password once; afterwards everything is found in the home folder of the user who called it.",
    "Annual revenue rose by 12% to $4.3 million in 2019, while operating costs remained flat. The board therefore "
    "recommends a dividend of 35 cents per share, payable on 15 March.",
    "Photosynthesis converts light energy into chemical energy that is stored in carbohydrate molecules, such as sugars, "
    "which are synthesised from carbon dioxide and water. In most cases, oxygen is released as a waste product.",
    "A hash table finds an entry in constant time on average. Its worst case is linear, which an attacker who can choose "
    "the keys may provoke; randomised hash functions make that impractical.",
    "Preheat the oven to 180 degrees. Mix the flour, sugar and butter with your fingertips until the mixture looks like "
    "breadcrumbs, then add the eggs one at a time and knead until smooth.",
    "The tenant shall give written notice of termination no later than the third working day of a calendar month, with "
    "effect from the end of the month after next. Oral agreements are not binding upon either party.",
    "Patients with impaired kidney function should receive half of the usual dose. Blood pressure and potassium must be "
    "checked weekly during the first month of treatment, and the medicine withdrawn if either becomes abnormal.",
    "She closed the door quietly, waited until his footsteps had died away on the stairs, and only then allowed herself "
    "to read the letter again. It was shorter than she remembered.",
    "The committee met on Tuesday. Those present: the chair, the treasurer, three members and a guest. Minutes of the "
    "previous meeting were approved without changes, and the date of the next was set.",
    "Rivers carry sediment from the mountains to the sea, and where the current slows they drop it. Over thousands of "
    "years this builds deltas: flat, fertile and frequently flooded land on which a large part of humanity lives.",
    "If the warning light stays on after the engine has started, stop at once, switch the engine off and check the oil "
    "level. Do not drive on with too little oil, as this may damage the bearings.",
    "Our hotel is ten minutes from the station on foot. Breakfast is served from seven until half past ten; on Sundays "
    "it begins an hour later. Dogs are welcome, but not in the dining room.",
    "Interest rates influence how much people save and how much they borrow. When a central bank raises them, mortgages "
    "become more expensive, spending falls, and after some delay prices rise more slowly.",
    "The telescope's primary mirror consists of eighteen hexagonal segments made of gold-plated beryllium, which together "
    "form a surface six and a half metres across, almost three times the width of its predecessor's.",
]


def main():
    tokenizer = Tokenizer.from_file(sys.argv[1])
    tokenizer.no_truncation()
    tokenizer.no_padding()
    lines = [f"{len(tokenizer.encode(text, add_special_tokens=False).ids)}\t{text}\n" for text in TEXTS]
    (pathlib.Path(__file__).resolve().parent / "prose_tokens.tsv").write_text("".join(lines))


main()
