import { Injectable } from '@nestjs/common';
import { isInRange } from '../../bundles/entries/entry-config';
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
