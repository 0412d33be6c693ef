import { useState } from 'react';
import { useSignedIn } from '../../../api/me';
import { useList } from '../../../api/queries';
import type { Invitation } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Lines, Quiet, Row, Section } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { More } from '../../../ui/rows';
import { When } from '../../../ui/when';
import { ResendDialog, RevokeDialog } from './invitation-dialogs';
import styles from './members.module.css';
import { membersWords } from './words';

const words = membersWords.invitations;

/** The invitations that nobody has answered; nothing if there are none. */
export function PendingInvitations({ orgId }: { orgId: string }) {
  const list = useList('GET /v1/organisations/{org_id}/invitations', {
    path: { org_id: orgId },
    query: { status: 'PENDING' },
  });
  // The list of members is the content of the screen: it does not jump for a part that is mostly empty.
  if (list.items.length === 0)
    return list.error ? <Problem error={list.error} onRetry={() => void list.refetch()} /> : null;
  return (
    <Section title={words.title}>
      <Quiet>{words.help}</Quiet>
      <Lines label={words.title}>
        {list.items.map((invitation) => (
          <li key={invitation.id}>
            <InvitationLine orgId={orgId} invitation={invitation} />
          </li>
        ))}
      </Lines>
      <More list={list} />
    </Section>
  );
}

function InvitationLine({ orgId, invitation }: { orgId: string; invitation: Invitation }) {
  const me = useSignedIn();
  const [open, setOpen] = useState<'resend' | 'revoke'>();
  const close = () => setOpen(undefined);
  const isOwner = me.organisations.find(({ org_id }) => org_id === orgId)?.role === 'OWNER';
  const address = invitation.email === null ? words.user : shown(invitation.email);
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        <Row>
          <strong>
            <bdi>{address}</bdi>
          </strong>
          <Badge>{membersWords.roles[invitation.role]}</Badge>
        </Row>
        <Quiet>
          {words.expires} <When at={invitation.expires_at} />
        </Quiet>
      </div>
      {isOwner || invitation.role !== 'OWNER' ? (
        <Row>
          <Button aria-label={words.resendLabel(address)} onClick={() => setOpen('resend')}>
            {words.resend}
          </Button>
          <Button aria-label={words.revokeLabel(address)} onClick={() => setOpen('revoke')}>
            {words.revoke}
          </Button>
        </Row>
      ) : (
        <Quiet>{membersWords.onlyOwners}</Quiet>
      )}
      {open === 'resend' && <ResendDialog orgId={orgId} invitation={invitation} address={address} onClose={close} />}
      {open === 'revoke' && <RevokeDialog orgId={orgId} invitation={invitation} address={address} onClose={close} />}
    </div>
  );
}
