import fc from 'fast-check';
import { documentationFault, documentationOf } from './documentation';
import { PUBLISHER } from './server-document';

const provided = (value: unknown) => ({ _meta: { [PUBLISHER]: value } });

describe('The documentation of a server.json', () => {
  it.each([
    [provided({ readme: '# A' }), '# A'],
    [provided({ github: { readme: '# B' } }), '# B'],
    [provided({ readme: ' ', github: { readme: '# C' } }), '# C'],
    [provided({ readme: 7 }), null],
    [provided({ readme: 'é'.repeat(32_769) }), null],
    [provided(['readme']), null],
    [provided(null), null],
    [{ _meta: { readme: '# A' } }, null],
    [{}, null],
  ])('is the readme that the publisher provides: %#', (document, expected) => {
    expect(documentationOf(document)).toBe(expected);
  });

  it('is null or a text of at most 64 KiB, whatever the document has', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const document of [{ _meta: value }, provided(value), provided({ github: value })]) {
          const found = documentationOf(document);
          expect(found === null || Buffer.byteLength(found) <= 65_536).toBe(true);
        }
      }),
    );
  });
});

it('A documentation may have 65,536 bytes of UTF-8, however many characters those are', () => {
  expect(documentationFault('é'.repeat(32_768))).toBeUndefined();
  expect(documentationFault('é'.repeat(32_769))).toEqual({
    msg: 'Must have at most 65,536 bytes of UTF-8 (64 KiB); it has 65,538.',
    type: 'value_error',
  });
  // The schema reports these.
  expect(documentationFault('x'.repeat(65_537))).toBeUndefined();
});
