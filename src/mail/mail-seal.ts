import { Injectable } from '@nestjs/common';
import type { Keyring } from '../config/keyring';
import { sealText, unsealText } from '../config/sealed-text';
import { Secrets } from '../config/secrets';
import { addressKey } from '../users/address';
import type { SealedContent } from './mail-content';

/** The keys of contents, for `Secrets.derive`. */
export const MAIL_PURPOSE = 'mail';

/** Keeps what is in the table of mails from those who read a copy of the database. */
@Injectable()
export class MailSeal {
  private readonly contentKeys: Keyring;
  private readonly recipientKeys: Keyring;

  constructor(secrets: Secrets) {
    this.contentKeys = secrets.derive(MAIL_PURPOSE);
    this.recipientKeys = secrets.derive('recipients of mail');
  }

  /** @param id of the row: the content of one cannot be put into another */
  seal(id: string, content: SealedContent): Buffer {
    return sealText(this.contentKeys, `mail ${id}`, JSON.stringify(content));
  }

  /** @throws Error if none of the keys sealed it, or if it was sealed for another row */
  open(id: string, sealed: Buffer): SealedContent {
    return JSON.parse(unsealText(this.contentKeys, `mail ${id}`, sealed)) as SealedContent;
  }

  /** @returns the same for all spellings of an address; with each key, the current one first */
  recipients(address: string): [Buffer, ...Buffer[]] {
    return this.recipientKeys.macs(addressKey(address));
  }
}
