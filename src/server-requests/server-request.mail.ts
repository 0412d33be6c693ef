import { type MailBody, nameInMail, wordsInMail } from '../mail/mail-text';
import type { Organisation } from '../organisations/organisation.entity';
import type { ServerRequestRow } from './server-request.dto';
import type { Decision } from './server-request-status';

const MAX_NAME_LENGTH = 100;

/** What the member who asked reads: the decision, and the word of who decided, which no one can use to send links. */
export function decisionMail(
  { name, slug }: Pick<Organisation, 'name' | 'slug'>,
  request: Pick<ServerRequestRow, 'name'>,
  { status, answer }: { readonly status: Decision; readonly answer: string | null },
  publicUrl: string,
): { subject: string; body: MailBody } {
  const organisation = nameInMail(name, slug);
  const server = wordsInMail(request.name, MAX_NAME_LENGTH);
  const verdict = status === 'APPROVED' ? 'approved' : 'declined';
  const asked = server === undefined ? 'a server' : `the server “${server}”`;
  return {
    subject: `Your request for ${server ?? 'a server'} was ${verdict}`,
    body: [
      `An administrator of the organisation “${organisation}” (${slug}) ${verdict} your request for ${asked}.`,
      ...answerIn(answer),
      'You can read your request here:',
      { link: `${publicUrl}/` },
    ],
  };
}

function answerIn(answer: string | null): string[] {
  if (answer === null || answer.trim() === '') return [];
  const words = wordsInMail(answer);
  return [words === undefined ? 'Their answer is with your request.' : `Their answer: “${words}”`];
}
