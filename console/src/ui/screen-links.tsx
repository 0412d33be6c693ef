import type { ReactNode } from 'react';
import styles from './screen-links.module.css';

interface Props {
  label: string;
  /** Links, of which the current one is marked by the router. */
  children: ReactNode;
}

/** Links between screens that belong together. */
export const ScreenLinks = ({ label, children }: Props) => (
  <nav className={styles.links} aria-label={label}>
    {children}
  </nav>
);
