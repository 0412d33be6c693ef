import type { Connection } from '../../database/statements';

/** Gives tokens back to the server that issued them (RFC 7009). `connect/` knows how. */
export abstract class Revocations {
  /**
   * Notes what has to be given back, before the credential is deleted.
   *
   * @returns to be called once the deletion is committed: it goes on in the background, and never throws; undefined: nothing
   */
  abstract of(connection: Connection, credentialId: string): Promise<(() => void) | undefined>;
}
