package dev.chert.cli;

/// How many columns of a terminal a text takes.
final class TextWidth {
    private TextWidth() {}

    /// Counts one a character, two for those of East Asian scripts and emoji, none for marks on other characters.
    static int of(String text) {
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            width += character < 0x300 ? 1 : ofRare(character);
            i += Character.charCount(character);
        }
        return width;
    }

    private static int ofRare(int character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(character) ? 2 : 1;
        };
    }

    private static boolean isWide(int character) {
        return switch (Character.UnicodeScript.of(character)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, YI -> !(character >= 0xff61 && character <= 0xffdc);
            default ->
                character >= 0x3000 && character <= 0x303e // punctuation of East Asian scripts
                        || character >= 0xff01 && character <= 0xff60 // full width forms
                        || Character.isEmojiPresentation(character);
        };
    }
}
