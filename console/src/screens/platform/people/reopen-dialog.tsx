import { useChange } from '../../../api/queries';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Row, Stack } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { Consequences } from '../consequences';
import { ACCOUNT_CHANGES } from './account-changes';
import type { AccountDialogProps } from './account-dialog';
import { nameOf } from './account-row';
import { words } from './words';

const text = words.reopen;

/** Opens a closed account again, after saying what comes back and what does not. */
export function ReopenDialog({ user, onClose }: AccountDialogProps) {
  const reopen = useChange('POST /v1/users/{user_id}/reopen', ACCOUNT_CHANGES);
  const confirm = () =>
    reopen.mutate(
      { path: { user_id: user.id } },
      {
        onSuccess: () => {
          notify(text.done(nameOf(user)));
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={text.title(nameOf(user))}>
      <Stack>
        <Consequences label={words.close.follows} items={text.follows} />
        {reopen.error && <Problem error={reopen.error} />}
        <Row>
          <Button look="primary" busy={reopen.isPending} onClick={confirm}>
            {text.action}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
