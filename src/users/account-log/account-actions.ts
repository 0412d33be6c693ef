/** What the audit log of accounts has, and of what platform administrators change. All but `session.failed` are also events. */
export const ACCOUNT_ACTIONS = [
  'session.started',
  'session.failed',
  'account.closed',
  'account.reopened',
  'identity.linked',
  'access_token.created',
  'access_token.revoked',
  'oauth_client.created',
  'oauth_client.updated',
  'oauth_client.deleted',
  'oauth_client.secret_rotated',
  'category.created',
  'category.updated',
  'category.deleted',
  'category.merged',
  'category.reordered',
  'import_document.edited',
  'import_document.dismissed',
  'import_document.reopened',
  'import_document.retried',
] as const;

export type AccountAction = (typeof ACCOUNT_ACTIONS)[number];

export const ACCOUNT_SUBJECTS = [
  'session',
  'account',
  'identity',
  'access_token',
  'oauth_client',
  'category',
  'import_document',
] as const;

export type AccountSubject = (typeof ACCOUNT_SUBJECTS)[number];

/** `anonymous`: no one was signed in. `system`: it followed from something else in the same request. */
export const ACCOUNT_ACTORS = ['user', 'anonymous', 'system'] as const;

export type AccountActorType = (typeof ACCOUNT_ACTORS)[number];
