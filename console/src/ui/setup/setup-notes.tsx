import { Stack } from '../layout';
import styles from './setup.module.css';
import { words } from './words';

/** What the API says besides. */
export function SetupNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Stack gap="tight">
      <h3>{words.notes}</h3>
      <ul className={styles.notes}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Stack>
  );
}
