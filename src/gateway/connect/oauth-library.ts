import type * as Library from '@modelcontextprotocol/client';

/**
 * The OAuth client functions of `@modelcontextprotocol/client`, loaded when they are first needed: the rest of the package
 * comes along, and a process in which no one connects an account need not have it in memory (ADR 50).
 */
export function oauthLibrary(): typeof Library {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only this form loads when it is called, and at once
  return require('@modelcontextprotocol/client') as typeof Library;
}
