import { UpstreamFailure } from '../protocol/upstream-failure';
import type { CredentialKind } from './credential-kinds';
import { type CredentialState, type CredentialTarget, type EntryCredential, missingValues } from './entry-credential';

/** What has to be given before the server of an entry can be used. */
export interface CredentialNeed {
  readonly state: Exclude<CredentialState, 'CONNECTED'>;
  /** The mode says whose would do: of the person who calls, of the bundle or its organisation, or either. */
  readonly mode: EntryCredential['mode'];
  /** What would do, the more likely first. */
  readonly kinds: readonly CredentialKind[];
  /** The values that `SECRETS` must have. */
  readonly names: readonly string[];
}

/** @returns what the server of an entry needs from who calls; undefined: nothing is missing */
export function credentialNeed(credential: EntryCredential | undefined): CredentialNeed | undefined {
  if (!credential || credential.state === 'CONNECTED') return undefined;
  const { state, mode, secrets, chosen } = credential;
  const names = chosen
    ? missingValues(credential, chosen)
    : secrets.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return { state, mode, kinds: kindsOf(credential), names };
}

/** @throws UpstreamFailure `credential_required`: nothing was sent, and nothing is */
export function requireCredential(credential: EntryCredential | undefined): void {
  const need = credentialNeed(credential);
  if (need) throw new UpstreamFailure('credential_required', sentence(need), false);
}

/** A server that says what it wants is given that; one that says nothing may want tokens. */
export function kindsOf({ secrets }: CredentialTarget): CredentialKind[] {
  if (secrets.length === 0) return ['OAUTH', 'OAUTH_CLIENT', 'SECRETS'];
  return secrets.some(({ isRequired, isToken }) => isRequired && !isToken)
    ? ['SECRETS']
    : ['SECRETS', 'OAUTH', 'OAUTH_CLIENT'];
}

function sentence({ state, mode }: CredentialNeed): string {
  if (state === 'ORIGIN_CHANGED') return 'It has moved, and its credential is not sent there until that is confirmed.';
  if (state === 'RECONNECT') return 'Its credential is no longer accepted and has to be connected again.';
  if (mode === 'SHARED') return 'An editor of the bundle has to give one.';
  return mode === 'PERSONAL'
    ? 'You have to give one of your own.'
    : 'You, or an editor of the bundle, have to give one.';
}
