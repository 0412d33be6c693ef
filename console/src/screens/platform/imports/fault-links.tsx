import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { OtherText, shown } from '../../../ui/other-text';
import styles from './imports.module.css';
import { importWords } from './words';

const words = importWords.document;

interface Props {
  faults: readonly { path: string; message: string; line: number | null }[];
  /** Shows a line; absent where no text is shown. */
  onGo?: (line: number) => void;
}

/** What is wrong with a document, with the way to each place. */
export function FaultLinks({ faults, onGo }: Props) {
  return (
    <ul className={styles.faults}>
      {faults
        .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
        .map(({ path, message, line }) => {
          const text = path === '' ? message : `${path}: ${message}`;
          return (
            <li key={text}>
              {line !== null && onGo && (
                <Button aria-label={words.goToLabel(number(line), shown(text))} onClick={() => onGo(line)}>
                  {words.goTo(number(line))}
                </Button>
              )}
              <OtherText>{text}</OtherText>
            </li>
          );
        })}
    </ul>
  );
}
