/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may be put into a template: text is escaped, HTML is not, nothing is nothing. */
export type Part = string | number | Html | readonly Part[] | undefined | false;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Tag of a template of HTML. Whatever is put in is escaped unless it comes from such a template itself; attribute values
 * must be in quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + render(parts[index - 1]) + string));
}

function render(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
