import { useId } from 'react';
import { number } from '../../../messages/text';
import { sum } from './endpoint-state';
import { type StripHour } from './strip-bars';
import { listWords } from './words';
import styles from './webhooks.module.css';

const words = listWords.strip;
const [BAR, GAP, HALF] = [7, 2, 20];

/** A day of an endpoint: delivered attempts above the line, failed ones below it, so that no colour is needed. */
export function Strip({ hours }: { hours: readonly StripHour[] }) {
  const id = useId();
  const width = hours.length * (BAR + GAP) - GAP;
  const [delivered, failed] = [sum(hours.map((hour) => hour.succeeded)), sum(hours.map((hour) => hour.failed))];
  const summary = delivered + failed === 0 ? words.nothing : words.summary(number(delivered), number(failed));
  return (
    <svg className={styles.strip} viewBox={`0 0 ${width} ${HALF * 2 + 1}`} role="img" aria-labelledby={id}>
      <title id={id}>{summary}</title>
      <rect className={styles.base} x={0} y={HALF} width={width} height={1} />
      {hours.map(({ at, up, down }, place) => (
        <g key={at}>
          {up > 0 && (
            <rect
              className={styles.up}
              x={place * (BAR + GAP)}
              y={HALF - up * HALF}
              width={BAR}
              height={up * HALF}
              rx={1}
            />
          )}
          {down > 0 && (
            <rect
              className={styles.down}
              x={place * (BAR + GAP)}
              y={HALF + 1}
              width={BAR}
              height={down * HALF}
              rx={1}
            />
          )}
        </g>
      ))}
    </svg>
  );
}
