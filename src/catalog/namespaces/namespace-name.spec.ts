import fc from 'fast-check';
import { coveringNamespaces, domainOf, isGrantedOnly, namespaceFault, namespaceOf } from './namespace-name';

describe('A namespace', () => {
  it('is the lower-case part of a name before the slash', () => {
    expect(namespaceOf('Com.Example.Team/Deploy-Bot')).toBe('com.example.team');
  });

  it('is covered by itself and its parents, but not by a string prefix', () => {
    expect(coveringNamespaces('com.example.team')).toEqual(['com.example.team', 'com.example', 'com']);
    expect(coveringNamespaces('com.example-two')).not.toContain('com.example');
  });

  it.each([
    ['com.example', 'example.com'],
    ['com.example.team', 'team.example.com'],
    ['com.xn--bcher-kva', 'xn--bcher-kva.com'],
    ['uk.co.example', 'example.co.uk'],
  ])('%s has the domain %s', (namespace, domain) => {
    expect(domainOf(namespace)).toBe(domain);
    expect(namespaceFault(namespace)).toBeUndefined();
  });

  it.each([
    'com',
    '',
    '.com',
    'com.',
    'com..example',
    'com.-example',
    'com.example-',
    'com.exa mple',
    'com.bücher',
    'com.example/x',
    'com._dmarc',
    `com.${'x'.repeat(64)}`,
    Array(70).fill('abcd').join('.'),
  ])('cannot be %j', (namespace) => {
    expect(namespaceFault(namespace)).toEqual(expect.any(String));
  });

  it.each([
    ['io.github', true],
    ['io.github.alice', true],
    ['com.github.alice.tools', true],
    ['io.githubber', false],
    ['com.example', false],
    ['com.example.io.github', false],
  ])('%s can only be granted: %s', (namespace, isOnlyGranted) => {
    expect(isGrantedOnly(namespace)).toBe(isOnlyGranted);
  });

  it('and its domain can be converted into each other', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        const namespace = domainOf(domain.toLowerCase());
        expect(domainOf(namespace)).toBe(domain.toLowerCase());
        expect(coveringNamespaces(namespace)[0]).toBe(namespace);
      }),
    );
  });
});
