/// Functions on strings and byte strings.
///
/// Positions and lengths count code points; [Utf8] turns them into bytes. Results that are part of an argument
/// are not copied, see [dev.chert.function.StringWriter]. [LikePattern] is a pattern made ready once a constant;
/// regular expressions ([RegexPattern]) are Java's and slower.
package dev.chert.function.text;
