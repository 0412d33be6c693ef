/** Names of secrets, in any attribute, path or parameter. */
const SECRET = /passw|passphrase|\bpwd\b|secret|token|credential|authori[sz]ation|api[-_ ]?key|private[-_ ]?key/i;
/** Names of long values that tell a reader nothing. */
const BULKY = /x509certificates|photos/i;

const REDACTED = '***';

const MAX_TEXT_LENGTH = 1_024;
const MAX_BULKY = 64;
const MAX_NAME_LENGTH = 200;
const MAX_PATH_LENGTH = 2_048;

/** Bytes of JSON kept of a body, and the part of them reserved for omission marks. */
const BUDGET = 16_384;
const FOR_MARKS = 3_072;

/**
 * The copy of a body for the provisioning log: without secrets, with long texts shortened, and of at most 16 KiB.
 * Omissions are marked.
 *
 * @param body as JSON.parse returns it, at most 64 levels deep
 */
export function redactedBody(body: unknown): unknown {
  return new Redaction().of(body, MAX_TEXT_LENGTH);
}

/**
 * The copy of a path with its query for the log.
 *
 * @param path as sent, percent-encoded
 */
export function redactedPath(path: string): string {
  const query = path.indexOf('?');
  if (query === -1) return cut(path, MAX_PATH_LENGTH);
  const parameters = path
    .slice(query + 1)
    .split('&')
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1);
      return SECRET.test(decoded(parameter)) ? `${name}=${REDACTED}` : parameter;
    });
  return cut(`${path.slice(0, query)}?${parameters.join('&')}`, MAX_PATH_LENGTH);
}

/** @returns the text, truncated, and without characters that PostgreSQL cannot store */
export function cut(text: string, longest: number): string {
  const short = text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
  return short.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Copies one body until the budget is used up. */
class Redaction {
  private budget = BUDGET - FOR_MARKS;

  of(value: unknown, longest: number): unknown {
    if (typeof value === 'string') return this.pay(cut(value, longest));
    if (Array.isArray(value)) return this.list(value, longest);
    if (typeof value === 'object' && value !== null) return this.object(value as Record<string, unknown>, longest);
    return this.pay(value);
  }

  private list(values: unknown[], longest: number): unknown[] {
    const copy: unknown[] = [];
    this.budget -= 2;
    for (const [index, value] of values.entries()) {
      if (this.budget <= 0) return [...copy, `… ${values.length - index} more`];
      copy.push(this.of(value, longest));
    }
    return copy;
  }

  private object(values: Record<string, unknown>, longest: number): Record<string, unknown> {
    const copy = Object.create(null) as Record<string, unknown>;
    const names = Object.keys(values);
    const about = textsUnder(values, 'path').join(' ');
    this.budget -= 2;
    for (const [index, name] of names.entries()) {
      if (this.budget <= 0) {
        copy['…'] = `${names.length - index} more`;
        return copy;
      }
      copy[this.name(name)] = this.attribute(name, values[name], about, longest);
    }
    return copy;
  }

  /** @param about the attribute that a PATCH operation targets, if the object is one */
  private attribute(name: string, value: unknown, about: string, longest: number): unknown {
    const isFilter = typeof value === 'string' && /^(path|filter)$/i.test(name);
    // Only the leading name: in an invalid filter nobody can tell where a value begins and ends.
    if (isFilter && SECRET.test(value)) return this.pay(cut(value.replace(/[\s"[][\s\S]*/, REDACTED), longest));
    const whole = name.toLowerCase() === 'value' ? `${name} ${about}` : name;
    if (SECRET.test(whole)) return this.pay(REDACTED);
    return this.of(value, BULKY.test(whole) ? MAX_BULKY : longest);
  }

  private pay(value: unknown): unknown {
    const cost = Buffer.byteLength(JSON.stringify(value) ?? '') + 2;
    // A short string takes little of the space for marks.
    const isAffordable = typeof value !== 'string' || cost <= this.budget || cost <= MAX_BULKY;
    this.budget -= cost;
    return isAffordable ? value : `… (${value.length} characters)`;
  }

  /** A value needs its name; the space for marks has room for one that is too long. */
  private name(name: string): string {
    const short = cut(name, MAX_NAME_LENGTH);
    this.budget -= Buffer.byteLength(JSON.stringify(short)) + 2;
    return short;
  }
}

/** @returns all values with a name, in whatever case: only a body that is read has none of them twice */
function valuesUnder(json: unknown, wanted: string): unknown[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    name.length === wanted.length && name.toLowerCase() === wanted ? [value as unknown] : [],
  );
}

function textsUnder(json: unknown, wanted: string): string[] {
  return valuesUnder(json, wanted).filter((value) => typeof value === 'string');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Errors quote the invalid input. If the request mentions a secret, the quote may be that secret.
 *
 * @param target path and query as sent
 */
export function redactedError(error: string, target: string, body: unknown): string {
  const speaks = SECRET.test(decoded(target)) || SECRET.test(error) || SECRET.test(pathsOf(body));
  // From the first quotation mark to the last: the quote may contain some itself.
  return speaks ? error.replace(/"[\s\S]*"|"[\s\S]*/, `"${REDACTED}"`) : error;
}

/**
 * The filter of a search and the paths of a PATCH: only there can an error quote a value that is not under its own
 * attribute's name.
 */
function pathsOf(body: unknown): string {
  const operations = valuesUnder(body, 'operations').flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  return [...textsUnder(body, 'filter'), ...operations.flatMap((operation) => textsUnder(operation, 'path'))].join(' ');
}
