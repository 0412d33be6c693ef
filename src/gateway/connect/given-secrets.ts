import { MOST_VALUE_BYTES } from '../credentials/credential-store';
import type { SecretNeed } from '../credentials/secret-need';

/** What a header can have (RFC 9110, section 5.5), without what would end it. */
const CONTROL = /[\u0000-\u001f\u007f]/;

/** What somebody has entered. */
export interface GivenSecrets {
  /** By name; those that were left empty are not there. */
  readonly values: ReadonlyMap<string, string>;
  /** What is wrong, by name, in words. */
  readonly problems: ReadonlyMap<string, string>;
}

/** @param entered gives what was entered for a secret */
export function givenSecrets(secrets: readonly SecretNeed[], entered: (index: number) => string): GivenSecrets {
  const [values, problems] = [new Map<string, string>(), new Map<string, string>()];
  for (const [index, { name, isRequired }] of secrets.entries()) {
    // What is copied often has a line break at its end.
    const value = entered(index).trim();
    if (value === '') {
      if (isRequired) problems.set(name, 'Enter a value.');
    } else if (CONTROL.test(value))
      problems.set(name, 'It must not have line breaks or other control characters in it.');
    else if (Buffer.byteLength(value) > MOST_VALUE_BYTES) problems.set(name, 'It must have at most 8 KiB.');
    else values.set(name, value);
  }
  if (values.size === 0 && problems.size === 0 && secrets[0])
    problems.set(secrets[0].name, 'Enter at least one value.');
  return { values, problems };
}
