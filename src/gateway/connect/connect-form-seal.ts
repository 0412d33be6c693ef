import { Injectable } from '@nestjs/common';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import { html, type Html } from '../../pages/html';
import type { ConnectNeed } from './connect-needs';
import type { ConnectTarget } from './connect-targets';

/** The hidden field. */
const FIELD = 'shown';
const MAX_LENGTH = 16_384;

/**
 * What a page has shown to a person, sealed into its form: what they entered or agreed to is for that server only, and an editor
 * may change the entry between the page and the button.
 */
@Injectable()
export class ConnectFormSeal {
  private readonly keys: Keyring;

  constructor(secrets: Secrets) {
    this.keys = secrets.derive('connect pages');
  }

  /**
   * @param path of the page
   * @returns a hidden field
   */
  field(path: string, target: ConnectTarget, need: ConnectNeed): Html {
    const sealed = sealText(this.keys, path, wordsOf(target, need)).toString('base64url');
    return html`<input type="hidden" name="${FIELD}" value="${sealed}" />`;
  }

  /** @returns whether the form was shown by this page, for the same server that wants the same */
  matches(fields: Readonly<Record<string, string>>, path: string, target: ConnectTarget, need: ConnectNeed): boolean {
    const { [FIELD]: sent = '' } = fields;
    if (sent.length > MAX_LENGTH || !/^[\w-]+$/.test(sent)) return false;
    return tryUnsealText(this.keys, path, Buffer.from(sent, 'base64url'))?.text === wordsOf(target, need);
  }
}

function wordsOf({ upstream: { origin } }: ConnectTarget, need: ConnectNeed): string {
  if (need.kind === 'secrets') return JSON.stringify([origin, need.kind, need.secrets.map(({ name }) => name)]);
  return JSON.stringify([origin, need.kind, need.kind === 'oauth' ? need.authorization.issuer : '']);
}
