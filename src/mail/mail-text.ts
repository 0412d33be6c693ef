import { html, type Html } from '../pages/html';
import { visibleText } from '../pages/visible-text';

/** A line of its own that leads somewhere. */
export interface MailLink {
  link: string;
}

/** What a mail says: paragraphs, in order. */
export type MailBody = readonly (string | MailLink)[];

const MAX_NAME_LENGTH = 60;
const MAX_WORDS_LENGTH = 2_000;
const MAX_ADDRESS_LENGTH = 254;
/** What mail programs turn into links by themselves, full stops of other scripts included. */
const LINK = /[\p{L}\p{N}-][.。．｡][\p{L}]{2}|[/\\]{2}|www|@/iu;
/** An atom of RFC 5322 in any script (RFC 6532), and labels of a domain. Neither needs quotes, which few servers handle. */
const ADDRESS = /^[^\p{C}\p{Z}()<>[\]:;@\\,"]{1,64}@[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)*$/u;
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** @returns whether an address can be written to; others are accepted elsewhere, but no mail goes to them */
export function isMailable(address: string): boolean {
  return address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address) && !/^\.|\.\.|\.@/.test(address);
}

/**
 * A name that someone chose, as it may appear in a mail to a stranger: on one line, without characters that are not
 * seen, and never a link, so that no one advertises by inviting.
 *
 * @param otherwise what is written instead of a name that would be one, or that is missing
 */
export function nameInMail(name: string | null, otherwise: string): string {
  return wordsInMail(name ?? '', MAX_NAME_LENGTH) ?? otherwise;
}

/**
 * The same for a text that someone wrote.
 *
 * @param maxLength in characters; what is longer is cut
 * @returns undefined if it has nothing that is seen, or would be a link
 */
export function wordsInMail(words: string, maxLength = MAX_WORDS_LENGTH): string | undefined {
  const plain = visibleText(words);
  if (plain === undefined || LINK.test(plain)) return undefined;
  const letters = Array.from(plain);
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : plain;
}

/** @returns `22 November 2026 at 21:35 UTC` */
export function momentInMail(moment: Date): string {
  return `${MOMENT.format(moment).replace(',', ' at').replace(' at at', ' at')} UTC`;
}

/** @returns the body for programs that show text only */
export function textOf(body: MailBody): string {
  return `${body.map((part) => (typeof part === 'string' ? part : part.link)).join('\n\n')}\n`;
}

/** @returns the same as HTML: no images, no style sheet, nothing that is loaded or reports that it was read */
export function htmlOf(body: MailBody): string {
  const paragraphs = body.map((part): Html =>
    typeof part === 'string' ? html`<p>${part}</p>` : html`<p><a href="${part.link}">${part.link}</a></p>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <body>
        ${paragraphs}
      </body>
    </html>`.text;
}
