import styles from './provisioning.module.css';
import { words } from './words';

/** What a person does elsewhere, in its order. */
export const Todo = ({ todo }: { todo: readonly string[] }) => (
  <ol className={styles.todo} aria-label={words.guide.todo}>
    {todo.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ol>
);
