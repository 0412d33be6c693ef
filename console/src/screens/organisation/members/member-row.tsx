import { memo, useState } from 'react';
import { useSignedIn } from '../../../api/me';
import type { ListedMember } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Quiet, Row } from '../../../ui/layout';
import { Menu, MenuItem } from '../../../ui/menu';
import { OtherText, shown } from '../../../ui/other-text';
import { ChangeRoleDialog } from './change-role-dialog';
import { LeaveDialog } from './leave-dialog';
import { mayChange } from './member-changes';
import styles from './members.module.css';
import { nameOf, reasonOf, roleName } from './reason-words';
import { RemoveDialog } from './remove-dialog';
import { membersWords as words } from './words';

interface Props {
  orgId: string;
  member: ListedMember;
  /** Opens the explanation; for administrators. */
  onExplain?: (userId: string) => void;
}

type Open = 'change' | 'remove' | 'leave';

/** A member with the role and its reason, and what the person who looks may do about it. */
export const MemberRow = memo(function MemberRow({ orgId, member, onExplain }: Props) {
  const me = useSignedIn();
  const [open, setOpen] = useState<Open>();
  const own = me.organisations.find(({ org_id }) => org_id === orgId);
  const isOwn = member.user_id === me.id;
  const isChangeable = mayChange(own?.role ?? null, member);
  const name = nameOf(member);
  const close = () => setOpen(undefined);
  const { account_state: account } = member;
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        <Row>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {isOwn && <Badge tone="accent">{words.you}</Badge>}
          <Badge {...(member.role === null ? { tone: 'bad', icon: 'lock' } : {})}>{roleName(member.role)}</Badge>
          {member.retained_last_owner && (
            <Badge tone="warn" icon="alert">
              {words.kept}
            </Badge>
          )}
          {account !== null && account !== 'CLAIMED' && (
            <Badge tone="warn" icon={account === 'WAITING' ? 'clock' : 'alert'}>
              {words.accounts[account]}
            </Badge>
          )}
        </Row>
        {member.name !== null && member.email !== null && (
          <Quiet>
            <OtherText>{member.email}</OtherText>
          </Quiet>
        )}
        <span>
          <bdi>{reasonOf(member)}</bdi>
          {member.role === null && member.manual_role !== null && (
            <> {words.deactivatedManual(words.roles[member.manual_role])}</>
          )}
        </span>
      </div>
      <Row>
        {onExplain && (
          <Button icon="info" aria-label={words.explainLabel(name)} onClick={() => onExplain(member.user_id)}>
            {words.explain}
          </Button>
        )}
        {(isChangeable || isOwn) && (
          <Menu trigger={<Button icon="down" aria-label={words.more(name)} />}>
            {isChangeable && (
              <MenuItem icon="pencil" onClick={() => setOpen('change')}>
                {words.change}
              </MenuItem>
            )}
            {isChangeable && !isOwn && (
              <MenuItem icon="trash" onClick={() => setOpen('remove')}>
                {words.remove}
              </MenuItem>
            )}
            {isOwn && (
              <MenuItem icon="out" onClick={() => setOpen('leave')}>
                {words.leave}
              </MenuItem>
            )}
          </Menu>
        )}
      </Row>
      {open === 'change' && <ChangeRoleDialog orgId={orgId} member={member} own={own?.role ?? null} onClose={close} />}
      {open === 'remove' && <RemoveDialog orgId={orgId} member={member} onClose={close} />}
      {open === 'leave' && <LeaveDialog orgId={orgId} name={shown(own?.name)} userId={me.id} onClose={close} />}
    </div>
  );
});
