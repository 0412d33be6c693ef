import { authenticate, tokenAuthOf } from './token-endpoint';

describe('How we authenticate at a token endpoint', () => {
  it.each([
    [false, 'client_secret_basic', [], 'none'],
    [true, undefined, [], 'client_secret_basic'],
    [true, undefined, ['client_secret_post', 'none'], 'client_secret_post'],
    [true, 'client_secret_post', ['client_secret_basic'], 'client_secret_post'],
    [true, 'none', ['none', 'client_secret_basic'], 'client_secret_basic'],
    [true, 'private_key_jwt', ['private_key_jwt'], 'client_secret_post'],
  ])(
    'with a secret: %p, registered with %p, at one that supports %p: by %s',
    (hasSecret, declared, supported, expected) => {
      expect(tokenAuthOf(hasSecret, declared, supported)).toBe(expected);
    },
  );

  it('encodes both parts of Basic, so that a colon in an id means nothing', () => {
    const [headers, form] = [new Headers(), new URLSearchParams()];
    authenticate({ clientId: 'a:b c', clientSecret: 'é+%', tokenAuth: 'client_secret_basic' }, headers, form);
    const sent = Buffer.from(headers.get('authorization')?.slice('Basic '.length) ?? '', 'base64').toString();
    expect([sent, form.toString()]).toEqual(['a%3Ab+c:%C3%A9%2B%25', '']);
  });

  it('sends the secret in the form only to those that want it there', () => {
    const posted = new URLSearchParams();
    authenticate({ clientId: 'a', clientSecret: 'b', tokenAuth: 'client_secret_post' }, new Headers(), posted);
    const open = new URLSearchParams();
    authenticate({ clientId: 'a', clientSecret: 'b', tokenAuth: 'none' }, new Headers(), open);
    expect([posted.toString(), open.toString()]).toEqual(['client_id=a&client_secret=b', 'client_id=a']);
  });
});
