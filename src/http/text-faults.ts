import type { Fault } from './errors';

const DEEPEST = 64;

/**
 * Finds what PostgreSQL cannot store in any text of a value (contract, section 2): NUL characters and lone
 * surrogates, in keys too. Nesting is bounded here as well, since whatever walks the value later would overflow the
 * stack.
 *
 * @param value as JSON.parse gives it
 * @param loc where the value stands in the request
 */
export function textFaults(value: unknown, loc: string[]): Fault[] {
  const faults: Fault[] = [];
  const pending: { value: unknown; loc: string[] }[] = [{ value, loc }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next.value === 'string') {
      if (!isStorable(next.value)) faults.push(textFault(next.loc));
    } else if (typeof next.value === 'object' && next.value !== null) {
      if (next.loc.length - loc.length >= DEEPEST) {
        return [{ loc, msg: `Nested more than ${DEEPEST} levels deep.`, type: 'value_error' }];
      }
      for (const [key, child] of Object.entries(next.value)) {
        const childLoc = [...next.loc, key];
        if (isStorable(key)) pending.push({ value: child, loc: childLoc });
        else faults.push(textFault(next.loc));
      }
    }
  }
  return faults;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function textFault(loc: string[]): Fault {
  return { loc, msg: 'Holds a NUL character or a lone surrogate, which is no text.', type: 'value_error' };
}
