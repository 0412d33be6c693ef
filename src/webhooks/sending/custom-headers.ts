import { Injectable, type Type } from '@nestjs/common';
import { Fault, ValidationError } from '../../errors/errors';
import { type FieldOptions, FormatField, MapField } from '../../http/requests/fields';
import { TOKEN } from '../../http/requests/header-token';
import { TextChecks } from '../../http/requests/text-checks';

/** Headers that the owner of an endpoint adds to every webhook, name → value. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** Headers in a request; null keeps the stored value. */
export type HeaderUpdates = Readonly<Record<string, string | null>>;

const MAX_HEADERS = 20;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 1_024;
const MAX_TOTAL_LENGTH = 4_096;

/** The names under which the OpenAPI document refers to the functions below. */
const NAME_FORMAT = 'webhook-header-name';
const VALUE_FORMAT = 'webhook-header-value';
const HEADERS_CHECK = 'webhook-headers';

/** Visible ASCII, with spaces and tabs inside (RFC 9110, section 5.5, without obsolete and invisible characters). */
const VALUE = /^[!-~](?:[\t -~]*[!-~])?$/;

/**
 * Headers that describe the connection, framing or content, headers that the sender sets itself, and headers from which
 * proxies and frameworks derive the origin, address or method of a request: a receiver behind one of them would
 * trust our value.
 */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'true-client-ip',
  'upgrade',
  'user-agent',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-forwarded',
  'x-host',
  'x-method-override',
  'x-real-ip',
  'x-rewrite-url',
]);
const RESERVED_PREFIX = /^(?:(?:webhook|proxy|content|x-forwarded|x-original)-|x-http-method(?:-|$))/;

const BOUNDS = `At most ${MAX_HEADERS}, with names of at most ${MAX_NAME_LENGTH} and values of at most ${MAX_VALUE_LENGTH.toLocaleString('en')} characters, ${MAX_TOTAL_LENGTH.toLocaleString('en')} in total`;

/** The rules as shown in the OpenAPI document. */
export const HEADERS_TEXT = `Added to every webhook, such as \`Authorization\`. ${BOUNDS}. Values are visible ASCII with spaces or tabs inside, and are never shown again. Not allowed are names reserved for HTTP or this service: \`webhook-…\`, \`content-…\`, \`proxy-…\`, \`x-forwarded-…\`, ${[...RESERVED].map((name) => `\`${name}\``).join(', ')}; and names with an underscore, which many servers treat as a hyphen.`;

/** A header in a request. */
export class NewHeader {
  @FormatField(NAME_FORMAT, { max: MAX_NAME_LENGTH })
  name: string;

  @FormatField(VALUE_FORMAT, { max: MAX_VALUE_LENGTH })
  value: string;
}

/** A header whose stored value can be kept. */
export class UpdatedHeader {
  @FormatField(NAME_FORMAT, { max: MAX_NAME_LENGTH })
  name: string;

  @FormatField(VALUE_FORMAT, { max: MAX_VALUE_LENGTH, nullable: true })
  value: string | null;
}

/** The headers of a request. */
export function HeadersField(entry: Type, options: FieldOptions): PropertyDecorator {
  return MapField(entry, { max: MAX_HEADERS, check: HEADERS_CHECK, ...options });
}

/** @returns the error of a name, regardless of other headers */
export function headerNameFault(name: string): Omit<Fault, 'loc'> | undefined {
  if (!TOKEN.test(name)) {
    return { msg: 'Must be a header name: letters, digits and some punctuation, no spaces.', type: 'value_error' };
  }
  // CGI and its successors write hyphens as underscores, so X_Real_IP would become X-Real-IP.
  if (name.includes('_')) {
    return { msg: 'Must not contain an underscore: many servers treat it as a hyphen.', type: 'value_error' };
  }
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || RESERVED_PREFIX.test(lower)) {
    return { msg: 'This header is reserved for HTTP or this service.', type: 'value_error' };
  }
  return undefined;
}

/** @returns the error of a value, without the value, which may be a secret */
export function headerValueFault(value: string): Omit<Fault, 'loc'> | undefined {
  if (VALUE.test(value)) return undefined;
  return {
    msg: 'Must consist of visible ASCII characters, with spaces or tabs only between them.',
    type: 'value_error',
  };
}

/**
 * Checks that concern all headers together.
 *
 * @param headers unchecked; the values may be of any type
 * @returns errors, each located at its header or at the whole object
 */
export function headersFaults(headers: Readonly<Record<string, unknown>>): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, string>();
  let totalLength = 0;
  for (const [name, value] of Object.entries(headers)) {
    const duplicate = seen.get(name.toLowerCase());
    if (duplicate !== undefined) {
      faults.push({ loc: [name], msg: `Is the same header as ${duplicate}.`, type: 'value_error' });
    }
    seen.set(name.toLowerCase(), name);
    totalLength += name.length + (typeof value === 'string' ? value.length : 0);
  }
  if (totalLength > MAX_TOTAL_LENGTH) {
    faults.push({
      loc: [],
      msg: `Must have at most ${MAX_TOTAL_LENGTH} characters in names and values together.`,
      type: 'value_error',
    });
  }
  return faults;
}

/**
 * Replaces the stored headers.
 *
 * @param requested validated headers; null keeps the stored value
 * @throws ValidationError if there is no stored value to keep, or all headers together are too long
 */
export function replaceHeaders(stored: CustomHeaders, requested: HeaderUpdates): CustomHeaders {
  const storedValues = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const faults: Fault[] = [];
  const entries = Object.entries(requested).map(([name, value]): [string, string] => {
    const newValue = value ?? storedValues.get(name.toLowerCase());
    if (newValue === undefined) {
      faults.push({ loc: [name], msg: 'Has no stored value to keep; provide one.', type: 'value_error' });
    }
    return [name, newValue ?? ''];
  });
  const headers = Object.fromEntries(entries);
  faults.push(...headersFaults(headers));
  if (faults.length > 0) {
    throw new ValidationError(faults.map((fault) => ({ ...fault, loc: ['body', 'headers', ...fault.loc] })));
  }
  return headers;
}

/** @returns whether both have the same names (case-sensitive) and values, in any order */
export function areSameHeaders(a: CustomHeaders, b: CustomHeaders): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}

/** Registers the checks of headers that the OpenAPI document cannot express. */
@Injectable()
export class CustomHeaderChecks {
  constructor(checks: TextChecks) {
    checks.register(NAME_FORMAT, headerNameFault);
    checks.register(VALUE_FORMAT, headerValueFault);
    checks.registerObject(HEADERS_CHECK, headersFaults);
  }
}
