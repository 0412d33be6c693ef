const CLAUSE =
  /^(?:WITH|SELECT|FROM|LEFT JOIN|CROSS JOIN|JOIN|WHERE|GROUP BY|WINDOW|ORDER BY|LIMIT|UNION ALL|UNION|FOR UPDATE)(?!\w)/;
const TOKEN = new RegExp(`'(?:[^']|'')*'|[()]|${CLAUSE.source.slice(1)}|[^\\s'()]+|\\s`, 'g');
const INDENT = '  ';

/** Lays a statement out for a reader: each clause on a line, and what is in a subquery one step further in. */
export function laidOut(sql: string): string {
  const text = sql.trim().replace(/\s+/g, ' ');
  /** Of each bracket that is open, whether it holds a subquery. */
  const brackets: boolean[] = [];
  let lines = '';
  const breakLine = () => {
    lines = `${lines.trimEnd()}\n${INDENT.repeat(brackets.filter(Boolean).length)}`;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '(') brackets.push(/^\(+ ?(?:SELECT|WITH)\b/.test(text.slice(index)));
    else if (token === ')' ? brackets.pop() : CLAUSE.test(token) && index > 0 && brackets.at(-1) !== false) breakLine();
    lines += token;
  }
  return lines;
}
