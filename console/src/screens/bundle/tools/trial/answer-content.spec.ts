import fc from 'fast-check';
import { errorCode, gatewayCode, MAX_TEXT, partsOf } from './answer-content';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('partsOf', () => {
  it('shows texts, images, links and resources', () => {
    const content = [
      { type: 'text', text: 'Rain.' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'b' } },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ];
    expect(partsOf({ content })).toEqual([
      { kind: 'text', text: 'Rain.', isCut: false },
      { kind: 'image', source: `data:image/png;base64,${PNG}` },
      { kind: 'link', uri: 'file:///a', name: 'a' },
      { kind: 'resource', uri: 'file:///b', text: 'b', isCut: false },
      { kind: 'other', type: 'audio/wav', bytes: 3 },
    ]);
  });

  it('takes the type of an image from its bytes', () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    expect(partsOf({ content: [{ type: 'image', data: svg, mimeType: 'image/png' }] })).toMatchObject([
      { kind: 'other' },
    ]);
    expect(partsOf({ content: [{ type: 'image', data: `${PNG}"`, mimeType: 'image/png' }] })).toMatchObject([
      { kind: 'other' },
    ]);
  });

  it('knows webp', () => {
    const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 1, 0, 0]), Buffer.from('WEBPVP8 ')]).toString(
      'base64',
    );
    expect(partsOf({ content: [{ type: 'image', data: webp }] })).toMatchObject([{ kind: 'image' }]);
  });

  it('cuts what is too long, and never throws', () => {
    expect(partsOf({ content: [{ type: 'text', text: 'a'.repeat(MAX_TEXT + 1) }] })).toMatchObject([{ isCut: true }]);
    fc.assert(fc.property(fc.jsonValue(), (content) => void partsOf({ content })));
  });
});

describe('the code of a failure', () => {
  it('is that of the gateway', () => {
    expect(gatewayCode({ _meta: { 'com.toolyard/error': { code: 'credential_required' } } })).toBe(
      'credential_required',
    );
    expect(gatewayCode({ content: [] })).toBeUndefined();
    expect(errorCode({ code: -32603, data: { code: 'upstream_timeout' } })).toBe('upstream_timeout');
  });
});
