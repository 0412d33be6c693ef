import type { ReactNode } from 'react';
import { Row } from '../../ui/layout';
import styles from './account.module.css';

interface LineProps {
  title: ReactNode;
  /** What is known about it. */
  facts: readonly ReactNode[];
  /** What can be done with it. */
  children?: ReactNode;
}

/** One thing of the account in a list. */
export const Line = ({ title, facts, children }: LineProps) => (
  <div className={styles.line}>
    <div className={styles.grow}>
      <div className={styles.title}>{title}</div>
      <ul className={styles.facts}>
        {facts.map((fact, index) => (
          <li key={index}>{fact}</li>
        ))}
      </ul>
    </div>
    {children !== undefined && <Row>{children}</Row>}
  </div>
);
