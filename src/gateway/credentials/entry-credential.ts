import type { CredentialMode } from '../../bundles/entries/credential-mode';
import {
  AUTHORIZATION,
  type CredentialKind,
  type CredentialOwnerKind,
  type CredentialStatus,
} from './credential-kinds';
import type { SecretNeed } from '../protocol/credential-placements';

/**
 * `MISSING`: there is none, or it lacks values that its server requires. `RECONNECT`: it is refused. `ORIGIN_CHANGED`: it was
 * given for another origin than the one of the server. Only with `CONNECTED` something is sent.
 */
export const CREDENTIAL_STATES = ['CONNECTED', 'MISSING', 'RECONNECT', 'ORIGIN_CHANGED'] as const;
export type CredentialState = (typeof CREDENTIAL_STATES)[number];

/** The credential that an entry uses for someone, without its values. */
export interface ChosenCredential {
  readonly id: string;
  readonly version: number;
  readonly kind: CredentialKind;
  readonly owner: CredentialOwnerKind;
  readonly origin: string;
  readonly status: CredentialStatus;
  /** The values that it has are under these names. */
  readonly names: readonly string[];
}

/** What the server of an entry is told of who calls. */
export interface EntryCredential {
  readonly mode: Exclude<CredentialMode, 'NONE'>;
  readonly state: CredentialState;
  /** Undefined: there is none for who calls. */
  readonly chosen: ChosenCredential | undefined;
  /** What its server.json marks as secret. Empty: it says nothing, so it may want OAuth, or a header `Authorization`. */
  readonly secrets: readonly SecretNeed[];
  /** The server has this origin. */
  readonly origin: string;
}

/** What is known of a server that a credential is for. */
export interface CredentialTarget {
  readonly origin: string;
  readonly secrets: readonly SecretNeed[];
  /** The names of secrets that it gets where it runs; absent: none are known. */
  readonly setElsewhere?: readonly string[];
}

/** @param chosen undefined: there is none */
export function entryCredential(
  mode: EntryCredential['mode'],
  { origin, secrets }: CredentialTarget,
  chosen: ChosenCredential | undefined,
): EntryCredential {
  return { mode, chosen, secrets, origin, state: credentialState({ origin, secrets }, chosen) };
}

/** Whether a credential can be sent to a server. */
export function credentialState(target: CredentialTarget, chosen: ChosenCredential | undefined): CredentialState {
  if (!chosen) return 'MISSING';
  if (chosen.origin !== target.origin) return 'ORIGIN_CHANGED';
  if (chosen.status === 'RECONNECT') return 'RECONNECT';
  return missingValues(target, chosen).length === 0 ? 'CONNECTED' : 'MISSING';
}

/** @returns the names of the values that the server requires and the credential does not have */
export function missingValues({ secrets }: CredentialTarget, { kind, names }: ChosenCredential): string[] {
  const required = secrets.filter(({ isRequired }) => isRequired);
  if (kind !== 'SECRETS') return required.filter(({ isToken }) => !isToken).map(({ name }) => name);
  const hasHeader = names.some(isAuthorization);
  const missing = required.filter(({ name, isToken }) => !names.includes(name) && !(isToken && hasHeader));
  if (missing.length > 0 || names.length > 0) return missing.map(({ name }) => name);
  return [secrets[0]?.name ?? AUTHORIZATION];
}

/** @param name of a value: header names know no case */
export function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}
