/** Why a mail is sent. */
export const MAIL_KINDS = [
  'ACCOUNT_INVITATION',
  'ORGANISATION_INVITATION',
  'PASSWORD_RESET',
  'PASSWORD_FORGOTTEN',
  'SECURITY_NOTICE',
  'SERVER_REQUEST_DECISION',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `SENT`: the mail server accepted it. `FAILED`: it was given up, and its content is gone. */
export const MAIL_STATUSES = ['PENDING', 'SENT', 'FAILED'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
