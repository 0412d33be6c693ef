/** Whether the account behind a membership or a directory entry belongs to someone who signs in. */
export const ACCOUNT_STATES = ['CLAIMED', 'WAITING', 'NO_ADDRESS', 'CLOSED'] as const;

export type AccountState = (typeof ACCOUNT_STATES)[number];

/** What each means, and what to do about it; see docs/signing-in.md. */
const DETAILS: Record<AccountState, string> = {
  CLAIMED:
    'A person has signed in with this account. If they see something else, they have another account: `GET /v1/users/me` shows which, and why.',
  WAITING:
    'Nobody has signed in with this account yet. It is claimed by the first person whose access token contains its address as a verified one: `GET /v1/users/me` shows them what their token says.',
  NO_ADDRESS:
    'Nobody can sign in with this account: the directory has no e-mail address for the person. It is linked as soon as the identity provider sends one.',
  CLOSED:
    'The account was closed or deleted. The entry is linked to another one when the identity provider changes it.',
};

/** The columns that determine it. */
export interface AccountFacts {
  email: string | null;
  isClaimed: boolean;
  isClosed: boolean;
}

export function accountState({ email, isClaimed, isClosed }: AccountFacts): AccountState {
  if (isClosed) return 'CLOSED';
  if (isClaimed) return 'CLAIMED';
  return email === null ? 'NO_ADDRESS' : 'WAITING';
}

/**
 * @returns the same for an administrator who asks why a person does not have the account that the directory suggests
 */
export function accountDetail(state: AccountState): string {
  return DETAILS[state];
}
