import { parseUrl } from './parse-url';

describe('A URL', () => {
  it('parses in the same way, however often', () => {
    const refused = Array.from({ length: 100_000 }, () => parseUrl('https://bücher.example/straße')).filter(
      (url) => url?.hostname !== 'xn--bcher-kva.example',
    );
    expect(refused).toHaveLength(0);
  });

  it.each(['', 'hooks.example.com', 'https://', '//hooks.example.com', 'https://[::1'])('is not "%s"', (text) => {
    expect(parseUrl(text)).toBeUndefined();
  });
});
