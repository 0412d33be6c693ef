import { validateHeaderName, validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { ValidationError } from '../../errors/errors';
import { areSameHeaders, headerNameFault, headersFaults, headerValueFault, replaceHeaders } from './custom-headers';

const TOKEN_SIGNS = "!#$%&'*+-.^`|~";

/** @returns the places of the errors */
function placesOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ValidationError) return error.faults.map(({ loc }) => loc.join(' '));
    throw error;
  }
  return [];
}

describe('The name of a custom webhook header', () => {
  it.each([
    'Authorization',
    'X-Api-Key',
    'x',
    '1',
    'cookie',
    'accept',
    'X-Webhook-Id',
    'webhook',
    'proxy',
    'x-original',
    'X-Httpmethod',
    TOKEN_SIGNS,
  ])('can be %s', (name) => {
    expect(headerNameFault(name)).toBeUndefined();
  });

  it.each([
    // Not a valid name.
    [
      '',
      ' ',
      'X Api',
      'X-Api ',
      'X:Api',
      ':path',
      'X-Äpi',
      'X-Api\r\nX',
      'X\0',
      'X\t',
      '"X"',
      'X(1)',
      'X/1',
      'X,Y',
      'X=1',
    ],
    // Reserved by HTTP or the service.
    ['Host', 'host', 'CONNECTION', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'HTTP2-Settings'],
    ['Content-Type', 'content-length', 'Content-Encoding', 'content-md5', 'Accept-Encoding', 'Expect', 'Date'],
    [
      'Proxy-Authorization',
      'proxy-connection',
      'User-Agent',
      'Via',
      'Forwarded',
      'X-Forwarded-For',
      'x-forwarded-host',
    ],
    ['X-Real-IP', 'x-client-ip', 'X-Cluster-Client-IP', 'True-Client-IP', 'X-Forwarded', 'X-Forwarded-Proto', 'X-Host'],
    ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'x-http-method-anything'],
    ['X-Original-URL', 'X-Original-Host', 'X-Rewrite-URL'],
    // Some servers treat an underscore as a hyphen.
    ['X_Real_IP', 'x-real_ip', 'webhook_id', 'X_Anything', '_', '__proto__'],
    ['webhook-id', 'Webhook-Signature', 'WEBHOOK-TIMESTAMP', 'webhook-', 'webhook-anything'],
  ])('cannot be any of these: %j …', (...names) => {
    for (const name of names) expect([name, headerNameFault(name)?.type]).toEqual([name, 'value_error']);
  });

  it('is accepted by Node whenever it is accepted here', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 4 }), (name) => {
        if (headerNameFault(name) === undefined) expect(() => validateHeaderName(name)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('The value of a custom webhook header', () => {
  it.each(['x', 'Bearer abc.def-ghi_~+/=', 'a b', 'a\tb', '!', '~', '"quoted"', 'a  \t b'])('can be %j', (value) => {
    expect(headerValueFault(value)).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    ' a',
    'a ',
    '\ta',
    'a\t',
    'a\r\nX-Other: b',
    'a\nb',
    'a\rb',
    'a\0b',
    'a\u007f',
    '\u0080',
    'ä',
    '€',
    '😀',
  ])('cannot be %j, and is not repeated in the error', (value) => {
    const fault = headerValueFault(value);
    expect(fault?.type).toBe('value_error');
    if (value.trim().length > 1) expect(fault?.msg).not.toContain(value.trim());
  });

  it('can contain any visible ASCII character, and blanks inside', () => {
    for (let code = 0; code <= 0x100; code++) {
      const character = String.fromCharCode(code);
      const isVisible = code >= 0x21 && code <= 0x7e;
      expect([code, headerValueFault(character) === undefined]).toEqual([code, isVisible]);
      const isInner = isVisible || character === ' ' || character === '\t';
      expect([code, headerValueFault(`a${character}b`) === undefined]).toEqual([code, isInner]);
    }
  });

  it('is accepted by Node whenever it is accepted here, and stays one line', () => {
    // Hardly any random Unicode string would be accepted.
    const values = fc.oneof(
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
      { weight: 4, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 6 }) },
    );
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(headerValueFault(value) === undefined);
        expect(() => validateHeaderValue('x', value)).not.toThrow();
        expect(value).toBe(value.trim());
        expect(value).not.toMatch(/[\r\n\0]/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('Custom webhook headers together', () => {
  it('must have unique names, ignoring case', () => {
    expect(headersFaults({ 'X-One': 'a', 'x-two': 'b' })).toEqual([]);
    const faults = headersFaults({ 'X-One': 'a', 'x-one': 'b', 'X-ONE': 'c' });
    expect(faults.map(({ loc }) => loc)).toEqual([['x-one'], ['X-ONE']]);
  });

  it('have at most 4,096 characters, names and values together', () => {
    const fill = (length: number) =>
      Object.fromEntries(['a', 'b', 'c', 'd'].map((name, n) => [name, 'x'.repeat(n < 3 ? 1_023 : length)]));
    expect(headersFaults(fill(1_023))).toEqual([]);
    expect(headersFaults(fill(1_024)).map(({ loc }) => loc)).toEqual([[]]);
  });

  it('can be checked with values of any type', () => {
    expect(headersFaults({ a: null, b: 1, c: {}, d: undefined })).toEqual([]);
  });
});

describe('Replacing custom webhook headers', () => {
  const stored = { Authorization: 'Bearer one', 'X-Team': 'pagers' };

  it('removes those that are not named', () => {
    expect(replaceHeaders(stored, { 'X-New': 'n' })).toEqual({ 'X-New': 'n' });
    expect(replaceHeaders(stored, {})).toEqual({});
  });

  it('keeps the value for null, ignoring the case of the name', () => {
    expect(replaceHeaders(stored, { Authorization: null, 'X-Team': 'others' })).toEqual({
      Authorization: 'Bearer one',
      'X-Team': 'others',
    });
    expect(replaceHeaders(stored, { authorization: null })).toEqual({ authorization: 'Bearer one' });
  });

  it('reports every null without a stored value, including inherited property names', () => {
    const sent = { Authorization: null, 'X-New': null, constructor: null, toString: null };
    expect(placesOf(() => replaceHeaders(stored, sent))).toEqual([
      'body headers X-New',
      'body headers constructor',
      'body headers toString',
    ]);
    expect(placesOf(() => replaceHeaders({}, JSON.parse('{"__proto__": null}') as Record<string, null>))).toEqual([
      'body headers __proto__',
    ]);
  });

  it('includes kept values in the size limit', () => {
    const long = 'x'.repeat(1_024);
    const before = { a: long, b: long };
    expect(placesOf(() => replaceHeaders(before, { a: null, b: null, c: long, d: 'x'.repeat(1_021) }))).toEqual([
      'body headers',
    ]);
    expect(placesOf(() => replaceHeaders(before, { a: null, b: null, c: long, d: 'x'.repeat(1_020) }))).toEqual([]);
  });

  it('accepts back what was shown, for any headers', () => {
    const names = fc.stringMatching(/^[a-z0-9-]{1,10}$/);
    fc.assert(
      fc.property(fc.dictionary(names, fc.stringMatching(/^[!-~]{1,20}$/), { maxKeys: 20 }), (headers) => {
        const shown = Object.fromEntries(Object.keys(headers).map((name) => [name, null]));
        const kept = replaceHeaders(headers, shown);
        expect(kept).toEqual(headers);
        expect(areSameHeaders(headers, kept)).toBe(true);
      }),
    );
  });
});

describe('Two sets of custom webhook headers', () => {
  it('are equal in any order, and otherwise different', () => {
    expect(areSameHeaders({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true);
    const others: Record<string, string>[] = [
      {},
      { a: '1' },
      { a: '1', b: '3' },
      { a: '1', c: '2' },
      { a: '1', B: '2' },
    ];
    for (const other of others) {
      expect(areSameHeaders({ a: '1', b: '2' }, other)).toBe(false);
      expect(areSameHeaders(other, { a: '1', b: '2' })).toBe(false);
    }
  });
});
