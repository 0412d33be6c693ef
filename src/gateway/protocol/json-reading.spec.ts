import fc from 'fast-check';
import { JsonBytes, plain, TooManyValuesError } from './json-bytes';
import { objectReading, readJson, readLongJson } from './json-reading';
import { jsonBuffer, jsonParts, jsonText, onOneLine } from './json-writing';

const MESSAGE = objectReading({
  id: 'value',
  result: objectReading({ isError: 'value', list: 'items', _meta: objectReading({ known: 'value' }) }),
});

function read(text: string, reading = MESSAGE): unknown {
  const found = readJson(Buffer.from(text), reading);
  if (!('value' in found)) throw new Error(found.fault);
  return found.value;
}

/** With everything parsed that came as bytes. */
function whole(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('readJson', () => {
  it('reads what JSON.parse reads, whatever stays as it came, and writes it as JSON.stringify does', () => {
    const named = fc.constantFrom('id', 'result', 'isError', 'list', '_meta', 'known', '__proto__', 'other');
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(named, tie('value'), { noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const found = read(text);
        expect(JSON.stringify(whole(found))).toBe(JSON.stringify(value));
        expect(JSON.parse(jsonText(found))).toEqual(JSON.parse(text));
        expect(jsonBuffer(found).toString()).toBe(jsonText(found));
        expect(jsonText(value)).toBe(JSON.stringify(value));
        const line = jsonParts(found).map(onOneLine).map(String).join('');
        expect(JSON.parse(line)).toEqual(JSON.parse(text));
        expect(line).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('keeps numbers, words and white space of what it does not parse', () => {
    const text =
      '{"id":1.0, "result": {"isError" :false,"n":725653563933458432,"_meta":{"known":1.0,"x":{"f": 1.0,"\\u00e9":1E5}},"list":[1.50, "\\/"]}}';
    expect(jsonText(read(text))).toBe(
      '{"id":1,"result":{"isError":false,"n":725653563933458432,"_meta":{"known":1,"x":{"f": 1.0,"\\u00e9":1E5}},"list":[1.50,"\\/"]}}',
    );
  });

  it('parses what is no object where one was expected', () => {
    expect(read('{"result":[1],"id":{"a":1}}')).toEqual({ result: [1], id: { a: 1 } });
    expect(read('"text"')).toBe('text');
  });

  it('refuses to build more than 100,000 values, and passes as many as there are', () => {
    const many = `[${'{},'.repeat(100_000)}{}]`;
    const passing = read(`{"other":${many}}`) as { other: JsonBytes };
    expect([passing.other.values, passing.other.kind]).toEqual([100_002, 'list']);
    expect(() => plain(passing.other)).toThrow(TooManyValuesError);
    for (const text of [`{"id":${many}}`, `{"result":{"_meta":{"known":${many}}}}`, `{"result":${many}}`])
      expect(readJson(Buffer.from(text), MESSAGE)).toEqual({ fault: 'too_many_values' });
  });

  it('reads long texts in turns', async () => {
    const text = Buffer.from(`{"id":2,"result":{"content":[${'{},'.repeat(100_000)}{}]}}`);
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const found = await readLongJson(text, MESSAGE);
    clearInterval(counting);
    expect(found).toMatchObject({ value: { id: 2, result: { content: { values: 100_002 } } } });
    expect(await readLongJson(text.subarray(0, -1), MESSAGE)).toEqual({ fault: 'invalid' });
    expect(turns).toBeGreaterThan(0);
  });

  it.each(['{', '{"id":1}x', '', '{"result":{"a":01}}'])('refuses %j', (text) => {
    expect(readJson(Buffer.from(text), MESSAGE)).toEqual({ fault: 'invalid' });
  });
});

describe('jsonParts', () => {
  it('does not copy what is long', () => {
    const long = Buffer.from(JSON.stringify('x'.repeat(100_000)));
    const parts = jsonParts({ a: 1, b: [new JsonBytes(long, 1), undefined], c: undefined, d: 'é' });
    expect(parts).toEqual(['{"a":1,"b":[', long, ',null],"d":"é"}']);
    expect(parts[1]).toBe(long);
  });
});
