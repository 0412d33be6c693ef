import { stripVTControlCharacters } from 'node:util';
import type * as Library from 'oidc-provider';

let loaded: typeof Library | undefined;

/**
 * What the library says on every Node below 22, including 20.19, which is promised, and tested with each change (ADR 28).
 * On a terminal it comes with escape codes for its colour.
 */
const UNSUPPORTED_RUNTIME = /^oidc-provider WARNING: Unsupported runtime\. Use Node\.js [^\n]*$/;

/** @returns what `load` returns; a warning of the library about this runtime is not shown, and everything else is */
export function withoutRuntimeWarning<T>(load: () => T): T {
  const { warn } = console;
  const warnOfOthers = (...words: unknown[]) => {
    if (words.length !== 1 || !UNSUPPORTED_RUNTIME.test(stripVTControlCharacters(String(words[0]))))
      warn.apply(console, words);
  };
  console.warn = warnOfOthers;
  try {
    return load();
  } finally {
    console.warn = warn;
  }
}

/**
 * `oidc-provider`, loaded when it is first needed: that takes a quarter of a second, which the commands, the workers
 * and a service with a foreign issuer need not spend. `import()` would make every caller asynchronous.
 */
export function library(): typeof Library {
  loaded ??= withoutRuntimeWarning(
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only this form loads when it is called, and at once
    () => require('oidc-provider') as typeof Library,
  );
  return loaded;
}

/** An error of the protocol, by its name in the library: the constructors take what the client is told. */
export function protocolErrors(): typeof Library.errors {
  return library().errors;
}
