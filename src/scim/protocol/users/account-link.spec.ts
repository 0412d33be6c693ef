import { addressOf } from './account-link';

const of = (userName: string, emails?: Record<string, string | boolean>[]) =>
  addressOf({ userName, attributes: emails ? { emails } : {} });

describe('The address by which an entry finds its account', () => {
  it.each<[string, Record<string, string | boolean>[], string]>([
    [
      'the primary address',
      [
        { value: 'a@x.org', type: 'work' },
        { value: 'b@x.org', primary: true },
      ],
      'b@x.org',
    ],
    [
      'the work address, if none is primary',
      [
        { value: 'a@x.org', type: 'home' },
        { value: 'b@x.org', type: 'Work' },
      ],
      'b@x.org',
    ],
    [
      'the first address, if there is no work address',
      [{ value: 'a@x.org' }, { value: 'b@x.org', type: 'home' }],
      'a@x.org',
    ],
    ['not a primary value that is not an address', [{ value: 'n/a', primary: true }, { value: 'b@x.org' }], 'b@x.org'],
    ['not an entry without a value', [{ type: 'work' }, { value: 'b@x.org' }], 'b@x.org'],
    ['not one that is marked as not primary', [{ value: 'a@x.org' }, { value: 'b@x.org', primary: false }], 'a@x.org'],
  ])('is %s', (_, emails, address) => {
    expect(of('ada', emails)).toBe(address);
  });

  it('is the userName if the entry has no e-mail address and the userName is one', () => {
    expect(of('ada@example.com')).toBe('ada@example.com');
    expect(of('ada@example.com', [{ value: '-' }])).toBe('ada@example.com');
    expect(of('ada@example.com', [{ value: 'a@x.org' }])).toBe('a@x.org');
  });

  it.each(['ada', '@', 'a@', '@x', 'a b@x.org', 'a@b@c', `${'a'.repeat(320)}@x.org`])('cannot be %s', (userName) => {
    expect(of(userName)).toBeUndefined();
  });
});
