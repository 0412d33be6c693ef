import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { t } from '../messages/text';
import { Button } from './button';
import { TextInput } from './field';
import { classes, Row } from './layout';
import styles from './popup.module.css';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  wide?: boolean;
  children: ReactNode;
}

/** What a person does first in a window is to type; otherwise the focus is on the button that closes it. */
const FIELDS = 'input, select, textarea';

/** A window over the page; Escape and the button close it. */
export function Dialog({ open, onClose, title, wide, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          className={classes(styles.dialog, wide && styles.wide)}
          initialFocus={() => popup.current?.querySelector<HTMLElement>(FIELDS) ?? true}
        >
          <div className={styles.head}>
            <Base.Title>{title}</Base.Title>
            <Base.Close render={<Button icon="close" look="plain" aria-label={t.ui.close} />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface ConfirmProps extends DialogProps {
  /** What the button does: "Delete the bundle". */
  action: string;
  onConfirm: () => void;
  busy?: boolean;
  /** A name to be typed first, where much goes with it. */
  typed?: string | undefined;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ action, onConfirm, busy, typed, children, ...dialog }: ConfirmProps) {
  const [text, setText] = useState('');
  const isTyped = typed === undefined || text.trim() === typed;
  return (
    <Dialog {...dialog}>
      {children}
      {typed !== undefined && (
        <TextInput
          label={t.ui.typeToConfirm(typed)}
          value={text}
          onChange={(event) => setText(event.target.value)}
          required
        />
      )}
      <Row>
        <Button look="danger" busy={busy} disabled={!isTyped} onClick={onConfirm}>
          {action}
        </Button>
        <Button onClick={dialog.onClose}>{t.ui.cancel}</Button>
      </Row>
    </Dialog>
  );
}
