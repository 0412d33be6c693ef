import { number } from '../../../messages/text';
import { classes } from '../../../ui/layout';
import { type Counts, KINDS } from './counts';
import styles from './roles.module.css';
import { rolesWords } from './words';

const TONES: Partial<Record<keyof Counts, string | undefined>> = {
  removed: styles.lost,
  demoted: styles.lost,
  promoted: styles.won,
};

/** How many people get which change. */
export const ChangeCounts = ({ counts }: { counts: Counts }) => (
  <dl className={styles.counts}>
    {[...KINDS, 'unchanged' as const].map((kind) => (
      <div key={kind} className={classes(styles.count, counts[kind] > 0 && TONES[kind])}>
        <dt>{rolesWords.counts[kind]}</dt>
        <dd>{number(counts[kind])}</dd>
      </div>
    ))}
  </dl>
);
