import fc from 'fast-check';
import { usableIcons } from './usable-icons';

const at = (file: string) => `https://icons.example/${file}`;

describe('The icons of a listing that can be shown', () => {
  it('are PNG, JPEG and WebP by their type, or by their address if the document names no type', () => {
    const icons = [
      { src: at('a.png'), mimeType: 'image/png' },
      { src: at('b.svg'), mimeType: 'image/svg+xml' },
      { src: at('c.svg') },
      { src: at('d.png'), mimeType: 'image/svg+xml' },
      { src: at('e'), mimeType: 'image/webp' },
      { src: at('f.png?v=1') },
    ];
    expect(usableIcons(icons)).toEqual([at('a.png'), at('e'), at('f.png?v=1')]);
  });

  it('come with the best first: not for dark pages, and close to 128 pixels', () => {
    const icons = [
      { src: at('dark.png'), theme: 'dark', sizes: ['128x128'] },
      { src: at('large.png'), sizes: ['1024x1024'] },
      { src: at('unknown.png') },
      { src: at('right.png'), theme: 'light', sizes: ['16x16', '128x128'] },
    ];
    expect(usableIcons(icons)).toEqual([at('right.png'), at('unknown.png'), at('large.png')]);
    expect(usableIcons(icons.slice(0, 1))).toEqual([at('dark.png')]);
  });

  it.each([
    'data:image/png;base64,iVBORw0KGgo=',
    'javascript:alert(1)',
    'https://user:password@icons.example/a.png',
    'ftp://icons.example/a.png',
    'a.png',
    `${at('a.png')}?${'x'.repeat(255)}`,
  ])('are not at %s', (src) => {
    expect(usableIcons([{ src, mimeType: 'image/png' }])).toEqual([]);
  });

  it('are at most three different addresses, whatever the document has', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything(), fc.record({ src: fc.webUrl(), sizes: fc.anything() }))), (icons) => {
        const found = usableIcons(icons);
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
