import { useChange } from '../../../api/queries';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { Problem, Skeleton } from '../../../ui/problem';
import { When } from '../../../ui/when';
import { SensitiveProblem } from '../../account/sensitive-problem';
import { SignInAgain } from '../../account/sign-in-again';
import { useRecentSignIn } from '../../account/recent-sign-in';
import { Consequences } from '../consequences';
import type { AccountDialogProps } from './account-dialog';
import { nameOf } from './account-row';
import { words } from './words';

const text = words.link;

/** Creates a link by which a person sets a new password, and shows it once. It takes a recent sign-in. */
export function LinkDialog({ user, onClose }: AccountDialogProps) {
  const { read, isRecent } = useRecentSignIn();
  const create = useChange('POST /v1/users/{user_id}/password-reset-link', []);
  if (create.data) {
    const { link, mailed, expires_at: expires } = create.data;
    return (
      <Dialog open onClose={onClose} title={text.made}>
        <Stack>
          <p>
            {text.once} {mailed ? text.mailed : text.notMailed}
          </p>
          <CopyBlock text={link} what={text.what} />
          <Quiet>
            {text.expires} <When at={expires} />
          </Quiet>
          <Row>
            <Button onClick={onClose}>{text.done}</Button>
          </Row>
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={text.title(nameOf(user))}>
      <Stack>
        <Consequences label={words.close.follows} items={text.follows} />
        {read.isPending && <Skeleton lines={2} />}
        {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
        {read.data && !isRecent && <SignInAgain />}
        {isRecent && (
          <>
            <SensitiveProblem error={create.error} />
            <Row>
              <Button
                look="primary"
                busy={create.isPending}
                onClick={() => create.mutate({ path: { user_id: user.id } })}
              >
                {text.confirm}
              </Button>
              <Button onClick={onClose}>{t.ui.cancel}</Button>
            </Row>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
