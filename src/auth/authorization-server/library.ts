import type * as Library from 'oidc-provider';

/**
 * `oidc-provider`, loaded when it is first needed: that takes a quarter of a second, which the commands, the workers
 * and a service with a foreign issuer need not spend. `import()` would make every caller asynchronous.
 */
export function library(): typeof Library {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only this form loads when it is called, and at once
  return require('oidc-provider') as typeof Library;
}

/** An error of the protocol, by its name in the library: the constructors take what the client is told. */
export function protocolErrors(): typeof Library.errors {
  return library().errors;
}
