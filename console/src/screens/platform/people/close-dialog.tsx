import { useState } from 'react';
import { useChange, useRead } from '../../../api/queries';
import type { AccountDeparturePreview } from '../../../api/schema';
import { listOf, t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Checks } from '../../../ui/checks';
import { Dialog } from '../../../ui/dialog';
import { Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Loaded, Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { Consequences } from '../consequences';
import { ACCOUNT_CHANGES } from './account-changes';
import type { AccountDialogProps } from './account-dialog';
import { nameOf } from './account-row';
import { words } from './words';

const text = words.close;

/** Closes an account, after saying what ends with it. */
export function CloseDialog({ user, onClose }: AccountDialogProps) {
  const read = useRead('GET /v1/users/{user_id}/departure-preview', { path: { user_id: user.id } });
  const close = useChange('POST /v1/users/{user_id}/close', ACCOUNT_CHANGES);
  const [allowed, setAllowed] = useState<'allow'[]>([]);
  const confirm = () =>
    close.mutate(
      { path: { user_id: user.id }, body: { allow_last_owner: allowed.length > 0 } },
      {
        onSuccess: () => {
          notify(text.done(nameOf(user)));
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={text.title(nameOf(user))}>
      <Loaded read={read} lines={4}>
        {(preview) => {
          const owned = preview.last_owner_of.map(({ name }) => shown(name));
          const isHeld = owned.length > 0 && allowed.length === 0;
          return (
            <Stack>
              <Consequences label={text.follows} items={consequencesOf(preview)} />
              {owned.length > 0 && (
                <Checks
                  legend={text.lastOwner(listOf(owned))}
                  values={allowed}
                  onChange={setAllowed}
                  options={[['allow', text.allow]]}
                />
              )}
              {close.error && <Problem error={close.error} />}
              {isHeld && <p>{text.needsAllow}</p>}
              <Row>
                <Button look="danger" busy={close.isPending} disabled={isHeld} onClick={confirm}>
                  {text.action}
                </Button>
                <Button onClick={onClose}>{t.ui.cancel}</Button>
              </Row>
            </Stack>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function consequencesOf(preview: AccountDeparturePreview): string[] {
  const { session_count: sessions, application_count: applications, access_token_count: tokens } = preview;
  return [
    ...text.always,
    ...(sessions > 0 ? [text.sessions(sessions)] : []),
    ...(applications > 0 ? [text.applications(applications)] : []),
    ...(tokens > 0 ? [text.tokens(tokens)] : []),
  ];
}
