import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOf } from '../../test/support/environment-faults';
import { Environment } from './environment';

type Variables = Record<string, string | undefined>;

const ISSUER = 'https://login.example.com/realms/acme';
const SSO = { SSO_ISSUER: ISSUER, SSO_CLIENT_ID: 'toolyard', SSO_CLIENT_SECRET: 'hush' };

describe('Company sign-in by variables', () => {
  it('is off by default', () => {
    expect(new Environment({})).toMatchObject({ ssoProviders: [], passwordSignIn: true });
  });

  it('is one provider, named after its host', () => {
    expect(new Environment(SSO).ssoProviders).toEqual([
      {
        id: 'company',
        name: 'login.example.com',
        issuer: ISSUER,
        clientId: 'toolyard',
        clientSecret: 'hush',
        trustsEmail: false,
        domains: [],
      },
    ]);
  });

  it('reads every option, and domains as A-labels', () => {
    const options = { SSO_NAME: 'Acme', SSO_TRUST_EMAIL: 'true', SSO_SIGN_UP: 'invited', PASSWORD_SIGN_IN: 'false' };
    expect(new Environment({ ...SSO, ...options, SSO_DOMAINS: '@Bücher.Example, example.com' })).toMatchObject({
      ssoProviders: [
        { name: 'Acme', trustsEmail: true, signUp: 'invited', domains: ['xn--bcher-kva.example', 'example.com'] },
      ],
      passwordSignIn: false,
    });
  });

  it('reports all errors at once, and no value', () => {
    const faults = faultsOf({
      SSO_ISSUER: 'http://login.example.com?x',
      SSO_SIGN_UP: 'everybody',
      SSO_TRUST_EMAIL: 'maybe',
      SSO_DOMAINS: 'example.com,not a domain',
    });
    expect(faults).toEqual([
      expect.stringMatching(/^SSO_SIGN_UP is not one of anybody, provisioned, invited/),
      expect.stringMatching(/^SSO_TRUST_EMAIL is neither true nor false/),
      expect.stringMatching(/^SSO_ISSUER must not have user info, a query or a fragment/),
      expect.stringMatching(/^SSO_ISSUER starts with http:\/\/, which is allowed only on this computer/),
      expect.stringMatching(/^SSO_CLIENT_ID is required/),
      expect.stringMatching(/^SSO_CLIENT_SECRET is required/),
      expect.stringMatching(/^SSO_DOMAINS has an entry, number 2, that is not a domain/),
    ]);
    expect(faults.join()).not.toMatch(/everybody|maybe|login\.example\.com\?x/);
  });

  it.each<[string, Variables, RegExp]>([
    ['a secret without an issuer', { SSO_CLIENT_SECRET: 'x' }, /^SSO_ISSUER is required/],
    ['an issuer that is no URL', { ...SSO, SSO_ISSUER: 'login' }, /^SSO_ISSUER is not a URL/],
    ['OIDC_ISSUER besides', { ...SSO, OIDC_ISSUER: ISSUER }, /^SSO_ISSUER is set together with OIDC_ISSUER/],
    ['this server itself', { ...SSO, SSO_ISSUER: 'http://127.0.0.1:3000/' }, /names PUBLIC_URL itself/],
    [
      'the common issuer of Entra ID',
      { ...SSO, SSO_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
      /^SSO_ISSUER is that of all tenants/,
    ],
    [
      'trusting an issuer of many tenants',
      { ...SSO, SSO_ISSUER: 'https://accounts.google.com', SSO_TRUST_EMAIL: 'true' },
      /^SSO_TRUST_EMAIL cannot be set for this issuer/,
    ],
    ['no way to sign in', { PASSWORD_SIGN_IN: 'false' }, /^PASSWORD_SIGN_IN is false, but SSO_ISSUER is not set/],
  ])('refuses %s', (_what, variables, fault) => {
    expect(faultsOf(variables)).toEqual([expect.stringMatching(fault)]);
  });

  it.each(['http://127.0.0.1:8080/realms/a', 'http://localhost:8080', 'http://[::1]:8080'])(
    'allows plain HTTP on this computer: %s',
    (issuer) => expect(faultsOf({ ...SSO, SSO_ISSUER: issuer })).toEqual([]),
  );
});

describe('Company sign-in by a file', () => {
  let directory: string;
  const okta = { id: 'okta', issuer: 'https://acme.okta.com', client_id: 'a', client_secret: 'very-secret' };
  const google = { ...okta, id: 'google', issuer: 'https://accounts.google.com', domains: ['example.com'] };

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'toolyard-sso-'));
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const fileOf = (content: unknown): Variables => {
    const path = join(directory, 'sso.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return { SSO_PROVIDERS_FILE: path };
  };

  it('has several providers, in their order', () => {
    const { ssoProviders } = new Environment(fileOf([{ ...okta, sign_up: 'invited', name: 'Okta' }, google]));
    expect(ssoProviders).toMatchObject([
      { id: 'okta', name: 'Okta', signUp: 'invited', domains: [] },
      { id: 'google', name: 'accounts.google.com', domains: ['example.com'] },
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['is not JSON', '{"client_secret": "very-secret"', /does not contain JSON/],
    ['is not a list', okta, /must contain a list of 1 to 10 providers/],
    ['is empty', [], /must contain a list of 1 to 10 providers/],
    ['has eleven', Array.from({ length: 11 }, (_, index) => ({ ...okta, id: `p${index}` })), /list of 1 to 10/],
    ['has text in it', ['okta'], /provider 1: it is not an object/],
    ['has an unknown field', [{ ...okta, secret: 'very-secret' }], /provider 1: secret is not known/],
    ['has an id that is no part of a path', [{ ...okta, id: '../x' }], /provider 1: id is not 1 to 32/],
    ['has a number for text', [{ ...okta, client_id: 7 }], /provider 1: client_id is not text/],
    ['has text for a boolean', [{ ...okta, trust_email: 'true' }], /provider 1: trust_email is neither/],
    ['has a rule that does not exist', [okta, { ...google, sign_up: 'all' }], /provider 2: sign_up is not one of/],
    ['has a domain as text', [{ ...okta, domains: 'example.com' }], /provider 1: domains is not a list/],
    ['trusts a shared issuer', [{ ...google, trust_email: true }], /provider 1: trust_email cannot be set/],
    ['has one id twice', [okta, { ...google, id: 'okta' }], /two providers with the same id/],
    ['has one issuer twice', [okta, { ...okta, id: 'other' }], /two providers with the same issuer/],
  ])('is refused if it %s', (_what, content, fault) => {
    const faults = faultsOf(fileOf(content));
    expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
    expect(faults.join()).not.toContain('very-secret');
    expect(faults.every((line) => line.startsWith('SSO_PROVIDERS_FILE '))).toBe(true);
  });

  it('is refused if it cannot be read, and besides SSO_ISSUER', () => {
    expect(faultsOf({ SSO_PROVIDERS_FILE: join(directory, 'none.json') })).toEqual([
      expect.stringMatching(/names a file that cannot be read/),
    ]);
    expect(faultsOf({ ...fileOf([okta]), SSO_ISSUER: ISSUER })).toEqual([
      expect.stringMatching(/^SSO_ISSUER is set together with SSO_PROVIDERS_FILE/),
    ]);
  });
});
