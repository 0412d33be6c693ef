const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * @param text JSON, or what claims to be
 * @returns whether its arrays and objects are nested more deeply: `JSON.parse` reads any depth, but what walks through the
 *   value, `JSON.stringify` included, overflows its stack at some thousands
 */
export function nestsDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    // [ and {; ] and }
    else if ((code | 0x20) === 0x7b && ++depth > most) return true;
    else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** @returns where the string that begins there ends */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
