import { type ReactNode, useEffect } from 'react';
import { t } from '../messages/text';
import styles from './screen.module.css';

interface ScreenProps {
  title: string;
  /** What is shown as the heading; by default the title. */
  heading?: ReactNode;
  /** Beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with its heading, which is also the title of the window. */
export function Screen({ title, heading, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = t.shell.titleOf(title);
  }, [title]);
  return (
    <main id="content" className={styles.screen} tabIndex={-1}>
      <div className={styles.head}>
        <h1>{heading ?? title}</h1>
        {actions}
      </div>
      {children}
    </main>
  );
}
