/** @returns the text as one word of a POSIX shell, whatever it contains */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @returns a call of the API as a command; the token is a variable, so that no secret is copied around */
export function curlOf(method: string, path: string, body: unknown): string {
  const parts = ['curl -sS', '-H "Authorization: Bearer $TOKEN"'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (body !== undefined) parts.push(`-H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`);
  parts.push(shellWord(new URL(path, window.location.origin).href));
  return parts.join(' ');
}
