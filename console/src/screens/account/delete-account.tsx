import { useState } from 'react';
import type { Me } from '../../api/me';
import { useChange } from '../../api/queries';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { Row, Section } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Problem, Skeleton } from '../../ui/problem';
import { useRecentSignIn } from './recent-sign-in';
import { SensitiveProblem } from './sensitive-problem';
import { SignInAgain } from './sign-in-again';
import { accountWords } from './words';

const words = accountWords.delete;

/** The way out for good. */
export function DeleteAccount({ me }: { me: Me }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.section}>
      <p>{words.help}</p>
      <Row>
        <Button look="danger" icon="trash" onClick={() => setOpen(true)}>
          {words.action}
        </Button>
      </Row>
      {isOpen && <DeleteDialog me={me} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { read, isRecent } = useRecentSignIn();
  const remove = useChange('DELETE /v1/users/me', []);
  const consequences = (
    <ul>
      {words.consequences.map((consequence) => (
        <li key={consequence}>{consequence}</li>
      ))}
    </ul>
  );
  if (!isRecent) {
    return (
      <Dialog open onClose={onClose} title={words.title}>
        {consequences}
        {read.isPending && <Skeleton lines={2} />}
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {read.data && <SignInAgain />}
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title}
      action={words.confirm}
      typed={shown(me.email ?? me.name)}
      busy={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate({}, { onSuccess: () => window.location.assign('/') })}
    >
      {consequences}
      <SensitiveProblem error={remove.error} />
    </ConfirmDialog>
  );
}
