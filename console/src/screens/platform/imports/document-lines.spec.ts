import { documentRows } from './document-lines';

describe('The lines of a document', () => {
  it('have what is wrong with each below it', () => {
    const rows = documentRows('{\n  "a": 5\n}', [
      { line: 2, message: 'must be a text' },
      { line: null, message: 'nowhere' },
    ]);
    expect(rows).toEqual([
      { type: 'line', line: 1, text: '{', isFaulty: false },
      { type: 'line', line: 2, text: '  "a": 5', isFaulty: true },
      { type: 'fault', line: 2, text: 'must be a text' },
      { type: 'line', line: 3, text: '}', isFaulty: false },
    ]);
  });

  it('show what is unseen, keep their numbers, and end somewhere', () => {
    const text = JSON.stringify({ a: 'x\u202ey', b: 'z'.repeat(70_000), c: 1 }, null, 2);
    const rows = documentRows(text, [{ line: 4, message: 'is wrong' }]);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 4, 5]);
    expect(rows[1]?.text).toBe(String.raw`  "a": "x\u202ey",`);
    expect(rows[2]?.text).toHaveLength(2_001);
    expect(rows[4]).toMatchObject({ type: 'fault', text: 'is wrong' });
  });
});
