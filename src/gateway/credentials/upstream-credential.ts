import type { CredentialPlacements } from '../protocol/credential-placements';

/** A credential that is sent to a server, without its values. */
export interface UpstreamCredential {
  readonly id: string;
  /** Raised by every change: values of another version are not sent. */
  readonly version: number;
  readonly placements: CredentialPlacements;
}
