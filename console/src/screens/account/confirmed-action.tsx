import type { ReactNode } from 'react';
import type { UseMutationResult } from '@tanstack/react-query';
import { ConfirmDialog } from '../../ui/dialog';
import { notify } from '../../ui/toasts';
import { SensitiveProblem } from './sensitive-problem';

interface ConfirmedActionProps<Parts, Answer> {
  title: string;
  /** What the button does. */
  action: string;
  change: Pick<UseMutationResult<Answer, Error, Parts>, 'mutate' | 'isPending' | 'error'>;
  parts: Parts;
  /** What is said when it is done; without it, `onDone` says it. */
  done?: string;
  onDone?: (answer: Answer) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks, changes something of the account, and says that it was done. */
export function ConfirmedAction<Parts, Answer>(props: ConfirmedActionProps<Parts, Answer>) {
  const { title, action, change, parts, done, onDone, onClose, children } = props;
  const confirm = () =>
    change.mutate(parts, {
      onSuccess: (answer) => {
        if (done !== undefined) notify(done);
        onDone?.(answer);
        onClose();
      },
    });
  return (
    <ConfirmDialog open onClose={onClose} title={title} action={action} onConfirm={confirm} busy={change.isPending}>
      {children}
      <SensitiveProblem error={change.error} />
    </ConfirmDialog>
  );
}
