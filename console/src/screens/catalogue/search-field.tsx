import { t } from '../../messages/text';
import { useTyped } from '../../ui/use-typed';
import styles from './catalogue.module.css';

interface Props {
  /** What the address says. */
  value: string;
  onChange: (value: string) => void;
}

/** The words of a search, as they are typed. */
export function SearchField({ value, onChange }: Props) {
  const [typed, setTyped] = useTyped(value, onChange);
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
