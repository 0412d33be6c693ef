import { Injectable } from '@nestjs/common';
import type { Fault } from '../../errors/errors';
import { TextChecks } from '../../http/requests/text-checks';
import { MAX_FIXED_BYTES } from '../rules/fixed-arguments';

export const FIXED_ARGUMENTS_CHECK = 'tool-arguments';

/** Registers the rule for arguments in requests. */
@Injectable()
export class FixedArgumentsCheck {
  constructor(checks: TextChecks) {
    checks.registerObject(FIXED_ARGUMENTS_CHECK, argumentsFaults);
  }
}

function argumentsFaults(value: Readonly<Record<string, unknown>>): Fault[] {
  const faults: Fault[] = [];
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_FIXED_BYTES)
    faults.push({ loc: [], msg: `Must have at most ${MAX_FIXED_BYTES / 1_024} KiB.`, type: 'value_error' });
  if (!isInRange(value)) faults.push({ loc: [], msg: 'Contains a number that is out of range.', type: 'value_error' });
  return faults;
}

/** JSON text can contain numbers such as 1e999, which JavaScript cannot represent and would send as null. */
function isInRange(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isInRange);
}
