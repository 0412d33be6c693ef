import { base64url, bytesOf } from './base64url';

describe('base64url', () => {
  it('has neither padding nor characters of plain base64', () => {
    expect(base64url(Uint8Array.of(251, 255, 254, 1).buffer)).toBe('-__-AQ');
  });

  it.each(['-__-AQ', '-__-AQ==', '+//+AQ=='])('is read with and without padding: %s', (text) => {
    expect([...bytesOf(text)]).toEqual([251, 255, 254, 1]);
  });

  it('brings all bytes back', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect([...bytesOf(base64url(bytes.buffer))]).toEqual([...bytes]);
  });
});
