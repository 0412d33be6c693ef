import fc from 'fast-check';
import { csvCell, csvLine } from './csv';

/** @returns the cells of one line, as RFC 4180 reads them */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < line.length; at++) {
    let cell = '';
    for (at++; line[at] !== '"' || line[at + 1] === '"'; at++) {
      cell += line[at];
      if (line[at] === '"') at++;
    }
    cells.push(cell);
    at++;
    if (line[at] !== ',') break;
  }
  return cells;
}

describe('A line of a CSV file', () => {
  it('has every cell in quotation marks, those in it doubled', () => {
    expect(csvLine(['a', 'b "c"', 'd,e;f', 'g\nh', null, 7, true])).toBe(
      '"a","b ""c""","d,e;f","g\nh","","7","true"\r\n',
    );
  });

  it('has objects as JSON', () => {
    expect(csvCell({ role: 'OWNER' })).toBe('"{""role"":""OWNER""}"');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1'])(
    'has no formula: %j',
    (text) => {
      expect(csvCell(text)).toBe(`"'${text}"`);
    },
  );

  it('leaves other texts as they are', () => {
    expect(['a=1', ' =1', "'=1", 'ann@example.com'].map(csvCell)).toEqual(
      ['a=1', ' =1', "'=1", 'ann@example.com'].map((text) => `"${text}"`),
    );
  });

  it('gives each text back, and begins no cell with a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 6 }), (texts) => {
        const cells = cellsOf(csvLine(texts));
        expect(cells.map((cell, index) => (cell === texts[index] ? cell : cell.slice(1)))).toEqual(texts);
        for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });
});
