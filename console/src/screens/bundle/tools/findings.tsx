import type { BundleToolFinding } from '../../../api/schema';
import { Icon } from '../../../ui/icon';
import { OtherText } from '../../../ui/other-text';
import styles from './tools.module.css';
import { toolsWords as words } from './words';

/** What is odd in a definition, and why that matters. */
export function Findings({ findings }: { findings: readonly BundleToolFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.findings} aria-label={words.findingsLabel}>
      {findings.map(({ code, detail }) => (
        <li key={code} className={styles.held}>
          <Icon name="alert" />
          <span className={styles.grow}>
            <strong>{words.findings[code].title}.</strong> {words.findings[code].help} <OtherText>{detail}</OtherText>
          </span>
        </li>
      ))}
    </ul>
  );
}
