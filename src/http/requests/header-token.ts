/** A character of a token (RFC 9110, section 5.6.2): a part of a regular expression. */
export const TOKEN_CHARACTER = "[!#$%&'*+.^_`|~0-9A-Za-z-]";

/** A token, such as the name of a header. */
export const TOKEN = new RegExp(`^${TOKEN_CHARACTER}+$`);
