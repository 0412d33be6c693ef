/**
 * The mode decides whose credential an entry sends to its server. `NONE`: no one's. `SHARED`: that of the bundle, or of
 * its organisation, for everyone. `PERSONAL`: that of the person who calls. `PERSONAL_OR_SHARED`: theirs if they have
 * one.
 */
export const CREDENTIAL_MODES = ['NONE', 'SHARED', 'PERSONAL', 'PERSONAL_OR_SHARED'] as const;
export type CredentialMode = (typeof CREDENTIAL_MODES)[number];
