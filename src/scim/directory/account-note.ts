/**
 * Why a directory entry is not linked to the account of its address (docs/adr/0009-account-linking.md): another entry
 * of the organisation is. It is linked by its `userName` instead, or to an account that cannot be claimed.
 */
export const ACCOUNT_NOTES = ['linked_by_user_name', 'address_taken'] as const;

export type AccountNote = (typeof ACCOUNT_NOTES)[number];

/** The same in words, for readers of the provisioning log. */
export const ACCOUNT_NOTE_TEXT: Record<AccountNote, string> = {
  linked_by_user_name:
    'Another user of this organisation has the same e-mail address. This user is linked to the account of its userName.',
  address_taken:
    'Another user of this organisation has the same e-mail address. No one can sign in as this user until it has an address of its own.',
};
