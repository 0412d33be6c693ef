import { Link } from '@tanstack/react-router';
import type { Bundle, BundleTool } from '../../../api/schema';
import { buttonClass } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { FIRST } from './first-held';
import styles from './tools.module.css';
import { toolsWords as words } from './words';

interface HeldLineProps {
  bundle: Bundle;
  count: number;
  /** Those of them that are known. */
  held: readonly BundleTool[];
}

/** Says how many definitions wait for an approval, and begins to review them. */
export function HeldLine({ bundle, count, held }: HeldLineProps) {
  if (count === 0) return null;
  const first = held.find(({ state }) => state === 'CHANGED') ?? held[0];
  return (
    <div className={styles.held} role="status">
      <Icon name="alert" />
      <span className={styles.grow}>
        <strong>{words.held.count(count)}</strong> {words.held.help}
      </span>
      <Link
        to="/bundles/$bundleId"
        params={{ bundleId: bundle.id }}
        search={{ tab: 'tools', review: first?.id ?? FIRST }}
        className={buttonClass('primary')}
      >
        {words.held.review}
      </Link>
    </div>
  );
}
