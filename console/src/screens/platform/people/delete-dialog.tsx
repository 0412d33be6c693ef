import type { ReactNode } from 'react';
import { useChange, useRead } from '../../../api/queries';
import type { AccountDeparturePreview } from '../../../api/schema';
import { listOf, number } from '../../../messages/text';
import { ConfirmDialog, Dialog } from '../../../ui/dialog';
import { Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Loaded, Problem, Skeleton } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { useRecentSignIn } from '../../account/recent-sign-in';
import { SensitiveProblem } from '../../account/sensitive-problem';
import { SignInAgain } from '../../account/sign-in-again';
import { Consequences } from '../consequences';
import { ACCOUNT_CHANGES } from './account-changes';
import type { AccountDialogProps } from './account-dialog';
import { nameOf } from './account-row';
import { countsOf, takesName } from './departure';
import { words } from './words';

const text = words.remove;

/** Deletes an account for good, after counting what goes with it. It takes a recent sign-in. */
export function DeleteDialog({ user, onClose }: AccountDialogProps) {
  const preview = useRead('GET /v1/users/{user_id}/departure-preview', { path: { user_id: user.id } });
  const { read, isRecent } = useRecentSignIn();
  const remove = useChange('DELETE /v1/users/{user_id}', ACCOUNT_CHANGES);
  const name = nameOf(user);
  const isPossible = preview.data?.last_owner_of.length === 0;
  const counted = (
    <Loaded read={preview} lines={4}>
      {(counts) => <Preview counts={counts} />}
    </Loaded>
  );
  if (!isPossible || !isRecent) {
    return (
      <Dialog open onClose={onClose} title={text.title(name)}>
        <Stack>
          {counted}
          {read.isPending && <Skeleton lines={2} />}
          {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
          {isPossible && read.data && <SignInAgain />}
        </Stack>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.title(name)}
      action={text.action}
      typed={preview.data && takesName(preview.data) ? shown(user.email ?? user.name) : undefined}
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { path: { user_id: user.id } },
          {
            onSuccess: () => {
              notify(text.done(name));
              onClose();
            },
          },
        )
      }
    >
      {counted}
      <SensitiveProblem error={remove.error} />
    </ConfirmDialog>
  );
}

function Preview({ counts }: { counts: AccountDeparturePreview }): ReactNode {
  const owned = counts.last_owner_of.map(({ name }) => shown(name));
  if (owned.length > 0) return <p role="alert">{text.lastOwner(listOf(owned))}</p>;
  const items = countsOf(counts).map(([what, count]) => `${number(count)} ${text[what]}`);
  return (
    <>
      <Consequences label={text.lead} items={[text.person, ...items]} />
      <p>{text.stays}</p>
    </>
  );
}
