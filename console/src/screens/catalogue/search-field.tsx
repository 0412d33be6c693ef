import { useEffect, useRef, useState } from 'react';
import { t } from '../../messages/text';
import styles from './catalogue.module.css';

/** How long after the last key the search begins. */
const PAUSE_MS = 150;

interface Props {
  /** What the address says. */
  value: string;
  onChange: (value: string) => void;
}

/** The words of a search, as they are typed. */
export function SearchField({ value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const [former, setFormer] = useState(value);
  // The address has changed in another way, such as by the button Back.
  if (value !== former) {
    setFormer(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => latest.current(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <search className={styles.search}>
      <input
        type="search"
        aria-label={t.catalogue.searchLabel}
        placeholder={t.catalogue.searchHint}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  );
}
