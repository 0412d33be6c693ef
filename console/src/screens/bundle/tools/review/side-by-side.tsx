import { Unseen } from '../../../../ui/layout';
import { visibleJson } from '../../../../ui/visible-json';
import { type LinePair, pairLines } from '../sequence-comparison';
import styles from '../tools.module.css';
import { toolsWords } from '../words';

const words = toolsWords.difference;

/** Longer documents are cut: what has changed is listed above. */
const MAX_LINES = 2_000;

interface SideBySideProps {
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown>;
}

/** Two documents beside each other, line by line; on narrow screens one below the other, line for line. */
export function SideBySide({ before, after }: SideBySideProps) {
  const former = before && visibleJson(sorted(before));
  const latter = visibleJson(sorted(after)) ?? '';
  if (former === undefined)
    return (
      <pre className={styles.text} tabIndex={0} aria-label={words.now}>
        {latter}
      </pre>
    );
  const pairs = pairLines(former, latter);
  return (
    <>
      <div className={styles.whole} tabIndex={0} role="region" aria-label={words.whole}>
        <table className={styles.lines}>
          <thead>
            <tr>
              <th scope="col">{words.before}</th>
              <th scope="col">{words.now}</th>
            </tr>
          </thead>
          <tbody>
            {pairs.slice(0, MAX_LINES).map((pair, index) => (
              <tr key={index} data-kind={pair.kind}>
                <Cell pair={pair} side="before" />
                <Cell pair={pair} side="after" />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pairs.length > MAX_LINES && <p>{words.cut}</p>}
    </>
  );
}

function Cell({ pair, side }: { pair: LinePair; side: 'before' | 'after' }) {
  const line = pair[side];
  if (line === undefined) return <td />;
  if (pair.kind === 'same')
    return (
      <td>
        <span className={styles.sign} aria-hidden="true">
          {' '}
        </span>
        {line}
      </td>
    );
  const isBefore = side === 'before';
  return (
    <td className={isBefore ? styles.removed : styles.added}>
      <span className={styles.sign} aria-hidden="true">
        {isBefore ? '−' : '+'}
      </span>
      <Unseen>{isBefore ? words.removedText : words.addedText} </Unseen>
      {line}
    </td>
  );
}

/** The order of names says nothing: it is made the same. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
