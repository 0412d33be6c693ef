/** The replicas forget what they remember of the tokens of the account $1, as when it is closed. */
export const FORGET_TOKENS = `SELECT pg_notify('accounts_closed', $1)`;
