import fc from 'fast-check';
import { contentOf, pictureOf } from './answer-content';

describe('The content of an answer', () => {
  it('is text, pictures and the rest by its type', () => {
    const content = [
      { type: 'text', text: 'Rain' },
      { type: 'image', mimeType: 'image/png', data: 'QUJD' },
      { type: 'resource', resource: { uri: 'memo://1', text: 'Memo' } },
      { type: 'resource_link', uri: 'file:///etc/motd' },
      { type: 'audio', data: 'x' },
    ];
    expect(contentOf({ content })).toEqual([
      { kind: 'text', text: 'Rain' },
      { kind: 'image', type: 'image/png', data: 'QUJD' },
      { kind: 'text', text: 'Memo' },
      { kind: 'other', type: 'resource_link', address: 'file:///etc/motd' },
      { kind: 'other', type: 'audio', address: undefined },
    ]);
  });

  it('shows no picture that could be more than one', () => {
    const picture = (type: string, data: string) => pictureOf({ kind: 'image', type, data });
    expect(picture('image/png', 'QUJD')).toBe('data:image/png;base64,QUJD');
    expect(picture('image/svg+xml', 'QUJD')).toBeUndefined();
    expect(picture('image/png', 'a"b')).toBeUndefined();
    expect(picture('image/png', 'A'.repeat(5_000_000))).toBeUndefined();
  });

  it('is something for every answer', () => {
    fc.assert(fc.property(fc.jsonValue(), (content) => void contentOf({ content })));
  });
});
