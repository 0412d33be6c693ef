import { v7 } from 'uuid';

/** @returns a new UUID version 7 (RFC 9562, section 5.7): ids made later sort later, which keeps indexes dense. */
export function newId(): string {
  return v7();
}
