import { Injectable } from '@nestjs/common';

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
