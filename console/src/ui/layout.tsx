import type { ReactNode } from 'react';
import styles from './layout.module.css';

/** Class names that are not false. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');

interface StackProps {
  children: ReactNode;
  gap?: 'tight' | 'wide';
}

/** Parts below each other. */
export const Stack = ({ children, gap }: StackProps) => (
  <div className={classes(styles.stack, gap && styles[gap])}>{children}</div>
);

interface RowProps {
  children: ReactNode;
  /** The first at one end, the last at the other. */
  between?: boolean;
}

/** Parts beside each other, as far as there is room. */
export const Row = ({ children, between }: RowProps) => (
  <div className={classes(styles.row, between && styles.between)}>{children}</div>
);

export const Card = ({ children }: { children: ReactNode }) => <div className={styles.card}>{children}</div>;

/** Cards of the same width, as many beside each other as fit. */
export const Grid = ({ children }: { children: ReactNode }) => <div className={styles.grid}>{children}</div>;

/** Text that matters less. */
export const Quiet = ({ children }: { children: ReactNode }) => (
  <span className={classes(styles.quiet, styles.small)}>{children}</span>
);

/** Text for those who hear the page. */
export const Unseen = ({ children }: { children: ReactNode }) => <span className={styles.unseen}>{children}</span>;

interface SectionProps {
  title: string;
  /** What stands beside the title, such as a link to more. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a screen with a title. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className={classes(styles.stack, styles.tight)} aria-label={title}>
      <div className={classes(styles.row, styles.between)}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Rows with a line between them. */
export const Lines = ({ children, label }: { children: ReactNode; label?: string }) => (
  <ul className={styles.list} aria-label={label}>
    {children}
  </ul>
);

interface FactsProps {
  /** Term and description; undefined ones are left out. */
  facts: readonly (readonly [string, ReactNode])[];
}

/** Terms with their descriptions. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, description]) => description !== undefined && description !== null)
        .map(([term, description]) => (
          <div key={term} style={{ display: 'contents' }}>
            <dt>{term}</dt>
            <dd>{description}</dd>
          </div>
        ))}
    </dl>
  );
}
