import type { WebhookLatencyBar } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Quiet, Stack } from '../../../ui/layout';
import { duration, endpointWords, share } from './words';
import styles from './webhooks.module.css';

const words = endpointWords.overview;

/** How many attempts took how long: a table whose rows have bars, so that it is read and seen alike. */
export function Histogram({ bars }: { bars: readonly WebhookLatencyBar[] }) {
  const counts = bars.map(({ count }) => count);
  const [most, all] = [Math.max(1, ...counts), counts.reduce((sum, count) => sum + count, 0)];
  const last = bars.findLast(({ up_to_ms: bound }) => bound !== null)?.up_to_ms ?? 0;
  return (
    <section aria-label={words.histogram}>
      <Stack gap="tight">
        <h3>{words.histogram}</h3>
        <div className={styles.scrolls} tabIndex={0} role="group" aria-label={words.histogram}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{words.duration}</th>
                <td aria-hidden="true" className={styles.bar} />
                <th scope="col" className={styles.number}>
                  {words.count}
                </th>
                <th scope="col" className={styles.number}>
                  {words.share}
                </th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ up_to_ms: bound, count }) => (
                <tr key={bound ?? 'longer'}>
                  <th scope="row">{bound === null ? words.longer(duration(last)) : words.upTo(duration(bound))}</th>
                  <td aria-hidden="true" className={styles.bar}>
                    {count > 0 && <span style={{ width: `${(count / most) * 100}%` }} />}
                  </td>
                  <td className={styles.number}>{number(count)}</td>
                  <td className={styles.number}>{share(count, all)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Quiet>{words.histogramHelp}</Quiet>
      </Stack>
    </section>
  );
}
