import type { Connection } from '../../database/statements';
import { Injectable } from '@nestjs/common';

/** Gives tokens back to the server that issued them (RFC 7009). `connect/` knows how. */
export abstract class Revocations {
  /**
   * Notes what has to be given back, before the credential is deleted.
   *
   * @returns to be called once the deletion is committed: it goes on in the background, and never throws; undefined: nothing
   */
  abstract of(connection: Connection, credentialId: string): Promise<(() => void) | undefined>;
}

/** Renews the tokens of OAuth credentials. */
@Injectable()
export class TokenRenewal {
  /**
   * Gets another access token, and stores it (`CredentialStore.renew`), once for all processes; or marks the credential as to be
   * connected again, if its issuer refuses. Never throws.
   *
   * @param used the access token that was refused, or expires soon; undefined: there is none yet. If another one is stored by
   *   now, there is nothing to do
   * @param serverUrl of the server that it is for; without secrets
   * @returns whether another one is stored
   */
  renew(_credentialId: string, _used: string | undefined, _serverUrl: string): Promise<boolean> {
    return Promise.resolve(false);
  }
}
