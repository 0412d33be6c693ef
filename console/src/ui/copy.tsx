import { useEffect, useState } from 'react';
import { t } from '../messages/text';
import { Button } from './button';
import styles from './copy.module.css';

const CONFIRMED_MS = 2_000;

interface CopyProps {
  text: string;
  /** What is copied, for those who hear the page: "the command". */
  what: string;
}

export function CopyButton({ text, what }: CopyProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await writeText(text);
    setCopied(true);
  };
  return (
    <Button
      icon={copied ? 'check' : 'copy'}
      aria-label={copied ? t.ui.copied : t.ui.copyOf(what)}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? t.ui.copied : t.ui.copy}</span>
    </Button>
  );
}

interface CopyBlockProps extends CopyProps {
  /** What is shown instead, where the text has secrets. */
  display?: string;
  /** To be read only: another text is the one to copy. */
  isReadOnly?: boolean;
}

/** Text to be copied as it is: a command, a file, a token. */
export const CopyBlock = ({ text, what, display = text, isReadOnly = false }: CopyBlockProps) => (
  <div className={styles.block}>
    {/* It scrolls, so the keyboard must reach it. */}
    <pre tabIndex={0} aria-label={what}>
      <code>{display}</code>
    </pre>
    {!isReadOnly && <CopyButton text={text} what={what} />}
  </div>
);

/** Over plain http browsers have no clipboard for scripts; a selection can be copied there, too. */
async function writeText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
