import fc from 'fast-check';
import { type ChosenCredential, credentialState, missingValues } from './entry-credential';
import { valuesByDeclaredName } from './declared-names';
import type { SecretNeed } from '../protocol/credential-placements';

const need = (name: string, fields: Partial<SecretNeed> = {}): SecretNeed => ({
  ...{ name, isRequired: true, isToken: false, description: undefined },
  ...fields,
});
const chosen = (fields: Partial<ChosenCredential> = {}): ChosenCredential => ({
  ...{
    id: 'id',
    version: 1,
    kind: 'SECRETS',
    owner: 'BUNDLE',
    origin: 'https://a.example',
    status: 'ACTIVE',
    names: [],
  },
  ...fields,
});
const target = (...secrets: SecretNeed[]) => ({ origin: 'https://a.example', secrets });

describe('The credential of an entry', () => {
  it.each<[string, ReturnType<typeof credentialState>, SecretNeed[], ChosenCredential | undefined]>([
    ['there is none', 'MISSING', [], undefined],
    [
      'it has all that is required',
      'CONNECTED',
      [need('k'), need('o', { isRequired: false })],
      chosen({ names: ['k'] }),
    ],
    ['it lacks a value', 'MISSING', [need('k'), need('l')], chosen({ names: ['k'] })],
    ['it has no value', 'MISSING', [need('o', { isRequired: false })], chosen()],
    ['it is a header nobody asked for', 'CONNECTED', [], chosen({ names: ['Authorization'] })],
    ['it is refused', 'RECONNECT', [need('k')], chosen({ names: ['k'], status: 'RECONNECT' })],
    ['its server has moved', 'ORIGIN_CHANGED', [need('k')], chosen({ names: ['k'], origin: 'https://b.example' })],
    [
      'its server has moved and it is refused',
      'ORIGIN_CHANGED',
      [],
      chosen({ status: 'RECONNECT', origin: 'https://a.example:8443' }),
    ],
    ['a token takes the place of the header', 'CONNECTED', [need('t', { isToken: true })], chosen({ kind: 'OAUTH' })],
    [
      'the whole header takes the place of its part',
      'CONNECTED',
      [need('t', { isToken: true })],
      chosen({ names: ['authorization'] }),
    ],
    ['a token does not take the place of a key', 'MISSING', [need('k')], chosen({ kind: 'OAUTH' })],
  ])('if %s: %s', (_, state, secrets, credential) => {
    expect(credentialState(target(...secrets), credential)).toBe(state);
  });

  it('is sent to its own origin and only with everything that is required', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'Authorization'));
    const origins = fc.constantFrom('https://a.example', 'https://a.example:444', 'http://a.example');
    fc.assert(
      fc.property(names, names, origins, (required, has, origin) => {
        const secrets = required.map((name) => need(name));
        const credential = chosen({ names: has, origin });
        fc.pre(credentialState(target(...secrets), credential) === 'CONNECTED');
        expect(origin).toBe('https://a.example');
        expect(missingValues(target(...secrets), credential)).toEqual([]);
        expect(required.filter((name) => !has.includes(name))).toEqual([]);
      }),
    );
  });
});

describe('The names of values', () => {
  it('are those of the server.json, and Authorization in whatever case', () => {
    expect(valuesByDeclaredName({ k: '1', AUTHORIZATION: '2' }, target(need('k')))).toEqual({
      k: '1',
      Authorization: '2',
    });
    expect(valuesByDeclaredName({ Authorization: '2' }, target(need('authorization')))).toEqual({ authorization: '2' });
  });

  it('are rejected if it does not name them, without their values', () => {
    let error: unknown;
    try {
      valuesByDeclaredName({ other: 'the value' }, target(need('k')));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ faults: [{ loc: ['body', 'values', 'other'] }] });
    expect(JSON.stringify(error)).not.toContain('the value');
  });
});
