import { linesOf } from './lines-of';

describe('The lines of a text of others', () => {
  it('are those that can be seen', () => {
    expect(linesOf('Fast.\r\n\r\n  \u200b\nAnd\u202e right.\u2028Really.')).toEqual(['Fast.', 'And right.', 'Really.']);
    expect(linesOf('')).toEqual([]);
  });
});
