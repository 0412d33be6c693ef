import * as fc from 'fast-check';
import { cut, redactedBody, redactedError, redactedPath } from './redaction';

const text = (body: unknown) => JSON.stringify(redactedBody(body));

describe('What the provisioning log keeps of a body', () => {
  it('is the body itself, if nothing has to be redacted', () => {
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'ada@example.com',
      active: false,
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@example.com', primary: true }],
      title: null,
    };
    expect(JSON.parse(text(body))).toEqual(body);
    expect(redactedBody(null)).toBeNull();
    expect(redactedBody(5)).toBe(5);
  });

  it.each([
    { password: 'hunter2' },
    { Password: 'hunter2' },
    { 'urn:ietf:params:scim:schemas:core:2.0:User:password': 'hunter2' },
    { password: { value: 'hunter2' } },
    { password: ['hunter2'] },
    { newPassword: 'hunter2' },
    { Operations: [{ op: 'replace', path: 'password', value: 'hunter2' }] },
    { Operations: [{ op: 'Add', Path: 'urn:ietf:params:scim:schemas:core:2.0:User:PASSWORD', Value: 'hunter2' }] },
    { Operations: [{ value: 'hunter2', op: 'replace', path: 'password' }] },
    { Operations: [{ op: 'replace', value: { password: 'hunter2' } }] },
    { Operations: [{ method: 'POST', path: '/Users', data: { userName: 'ada', password: 'hunter2' } }] },
    { filter: 'password eq "hunter2"' },
    { filter: 'password eq "hunter2' },
    { filter: 'password eq hunter2' },
    { filter: 'password eq ""hunter2""' },
    { Operations: [{ op: 'remove', path: 'emails[password eq "hunter2"]' }] },
    { client_secret: 'hunter2', apiKey: 'hunter2', Authorization: 'Bearer hunter2', accessToken: 'hunter2' },
  ])('contains no secret: %j', (body) => {
    expect(text(body)).not.toContain('hunter2');
    expect(text(body)).toContain('***');
  });

  it('shortens long values', () => {
    const long = 'x'.repeat(5_000);
    expect(redactedBody({ title: long })).toEqual({ title: `${'x'.repeat(1_024)}… (5000 characters)` });
    const certificate = `${'x'.repeat(64)}… (5000 characters)`;
    expect(redactedBody({ x509Certificates: [{ value: long }] })).toEqual({
      x509Certificates: [{ value: certificate }],
    });
    expect(redactedBody({ Operations: [{ op: 'add', path: 'photos', value: [{ value: long }] }] })).toEqual({
      Operations: [{ op: 'add', path: 'photos', value: [{ value: certificate }] }],
    });
  });

  it('says how many items of a long list are missing', () => {
    const members = Array.from({ length: 20_000 }, (_, index) => ({ value: `member ${index}` }));
    const kept = redactedBody({ members }) as { members: (object | string)[] };
    const shown = kept.members.length - 1;
    expect(shown).toBeGreaterThan(100);
    expect(kept.members.slice(0, shown)).toEqual(members.slice(0, shown));
    expect(kept.members.at(-1)).toBe(`… ${20_000 - shown} more`);
    const wide = redactedBody(Object.fromEntries(members.map(({ value }) => [value, true]))) as Record<string, unknown>;
    expect(wide['…']).toBe(`${20_000 - (Object.keys(wide).length - 1)} more`);
  });

  it('does not affect Object.prototype', () => {
    const body = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
    ) as object;
    expect(text(body)).toBe(JSON.stringify(body));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('is never longer than 16 KiB, and always storable', () => {
    const strings = fc.oneof(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.string({ maxLength: 20 }));
    const body = fc.oneof(
      fc.jsonValue({ maxDepth: 8 }),
      fc.array(fc.dictionary(strings, strings, { maxKeys: 30 }), { maxLength: 60 }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const kept = text(value);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(16_384);
        expect(kept).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
      { numRuns: 300 },
    );
    for (let length = 0; length < 1_100; length += 7) {
      const wide = Array.from({ length: 40 }, () => ({ ['\u0001'.repeat(length)]: '\u0001'.repeat(length) }));
      expect(Buffer.byteLength(text(wide))).toBeLessThanOrEqual(16_384);
    }
    let deep: unknown = 'x'.repeat(10_000);
    for (let level = 0; level < 62; level++) deep = level % 2 ? [deep, deep] : { a: deep, b: 'x'.repeat(1_000) };
    expect(Buffer.byteLength(text(deep))).toBeLessThanOrEqual(16_384);
  });
});

describe('What the provisioning log keeps of a path', () => {
  it.each([
    ['/Users', '/Users'],
    ['/Users?filter=userName%20eq%20%22ada%22&count=1', '/Users?filter=userName%20eq%20%22ada%22&count=1'],
    ['/Users?access_token=hunter2&count=1', '/Users?access_token=***&count=1'],
    ['/Users?filter=%70assword+eq+%22hunter2%22', '/Users?filter=***'],
    ['/Users?', '/Users?'],
    ['/Users?a=%zz', '/Users?a=%zz'],
  ])('%s', (path, kept) => {
    expect(redactedPath(path)).toBe(kept);
  });

  it('is limited in length', () => {
    expect(redactedPath(`/Users?filter=${'x'.repeat(5_000)}`)).toHaveLength(2_048 + '… (5014 characters)'.length);
  });
});

it('Texts are cut so that PostgreSQL can store them', () => {
  expect(cut('ab\0c', 10)).toBe('ab\ufffdc');
  expect(cut('😀😀', 3)).toBe('😀\ufffd… (4 characters)');
});

describe('What the provisioning log keeps of an error', () => {
  const patchOf = (operation: object) => ({ Operations: [operation] });

  it.each<[string, string, unknown]>([
    [
      '"password[value eq \\"hunter2\\"]" is no path.',
      '/Users/1',
      patchOf({ op: 'add', path: 'password[value eq "hunter2"]' }),
    ],
    ['Operations[0]: "hunter2" is no operation.', '/Users/1', patchOf({ op: 'hunter2', path: 'password' })],
    [
      'No attribute has the path "password[value eq "hunter2"]".',
      '/Users/1',
      patchOf({ op: 'add', path: 'password[value eq "hunter2"]' }),
    ],
    ['The password is "hunter2', '/Users/1', undefined],
    ['At character 10: "hunter2" is no operator.', '/Users?filter=password%20hunter2', undefined],
    ['At character 10: "hunter2" is no operator.', '/Users?filter=%70assword+hunter2', undefined],
    [
      '"password[value eq \\"hunter2\\"]" is no attribute.',
      '/Users/1',
      patchOf({ op: 'add', value: { 'password[value eq "hunter2"]': 'x' } }),
    ],
    [
      'At character 19: "hunter2" is not a value.',
      '/Users/1',
      { operations: [{ op: 'replace', path: 'password[value eq hunter2]', value: 1 }] },
    ],
    [
      'At character 19: "hunter2" is not a value.',
      '/Users/1',
      { OPERATIONS: [{ op: 'replace', Path: 'nickName', PATH: 'password[value eq hunter2]' }] },
    ],
    ['At character 13: "hunter2" is not a value.', '/Users/.search', { schemas: [], filter: 'password eq hunter2' }],
    ['At character 13: "hunter2" is not a value.', '/.search', { Filter: 'password eq hunter2' }],
  ])('has no quotations if a secret is involved: %s', (error, target, body) => {
    expect(redactedError(error, target, body)).not.toContain('hunter2');
    expect(redactedError(error, target, body)).toContain('***');
  });

  it('is the error itself otherwise', () => {
    const error = '"nickname" is no attribute.';
    expect(redactedError(error, '/Users/1', patchOf({ op: 'add', path: 'nickname', value: 'x' }))).toBe(error);
    expect(redactedError(error, '/Users', { userName: 'ada', password: 'hunter2' })).toBe(error);
  });
});
