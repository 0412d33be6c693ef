import type { SecretNeed } from '../protocol/secret-need';
import { valueFault } from '../credentials/credential-values';

/** The secrets that a person has entered. */
export interface EnteredSecrets {
  /** By name; those that were left empty are not there. */
  readonly values: ReadonlyMap<string, string>;
  /** What is wrong, by name, in words. */
  readonly problems: ReadonlyMap<string, string>;
}

/** @param entered gives what was entered for a secret */
export function readEnteredSecrets(secrets: readonly SecretNeed[], entered: (index: number) => string): EnteredSecrets {
  const [values, problems] = [new Map<string, string>(), new Map<string, string>()];
  for (const [index, { name, isRequired }] of secrets.entries()) {
    // What is copied often has a line break at its end.
    const value = entered(index).trim();
    const fault = valueFault(value);
    if (fault) problems.set(name, fault.msg);
    else if (value !== '') values.set(name, value);
    else if (isRequired) problems.set(name, 'Enter a value.');
  }
  const isNothing = values.size === 0 && problems.size === 0;
  if (isNothing && secrets[0]) problems.set(secrets[0].name, 'Enter at least one value.');
  return { values, problems };
}
