import { Link } from '@tanstack/react-router';
import type { Bundle } from '../../../api/schema';
import { buttonClass } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { bundleWords } from '../words';
import type { Detail } from './rule-tools';
import { isHeld } from './tool-filters';
import styles from './tools.module.css';
import { toolsWords as words } from './words';

/** Why clients do not get a tool as its server offers it, and who can change that. */
export function HeldNote({ bundle, tool }: { bundle: Bundle; tool: Detail }) {
  if (tool.state === 'LISTED') return null;
  return (
    <div className={styles.held}>
      <Icon name="info" />
      <span className={styles.grow}>
        {bundleWords.tool.stateHelp[tool.state]}
        {isHeld(tool) && !bundle.may_modify && ` ${words.held.others}`}
      </span>
      {isHeld(tool) && bundle.may_modify && (
        <Link
          to="/bundles/$bundleId"
          params={{ bundleId: bundle.id }}
          search={{ tab: 'tools', review: tool.id }}
          className={buttonClass('primary')}
        >
          {words.held.reviewThis}
        </Link>
      )}
    </div>
  );
}
