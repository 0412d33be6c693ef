import { Injectable, type Type } from '@nestjs/common';
import { Fault, ValidationError } from '../../errors/errors';
import { type FieldOptions, FormatField, MapField } from '../../http/requests/fields';
import { TextChecks } from '../../http/requests/text-checks';

/** What an endpoint's owner has sent along with every webhook, name → value. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** What a request says of them; null keeps the stored value. */
export type GivenHeaders = Readonly<Record<string, string | null>>;

const MOST_HEADERS = 20;
const LONGEST_NAME = 64;
const LONGEST_VALUE = 1_024;
const MOST_TOGETHER = 4_096;

/** The rules by which the OpenAPI document refers to the functions below. */
const NAME_FORMAT = 'webhook-header-name';
const VALUE_FORMAT = 'webhook-header-value';
const HEADERS_CHECK = 'webhook-headers';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible ASCII, with blanks and tabs inside (RFC 9110, section 5.5, without what is obsolete or invisible). */
const VALUE = /^[!-~](?:[\t -~]*[!-~])?$/;

/**
 * What the connection, the framing and the content are described by, what the sender says itself, and what proxies and
 * frameworks believe of where a request comes from, which address it asks for and by which method: a receiver behind one of
 * them would take our word for it.
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

const BOUNDS = `At most ${MOST_HEADERS}, with names of at most ${LONGEST_NAME} and values of at most ${LONGEST_VALUE.toLocaleString('en')} characters, ${MOST_TOGETHER.toLocaleString('en')} together`;

/** How the rules are read. */
export const HEADERS_TEXT = `Sent along with every webhook, such as \`Authorization\`. ${BOUNDS}. Values are visible ASCII with blanks or tabs inside, and never shown again. Not allowed are names that HTTP or this service needs itself: \`webhook-…\`, \`content-…\`, \`proxy-…\`, \`x-forwarded-…\`, ${[...RESERVED].map((name) => `\`${name}\``).join(', ')}; and names with an underscore, which many servers take for a hyphen.`;

/** A header in a request. */
export class GivenHeader {
  @FormatField(NAME_FORMAT, { max: LONGEST_NAME })
  name: string;

  @FormatField(VALUE_FORMAT, { max: LONGEST_VALUE })
  value: string;
}

/** One whose stored value may stay. */
export class KeptHeader {
  @FormatField(NAME_FORMAT, { max: LONGEST_NAME })
  name: string;

  @FormatField(VALUE_FORMAT, { max: LONGEST_VALUE, nullable: true })
  value: string | null;
}

/** The headers of a request. */
export function HeadersField(entry: Type, options: FieldOptions): PropertyDecorator {
  return MapField(entry, { max: MOST_HEADERS, check: HEADERS_CHECK, ...options });
}

/** @returns what is wrong with the name, whatever else there is */
export function headerNameFault(name: string): Omit<Fault, 'loc'> | undefined {
  if (!TOKEN.test(name)) {
    return { msg: 'Must be a header name: letters, digits and some punctuation, no spaces.', type: 'value_error' };
  }
  // CGI and what came after it write hyphens as underscores, so that X_Real_IP would be X-Real-IP.
  if (name.includes('_')) {
    return { msg: 'Must not have an underscore: many servers take it for a hyphen.', type: 'value_error' };
  }
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || RESERVED_PREFIX.test(lower)) {
    return { msg: 'This header cannot be set: HTTP or this service needs it.', type: 'value_error' };
  }
  return undefined;
}

/** @returns what is wrong with the value, without repeating it: it may be a secret */
export function headerValueFault(value: string): Omit<Fault, 'loc'> | undefined {
  if (VALUE.test(value)) return undefined;
  return {
    msg: 'Must consist of visible ASCII characters, with spaces or tabs only between them.',
    type: 'value_error',
  };
}

/**
 * What can only be seen of all headers together.
 *
 * @param headers not checked yet: their values may be anything
 * @returns each fault at its header, or at all of them
 */
export function headersFaults(headers: Readonly<Record<string, unknown>>): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, string>();
  let together = 0;
  for (const [name, value] of Object.entries(headers)) {
    const same = seen.get(name.toLowerCase());
    if (same !== undefined) {
      faults.push({ loc: [name], msg: `Is the same header as ${same}.`, type: 'value_error' });
    }
    seen.set(name.toLowerCase(), name);
    together += name.length + (typeof value === 'string' ? value.length : 0);
  }
  if (together > MOST_TOGETHER) {
    faults.push({
      loc: [],
      msg: `Must have at most ${MOST_TOGETHER} characters, names and values together.`,
      type: 'value_error',
    });
  }
  return faults;
}

/**
 * Puts headers in the place of stored ones.
 *
 * @param given checked by the rules of the document; null for a value that is to stay as it is
 * @throws ValidationError when a value is to stay that is not there, or when together they are too long
 */
export function replaceHeaders(stored: CustomHeaders, given: GivenHeaders): CustomHeaders {
  const kept = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const faults: Fault[] = [];
  const entries = Object.entries(given).map(([name, value]): [string, string] => {
    const found = value ?? kept.get(name.toLowerCase());
    if (found === undefined) {
      faults.push({ loc: [name], msg: 'Has no stored value to keep; provide one.', type: 'value_error' });
    }
    return [name, found ?? ''];
  });
  const headers = Object.fromEntries(entries);
  faults.push(...headersFaults(headers));
  if (faults.length > 0) {
    throw new ValidationError(faults.map((fault) => ({ ...fault, loc: ['body', 'headers', ...fault.loc] })));
  }
  return headers;
}

/** @returns whether both have the same names, spelled in the same way, with the same values, in whatever order */
export function areSameHeaders(one: CustomHeaders, other: CustomHeaders): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name])
  );
}

/** Registers what the document cannot say of headers by itself. */
@Injectable()
export class CustomHeaderChecks {
  constructor(checks: TextChecks) {
    checks.register(NAME_FORMAT, headerNameFault);
    checks.register(VALUE_FORMAT, headerValueFault);
    checks.registerObject(HEADERS_CHECK, headersFaults);
  }
}
