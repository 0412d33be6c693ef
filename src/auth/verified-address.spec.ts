import { claimedAddress } from './verified-address';

const email = 'alice@example.com';

describe('The e-mail address in a token', () => {
  it.each([
    [{ email_verified: true }, false, 'email_verified'],
    [{ email_verified: true, xms_edov: false }, false, 'email_verified'],
    [{ xms_edov: true }, false, 'xms_edov'],
    [{ xms_edov: 1 }, false, 'xms_edov'],
    [{ xms_edov: '1' }, false, 'xms_edov'],
    [{ xms_edov: 'true' }, false, 'xms_edov'],
    [{}, true, 'trusted_issuer'],
    [{ email_verified: false }, true, 'trusted_issuer'],
  ])('is verified by %j, with a trusted issuer: %s', (claims, trusts, state) => {
    expect(claimedAddress({ email, ...claims }, trusts)).toEqual({ claimed: email, verified: email, state });
  });

  it.each([
    {},
    { email_verified: false },
    { email_verified: 'true' },
    { email_verified: 1 },
    { email_verified: null },
    { email_verified: false, xms_edov: true },
    { email_verified: null, xms_edov: true },
    { xms_edov: false },
    { xms_edov: 0 },
    { xms_edov: '0' },
    { xms_edov: 'false' },
    { xms_edov: 'yes' },
    { xms_edov: [true] },
  ])('is not verified by %j', (claims) => {
    expect(claimedAddress({ email, ...claims }, false)).toEqual({
      claimed: email,
      verified: undefined,
      state: 'not_verified',
    });
  });

  it.each([
    [undefined, 'missing'],
    [null, 'missing'],
    ['', 'unusable'],
    [7, 'unusable'],
    ['a\0@b', 'unusable'],
    [`${'x'.repeat(255)}`, 'unusable'],
  ])('is ignored, even from a trusted issuer, if it is %j: %s', (given, state) => {
    expect(claimedAddress({ email: given, email_verified: true }, true)).toMatchObject({ verified: undefined, state });
  });
});
