import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useList } from '../../../api/queries';
import type { AccountInvitation } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/dialog';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty, Problem } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { notify } from '../../../ui/toasts';
import { When } from '../../../ui/when';
import styles from '../platform.module.css';
import { InviteDialog } from './invite-dialog';
import { words } from './words';

const text = words.invitations;

/** Invitations to have an account that nobody has accepted, and new ones. */
export function InvitationsTab() {
  const search = useSearch({ from: '/platform/people' });
  const navigate = useNavigate({ from: '/platform/people' });
  const [revoked, setRevoked] = useState<AccountInvitation>();
  const list = useList('GET /v1/users/invitations', {});
  const open = (invite: string | undefined) =>
    void navigate({ search: { ...search, invite }, replace: true, resetScroll: false });
  return (
    <Stack>
      <Row>
        <Button look="primary" icon="plus" onClick={() => open('1')}>
          {text.invite}
        </Button>
      </Row>
      <Rows
        list={list}
        label={text.label}
        keyOf={({ id }) => id}
        row={(invitation) => <Invitation invitation={invitation} onRevoke={() => setRevoked(invitation)} />}
        height={72}
        empty={
          <Empty>
            <p>{text.none}</p>
            <p>{text.noneHelp}</p>
          </Empty>
        }
      />
      {search.invite !== undefined && <InviteDialog onClose={() => open(undefined)} />}
      {revoked && <RevokeDialog invitation={revoked} onClose={() => setRevoked(undefined)} />}
    </Stack>
  );
}

interface InvitationProps {
  invitation: AccountInvitation;
  onRevoke: () => void;
}

const isPast = (instant: string): boolean => Date.parse(instant) < Date.now();

function Invitation({ invitation, onRevoke }: InvitationProps) {
  const { email, name, created_at: created, expires_at: expires } = invitation;
  const isExpired = isPast(expires);
  return (
    <div className={styles.row}>
      <Stack gap="tight">
        <Row>
          <strong>
            <OtherText>{email}</OtherText>
          </strong>
          {name !== null && <OtherText>{name}</OtherText>}
        </Row>
        <Quiet>
          {text.created} <When at={created} />, {isExpired ? text.expired : text.expires} <When at={expires} />
        </Quiet>
      </Stack>
      <Button aria-label={text.revokeOf(shown(email))} onClick={onRevoke}>
        {text.revoke}
      </Button>
    </div>
  );
}

function RevokeDialog({ invitation, onClose }: { invitation: AccountInvitation; onClose: () => void }) {
  const revoke = useChange('DELETE /v1/users/invitations/{invitation_id}', ['GET /v1/users/invitations']);
  const confirm = () =>
    revoke.mutate(
      { path: { invitation_id: invitation.id } },
      {
        onSuccess: () => {
          notify(text.revoked);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.revokeTitle(shown(invitation.email))}
      action={text.revoke}
      busy={revoke.isPending}
      onConfirm={confirm}
    >
      <p>{text.revokeFollows}</p>
      {revoke.error && <Problem error={revoke.error} />}
    </ConfirmDialog>
  );
}
