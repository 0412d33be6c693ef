import type { SealedColumn } from '../database/sealed-column';
import { MAIL_PURPOSE } from './mail-seal';

/** With the context of `MailSeal`. */
export const SEALED_MAIL_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'mails',
    column: 'sealed',
    key: 'id',
    keyType: 'uuid',
    purpose: MAIL_PURPOSE,
    context: `convert_to('mail ' || id::text, 'UTF8')`,
  },
];
