import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { centre } from './centred';
import styles from './screen-links.module.css';

interface Props {
  label: string;
  /** Links, of which the current one is marked by the router. */
  children: ReactNode;
}

/** Links between screens that belong together. */
export function ScreenLinks({ label, children }: Props) {
  const list = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => centre(list.current, '[aria-current="page"]'), [pathname]);
  return (
    <nav ref={list} className={styles.links} aria-label={label}>
      {children}
    </nav>
  );
}
