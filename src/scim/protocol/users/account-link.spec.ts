import { addressOf } from './account-link';

const of = (userName: string, emails?: Record<string, string | boolean>[]) =>
  addressOf({ userName, attributes: emails ? { emails } : {} });

describe('The address by which an entry finds its account', () => {
  it.each<[string, Record<string, string | boolean>[], string]>([
    [
      'the primary one',
      [
        { value: 'a@x.org', type: 'work' },
        { value: 'b@x.org', primary: true },
      ],
      'b@x.org',
    ],
    [
      'else the one for work',
      [
        { value: 'a@x.org', type: 'home' },
        { value: 'b@x.org', type: 'Work' },
      ],
      'b@x.org',
    ],
    ['else the first', [{ value: 'a@x.org' }, { value: 'b@x.org', type: 'home' }], 'a@x.org'],
    ['no primary one that is none', [{ value: 'n/a', primary: true }, { value: 'b@x.org' }], 'b@x.org'],
    ['no value without an address', [{ type: 'work' }, { value: 'b@x.org' }], 'b@x.org'],
    [
      'not the one that says it is not primary',
      [{ value: 'a@x.org' }, { value: 'b@x.org', primary: false }],
      'a@x.org',
    ],
  ])('is %s', (_, emails, address) => {
    expect(of('ada', emails)).toBe(address);
  });

  it('is the userName where no e-mail address is given and the userName is one', () => {
    expect(of('ada@example.com')).toBe('ada@example.com');
    expect(of('ada@example.com', [{ value: '-' }])).toBe('ada@example.com');
    expect(of('ada@example.com', [{ value: 'a@x.org' }])).toBe('a@x.org');
  });

  it.each(['ada', '@', 'a@', '@x', 'a b@x.org', 'a@b@c', `${'a'.repeat(320)}@x.org`])('is not %s', (userName) => {
    expect(of(userName)).toBeUndefined();
  });
});
