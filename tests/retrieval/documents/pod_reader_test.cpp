#include <gtest/gtest.h>

#include "retrieval/documents/pod_text.h"
#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

Lines pod(const std::string& text) { return described(read_document(text, "a.pod")); }

TEST(PodReaderTest, ParagraphsHeadingsAndVerbatimText) {
  const std::string text =
      "=encoding utf8\n\n=head1 NAME\n\nfoo - B<bars> things\n\n=head2 Use\n\nLike this:\n\n    foo();\n\n   "
      " bar();\n\nDone.\n\n"
      "=cut\n";
  EXPECT_EQ(pod(text), (Lines{"h1 NAME", "p foo - bars things", "h2 Use",
                              "p Like this:", "code     foo();//    bar();", "p Done."}));
  const Document document = read_document(text, "a.pod");
  EXPECT_EQ(document.title, "foo - bars things");
  const ByteRange place = document.blocks[1].original;
  EXPECT_EQ(text.substr(place.begin, place.end - place.begin), "foo - B<bars> things");
}

TEST(PodReaderTest, ItemsOfLists) {
  EXPECT_EQ(pod("=over 4\n\n=item *\n\nfirst\n\n=item B<name>\n\nwhat it is\n\n=over\n\n=item "
                "1.\n\ninner\n\n=back\n\n=back\n\nend\n"),
            (Lines{"li1 * first", "li1 name", "p what it is", "li2 * inner", "p end"}));
}

TEST(PodReaderTest, OtherFormattersTextIsLeftOut) {
  EXPECT_EQ(pod("=pod\n\n=begin html\n\n<b>no</b>\n\n=end html\n\n=begin :note\n\nyes\n\n=end :note\n\n=for "
                "comment no\n\nyes too\n"),
            (Lines{"p yes", "p yes too"}));
}

TEST(PodReaderTest, AProgramsTextIsCode) {
  EXPECT_EQ(
      described(read_document("package Foo;\n\nsub a {}\n\n=head1 NAME\n\nFoo\n\n=cut\n\n1;\n", "Foo.pm")),
      (Lines{"code package Foo;", "code sub a {}", "h1 NAME", "p Foo", "code 1;"}));
}

TEST(PodWordsTest, FormattingCodes) {
  EXPECT_EQ(pod_words("I<a B<b> c> C<< $x->{y} > 1 >> E<lt>E<eacute>E<0x41>E<97>", 8),
            "a b c $x->{y} > 1 <eacuteAa");
  EXPECT_EQ(
      pod_words("L<text|perlfaq4/\"A b\"> L<perlfaq4> L<perlfaq4/Data> L</\"Here\"> L<http://a.b/c>", 8),
      "text perlfaq4 Data in perlfaq4 Here http://a.b/c");
  EXPECT_EQ(pod_words("X<index>a Z<>b FOO<x> $a->{b} 1 < 2 and 3 > 2", 8),
            "a b FOO<x> $a->{b} 1 < 2 and 3 > 2");
  EXPECT_EQ(pod_words("B<never closed", 8), "never closed");
  EXPECT_EQ(pod_words("B<I<C<deep>>>", 2), "C<deep>");
}

}  // namespace

}  // namespace parley::retrieval::documents
