import { lexer, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { classes } from './layout';
import styles from './markdown.module.css';
import { OtherLink, OtherText } from './other-text';

/** What may be parsed: the size of a document of the API, and a depth that no document of a person has. */
const MAX_LENGTH = 65_536;
const MAX_DEPTH = 24;
/** A title of a document is below that of its tab. */
const TOP_LEVEL = 3;

/** A document in Markdown. HTML in it is shown as text, pictures as links, and links only go to the web. */
export function Markdown({ text }: { text: string }) {
  return <div className={styles.document}>{blocks(lexer(text.slice(0, MAX_LENGTH)), 0)}</div>;
}

function blocks(tokens: readonly Token[], depth: number): ReactNode {
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => raw).join('');
  return tokens.map((token, index) => <Fragment key={index}>{one(token as Tokens.Generic, depth + 1)}</Fragment>);
}

function one(token: Tokens.Generic, depth: number): ReactNode {
  const inner = (tokens: readonly Token[] | undefined): ReactNode => blocks(tokens ?? [], depth);
  const text = String(token['text'] ?? '');
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return createElement(`h${Math.min(Number(token['depth']) + TOP_LEVEL - 1, 6)}`, null, inner(token.tokens));
    case 'paragraph':
      return <p>{inner(token.tokens)}</p>;
    case 'text':
      return token.tokens ? inner(token.tokens) : unescaped(text);
    case 'strong':
      return <strong>{inner(token.tokens)}</strong>;
    case 'em':
      return <em>{inner(token.tokens)}</em>;
    case 'del':
      return <del>{inner(token.tokens)}</del>;
    case 'codespan':
      return <code>{unescaped(text)}</code>;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      );
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'blockquote':
      return <blockquote>{inner(token.tokens)}</blockquote>;
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table, depth);
    case 'link':
    case 'image':
      return <OtherLink address={token['href'] as unknown}>{unescaped(text)}</OtherLink>;
    case 'escape':
      return unescaped(text);
    default:
      // HTML, above all.
      return <OtherText>{token.raw}</OtherText>;
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const rows = items.map((item, index) => (
    <li key={index} className={classes(item.task && styles.task)}>
      {item.task && <input type="checkbox" disabled checked={item.checked ?? false} readOnly aria-hidden="true" />}
      {blocks(item.tokens, depth)}
    </li>
  ));
  return ordered ? <ol start={typeof start === 'number' ? start : 1}>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows }: Tokens.Table, depth: number): ReactNode {
  return (
    <table tabIndex={0}>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index} scope="col">
              {blocks(cell.tokens, depth)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{blocks(cell.tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The lexer escapes text for HTML, which React does, too. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
