import { useChange } from '../../../api/queries';
import type { Invitation } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { ConfirmDialog, Dialog } from '../../../ui/dialog';
import { Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { INVITATION_READS } from './member-reads';
import { membersWords } from './words';

const words = membersWords.invitations;

interface Props {
  orgId: string;
  invitation: Invitation;
  /** What is shown for the person. */
  address: string;
  onClose: () => void;
}

export function RevokeDialog({ orgId, invitation, address, onClose }: Props) {
  const revoke = useChange('DELETE /v1/organisations/{org_id}/invitations/{invitation_id}', INVITATION_READS);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.revokeTitle(address)}
      action={words.revokeAction}
      busy={revoke.isPending}
      onConfirm={() =>
        revoke.mutate(
          { path: { org_id: orgId, invitation_id: invitation.id } },
          {
            onSuccess: () => {
              notify(words.revoked);
              onClose();
            },
          },
        )
      }
    >
      <p>{words.revokeHelp}</p>
      {revoke.error && <Problem error={revoke.error} />}
    </ConfirmDialog>
  );
}

/** A person has one invitation at a time, so the former one ends first. */
export function ResendDialog({ orgId, invitation, address, onClose }: Props) {
  const revoke = useChange('DELETE /v1/organisations/{org_id}/invitations/{invitation_id}', []);
  const invite = useChange('POST /v1/organisations/{org_id}/members', INVITATION_READS);
  const { email, user_id, role } = invitation;
  const send = () =>
    invite.mutate(
      { path: { org_id: orgId }, body: { ...(email === null ? { user_id } : { email }), role } },
      {
        onSuccess: () => {
          notify(membersWords.inviting.sent(address));
          onClose();
        },
      },
    );
  const begin = () =>
    revoke.isSuccess
      ? send()
      : revoke.mutate({ path: { org_id: orgId, invitation_id: invitation.id } }, { onSuccess: send });
  const error = revoke.error ?? invite.error;
  return (
    <Dialog open onClose={onClose} title={words.resendTitle(address)}>
      <p>{words.resendHelp}</p>
      {revoke.isSuccess && invite.error && <p>{words.resendFailed}</p>}
      {error && <Problem error={error} />}
      <Row>
        <Button look="primary" busy={revoke.isPending || invite.isPending} onClick={begin}>
          {words.resend}
        </Button>
        <Button onClick={onClose}>{t.ui.cancel}</Button>
      </Row>
    </Dialog>
  );
}
