import { addressFaults, addressFor, providerOf, providerOfToken, stepBeside, stepOf } from './provider';

const BASE = 'https://tools.example.com/v1/organisations/1/scim/v2';

describe('The guide for an identity provider', () => {
  it('is at the step of the address, and at the first without one', () => {
    expect([providerOf('okta'), providerOf('oktopus'), providerOf(undefined)]).toEqual(['okta', undefined, undefined]);
    expect([stepOf('people'), stepOf('x'), stepOf(undefined)]).toEqual(['people', 'domain', 'domain']);
  });

  it('is told by the name of a token', () => {
    const names = ['Okta', 'our OKTA', 'Azure AD', 'Microsoft Entra ID', 'google 2', 'Script', undefined];
    expect(names.map(providerOfToken)).toEqual(['okta', 'okta', 'entra', 'entra', 'google', 'other', 'other']);
  });

  it('goes from step to step', () => {
    expect(stepBeside('domain', -1)).toBeUndefined();
    expect(stepBeside('domain', 1)).toBe('application');
    expect(stepBeside('groups', 1)).toBeUndefined();
    expect(stepBeside('groups', -1)).toBe('people');
  });

  it('has the flag in the address for Entra ID alone', () => {
    expect(addressFor('entra', BASE)).toBe(`${BASE}?aadOptscim062020`);
    expect(addressFor('okta', BASE)).toBe(BASE);
  });

  it.each([
    ['okta', BASE, []],
    ['okta', 'https://my_tools.example.com/scim/v2', ['underscore']],
    ['entra', 'https://my_tools.example.com/scim/v2', []],
    ['other', 'http://tools.example.com/scim/v2', ['not_https']],
    ['google', 'http://localhost:3000/scim/v2', ['not_https', 'local']],
    ['okta', 'https://10.1.2.3/scim/v2', ['local']],
    ['okta', 'no address', []],
  ] as const)('says what keeps %s from %s', (provider, address, faults) => {
    expect(addressFaults(provider, address)).toEqual(faults);
  });
});
