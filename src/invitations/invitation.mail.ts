import { type MailBody, momentInMail, nameInMail } from '../mail/mail-text';
import type { Organisation } from '../organisations/organisation.entity';
import type { InvitationRow } from './invitation.dto';

/**
 * What the invited person may see (contract, section 12.1): the organisation and the role, not who of it invites. The
 * same whether the address has an account or not.
 */
export function invitationMail(
  { name, slug }: Pick<Organisation, 'name' | 'slug'>,
  { role, email, expires_at }: InvitationRow,
  publicUrl: string,
): { subject: string; body: MailBody } {
  const organisation = nameInMail(name, slug);
  return {
    subject: `Invitation to ${organisation}`,
    body: [
      `An administrator of the organisation “${organisation}” (${slug}) invites you to join it as ${role}, at ${publicUrl}.`,
      `To accept or decline until ${momentInMail(expires_at)}, sign in with ${email ?? 'your address'}:`,
      { link: `${publicUrl}/account` },
      'If you did not expect this, do nothing. Nobody becomes a member without accepting.',
    ],
  };
}
