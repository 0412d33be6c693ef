import type { CredentialNeed, CredentialState } from '../../api/schema';

export type NeedAction = 'connect' | 'connect-again' | 'give' | 'change' | 'confirm-move' | 'disconnect';

/** Whose account it is about. */
export type NeedOwner = 'PERSON' | 'BUNDLE';

type Need = Pick<CredentialNeed, 'credential_mode' | 'kinds' | 'origin' | 'personal' | 'shared'>;

/** @returns whose accounts the entry can use, the person's own first */
export function ownersOf({ credential_mode }: Pick<CredentialNeed, 'credential_mode'>): NeedOwner[] {
  if (credential_mode === 'NONE') return [];
  if (credential_mode === 'SHARED') return ['BUNDLE'];
  return credential_mode === 'PERSONAL' ? ['PERSON'] : ['PERSON', 'BUNDLE'];
}

/** @returns the state of the account of that owner */
export function stateOf(need: Need, owner: NeedOwner): CredentialState {
  return (owner === 'PERSON' ? need.personal : need.shared)?.state ?? 'MISSING';
}

/**
 * @param mayModify whether the person may change the bundle, and so its shared accounts
 * @returns what the person can do about the account of that owner, the likeliest first
 */
export function actionsOf(need: Need, owner: NeedOwner, mayModify: boolean): NeedAction[] {
  const credential = owner === 'PERSON' ? need.personal : need.shared;
  if (owner === 'BUNDLE' && !mayModify) return [];
  // That of an organisation is managed with the organisation.
  if (credential?.owner === 'ORGANISATION' || credential?.id === null) return [];
  if (!credential) return need.origin === null ? [] : waysToGive(need.kinds);
  const isToken = credential.kind === 'OAUTH';
  const change: NeedAction[] = isToken ? ['connect-again'] : credential.kind === 'SECRETS' ? ['change'] : [];
  if (credential.state === 'ORIGIN_CHANGED')
    return isToken ? [...change, 'disconnect'] : ['confirm-move', 'disconnect'];
  if (credential.state === 'MISSING' && credential.kind === 'OAUTH_CLIENT') return ['connect', 'disconnect'];
  // What works is connected again only by disconnecting it before.
  return credential.state === 'CONNECTED' && isToken ? ['disconnect'] : [...change, 'disconnect'];
}

function waysToGive(kinds: CredentialNeed['kinds']): NeedAction[] {
  return kinds.flatMap((kind): NeedAction[] => {
    if (kind === 'OAUTH') return ['connect'];
    return kind === 'SECRETS' ? ['give'] : [];
  });
}

/** What a form for secrets asks for. */
export interface AskedSecret {
  name: string;
  description: string | null;
  isRequired: boolean;
  /** Whether there is a value, which is kept if nothing is entered. */
  isSet: boolean;
}

/** A server that names no secret takes this header. */
export const AUTHORIZATION = 'Authorization';

/** @returns the secrets that a form asks for: what the server names, or the header */
export function askedSecrets(
  need: Pick<CredentialNeed, 'secrets' | 'personal' | 'shared'>,
  owner: NeedOwner,
): AskedSecret[] {
  const values = (owner === 'PERSON' ? need.personal : need.shared)?.values ?? [];
  const isSet = (name: string) => values.some((value) => value.name === name);
  if (need.secrets.length === 0)
    return [{ name: AUTHORIZATION, description: null, isRequired: true, isSet: isSet(AUTHORIZATION) }];
  return need.secrets.map(({ name, description, is_required }) => ({
    name,
    description,
    isRequired: is_required && !isSet(name),
    isSet: isSet(name),
  }));
}
