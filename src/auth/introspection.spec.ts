import { confirmsToken, type IntrospectionAnswer } from './introspection';

const NOW = new Date('2026-11-22T00:00:00Z');
const SECONDS = NOW.getTime() / 1_000;
const EXPECTED = {
  issuer: 'https://login.example.com',
  subject: 'alice',
  audiences: ['toolyard', 'https://tools.example.com'],
  now: NOW,
};

const GOOD: IntrospectionAnswer[] = [
  {},
  { token_type: 'Bearer' },
  { token_type: 'access_token', token_use: 'access_token' },
  { typ: 'Bearer', sub: 'alice', iss: EXPECTED.issuer, aud: ['account', 'toolyard'], exp: SECONDS + 1, nbf: SECONDS },
  { aud: 'toolyard', exp: SECONDS - 29, nbf: SECONDS + 30 },
  { aud: ['account', 'https://tools.example.com'] },
];

const BAD: IntrospectionAnswer[] = [
  { active: false },
  { sub: 'bob' },
  { iss: 'https://login.example.org' },
  { aud: 'another' },
  { aud: ['another', 'third'] },
  { aud: [] },
  { aud: [['toolyard']] },
  { exp: SECONDS - 30 },
  { exp: 0 },
  { exp: 'soon' },
  { exp: null },
  { nbf: SECONDS + 31 },
  { token_type: 'refresh_token' },
  { token_type: 'Refresh' },
  { token_type: 'id_token' },
  { token_use: 'refresh_token' },
  { token_use: 'id' },
  { typ: 'Offline' },
  { typ: 'ID' },
  { token_type: 7 },
];

describe('An introspection answer', () => {
  it.each(GOOD)('is accepted: %j', (answer) => {
    expect(confirmsToken({ active: true, ...answer }, EXPECTED)).toBe(true);
  });

  it.each(BAD)('is rejected: %j', (answer) => {
    expect(confirmsToken({ active: true, ...answer }, EXPECTED)).toBe(false);
  });
});
