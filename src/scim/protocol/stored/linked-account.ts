import type { AccountNote } from '../../directory/account-note';

/** The account that a directory entry is linked to. */
export interface AccountLink {
  userId: string;
  /** Why it is not the one of the entry's address, if so. */
  accountNote: AccountNote | null;
  /** The account was created for the entry: nobody has to agree. */
  isNew?: boolean;
}

/** The account that a directory entry is currently linked to. */
export interface LinkedAccount extends AccountLink {
  /** `waiting`: nobody has signed in to it yet. */
  state: 'waiting' | 'claimed' | 'closed';
  /** An account without an address cannot be claimed. */
  hasAddress: boolean;
}
