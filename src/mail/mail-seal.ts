import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sealText, unsealText } from '../config/sealed-text';
import { Secrets } from '../config/secrets';
import { addressKey } from '../users/address';
import type { SealedContent } from './mail-content';

/** Keeps what is in the table of mails from those who read a copy of the database. */
@Injectable()
export class MailSeal {
  private readonly contentKey: Buffer;
  private readonly recipientKey: Buffer;

  constructor(secrets: Secrets) {
    this.contentKey = secrets.derive('mail');
    this.recipientKey = secrets.derive('recipients of mail');
  }

  /** @param id of the row: the content of one cannot be put into another */
  seal(id: string, content: SealedContent): Buffer {
    return sealText(this.contentKey, `mail ${id}`, JSON.stringify(content));
  }

  /** @throws Error if it was sealed with another key, or for another row */
  open(id: string, sealed: Buffer): SealedContent {
    return JSON.parse(unsealText(this.contentKey, `mail ${id}`, sealed)) as SealedContent;
  }

  /** @returns the same for all spellings of an address */
  recipient(address: string): Buffer {
    return createHmac('sha256', this.recipientKey).update(addressKey(address)).digest();
  }
}
