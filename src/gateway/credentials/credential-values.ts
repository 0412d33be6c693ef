import { Injectable } from '@nestjs/common';
import type { Fault } from '../../errors/errors';
import { type FieldOptions, FormatField, MapField } from '../../http/requests/fields';
import { TextChecks } from '../../http/requests/text-checks';
import { MAX_VALUE_BYTES, MAX_VALUES } from './credential-store';

/** The names under which the OpenAPI document refers to the functions below. */
const NAME_FORMAT = 'credential-name';
const VALUE_FORMAT = 'credential-value';
const VALUES_CHECK = 'credential-values';

const MAX_NAME_LENGTH = 200;
/** These are the control characters of ASCII and of Latin-1. */
// eslint-disable-next-line no-control-regex -- these are what must not be in it
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

const BOUNDS = `At most ${MAX_VALUES}, each at most ${MAX_VALUE_BYTES / 1_024} KiB, without control characters.`;

/** What the OpenAPI document says of them. */
export const VALUES_TEXT = `The secrets, by the names that the \`server.json\` gives to them, or \`Authorization\` for the whole header. ${BOUNDS} They are never shown again.`;

/** A value in a request. */
export class NewValue {
  @FormatField(NAME_FORMAT, { min: 1, max: MAX_NAME_LENGTH })
  name: string;

  @FormatField(VALUE_FORMAT, { min: 1, max: MAX_VALUE_BYTES })
  value: string;
}

/** A value that can also be removed. */
export class ChangedValue {
  @FormatField(NAME_FORMAT, { min: 1, max: MAX_NAME_LENGTH })
  name: string;

  @FormatField(VALUE_FORMAT, { min: 1, max: MAX_VALUE_BYTES, nullable: true })
  value: string | null;
}

/** The secret of a client. */
export function SecretField(options: FieldOptions): PropertyDecorator {
  return FormatField(VALUE_FORMAT, { min: 1, max: MAX_VALUE_BYTES, ...options });
}

export function ValuesField(entry: typeof NewValue | typeof ChangedValue, options: FieldOptions): PropertyDecorator {
  return MapField(entry, { max: MAX_VALUES, check: VALUES_CHECK, ...options });
}

/** @returns the error of a value, without the value */
export function valueFault(value: string): Omit<Fault, 'loc'> | undefined {
  if (CONTROL.test(value)) return { msg: 'Must not contain control characters.', type: 'value_error' };
  // Half of a pair would become another character in UTF-8.
  if (!value.isWellFormed()) return { msg: 'Must be well-formed text.', type: 'value_error' };
  if (Buffer.byteLength(value) <= MAX_VALUE_BYTES) return undefined;
  return { msg: `Must have at most ${MAX_VALUE_BYTES / 1_024} KiB.`, type: 'value_error' };
}

/** Two names that are the same header would be sent as one of them. */
export function valuesFaults(values: Readonly<Record<string, unknown>>): Fault[] {
  const headers = Object.keys(values).filter((name) => name.toLowerCase() === 'authorization');
  return headers
    .slice(1)
    .map((name) => ({ loc: [name], msg: `Is the same header as ${headers[0]}.`, type: 'value_error' }));
}

/** Registers the checks that the OpenAPI document cannot express. */
@Injectable()
export class CredentialValueChecks {
  constructor(checks: TextChecks) {
    checks.register(NAME_FORMAT, valueFault);
    checks.register(VALUE_FORMAT, valueFault);
    checks.registerObject(VALUES_CHECK, valuesFaults);
  }
}
