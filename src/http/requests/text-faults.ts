import { Fault, MAX_FAULTS } from '../../errors/errors';
import { DEEPEST, MAX_VALUES } from './json-bounds';

/**
 * Finds what PostgreSQL cannot store in any text of a value (contract, section 2): NUL characters and lone
 * surrogates, in keys too (reported at their object). Depth and number of values are limited here as well, for values
 * that do not come from a request body (`json-bounds.ts`).
 *
 * @param value as JSON.parse returns it
 * @param loc where the value is in the request
 * @param faults to append to
 * @param mostValues the limit
 * @returns whether the value is within the limits; otherwise nothing else should look at it
 */
export function findTextFaults(value: unknown, loc: string[], faults: Fault[], mostValues = MAX_VALUES): boolean {
  const path = [...loc];
  const textFaults: Fault[] = [];
  let values = 0;

  /** @returns what is out of bounds */
  const walk = (value: unknown): string | undefined => {
    if (++values > mostValues) return `Has more than ${mostValues} values.`;
    if (typeof value === 'string') {
      if (!isStorable(value)) textFaults.push(textFault(path));
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    if (path.length - loc.length >= DEEPEST) return `Nested more than ${DEEPEST} levels deep.`;
    for (const [key, child] of Object.entries(value)) {
      if (textFaults.length >= MAX_FAULTS) return undefined;
      if (isStorable(key)) {
        path.push(key);
        const excess = walk(child);
        if (excess !== undefined) return excess;
        path.pop();
      } else {
        textFaults.push(textFault(path));
      }
    }
    return undefined;
  };

  const excess = walk(value);
  if (excess === undefined) faults.push(...textFaults);
  else faults.push({ loc, msg: excess, type: 'value_error' });
  return excess === undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function textFault(path: string[]): Fault {
  return {
    loc: [...path],
    msg: 'Contains a NUL character or a lone surrogate, which is not valid text.',
    type: 'value_error',
  };
}
