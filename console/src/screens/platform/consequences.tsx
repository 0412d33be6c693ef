import { Stack } from '../../ui/layout';
import styles from './platform.module.css';

interface Props {
  /** What it is a list of. */
  label: string;
  items: readonly string[];
}

/** What follows from something, said before it is done. */
export const Consequences = ({ label, items }: Props) => (
  <Stack gap="tight">
    <strong>{label}</strong>
    <ul aria-label={label} className={styles.consequences}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </Stack>
);
