import { domainName } from './domain-name';

describe('The name of a domain', () => {
  it.each([
    ['acme.example', 'acme.example'],
    ['Acme.Example', 'acme.example'],
    ['mail.acme.co.uk', 'mail.acme.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['3com.com', '3com.com'],
  ])('%s is normalised to %s', (text, domain) => {
    expect(domainName(text)).toBe(domain);
  });

  it.each([
    'com',
    '',
    '.',
    'acme.example.',
    '.acme.example',
    'a..example',
    '-acme.example',
    'acme-.example',
    '_dmarc.acme.example',
    'acme.example/x',
    'acme .example',
    'ann@acme.example',
    '127.0.0.1',
    '[::1]',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(126)}example`,
  ])('%s is invalid', (text) => {
    expect(domainName(text)).toBeUndefined();
  });
});
