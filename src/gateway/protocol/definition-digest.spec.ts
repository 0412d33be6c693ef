import fc from 'fast-check';
import { canonicalJson, definitionDigest } from './definition-digest';

const hex = (definition: object) => definitionDigest({ ...definition }).toString('hex');

describe('Canonical JSON', () => {
  it('is that of the example of RFC 8785, section 3.2', () => {
    const value = JSON.parse(
      `{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}`,
    ) as unknown;
    expect(canonicalJson(value)).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    );
  });

  it('orders members by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const value = Object.fromEntries(names.map((name) => [name, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object).sort()).toEqual(Object.keys(value).sort());
    expect(canonicalJson(value)).toBe('{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\ud83d\ude00":0,"\ufb33":0}');
  });

  it('means the same value, and does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        const reversed = Object.fromEntries(Object.entries(plain).reverse());
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
        expect(canonicalJson(reversed)).toBe(canonicalJson(plain));
      }),
    );
  });
});

describe('The digest of a definition', () => {
  const tool = { name: 'a', description: 'b', inputSchema: { type: 'object' } };

  it('does not change with icons and foreign metadata', () => {
    expect(hex({ ...tool, icons: [{ src: 'x' }], _meta: { 'com.example/rank': 1 } })).toBe(hex(tool));
  });

  it.each([
    ['the description', { ...tool, description: 'c' }],
    ['the schema', { ...tool, inputSchema: { type: 'object', properties: {} } }],
    ['hints', { ...tool, annotations: { readOnlyHint: true } }],
    ['what a person sees', { ...tool, _meta: { ui: { resourceUri: 'ui://a' } } }],
    ['the title', { ...tool, title: 'B' }],
  ])('changes with %s', (_, changed) => {
    expect(hex(changed)).not.toBe(hex(tool));
  });
});
