import { type FormEvent, useState } from 'react';
import { useChange } from '../../../api/queries';
import type { ListedMember, Role } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ExplainedChoice } from '../../../ui/explained-choice';
import layout from '../../../ui/layout.module.css';
import { Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { isSuspended, roleAfterChange, rolesToGive } from './member-changes';
import { MEMBER_READS } from './member-reads';
import { nameOf, roleName } from './reason-words';
import { membersWords } from './words';

const words = membersWords.changing;

interface Props {
  orgId: string;
  member: ListedMember;
  /** The role of the person who looks. */
  own: Role | null;
  onClose: () => void;
}

/** Gives a role by hand, and says before what follows, since the directory may give another one. */
export function ChangeRoleDialog({ orgId, member, own, onClose }: Props) {
  const [role, setRole] = useState<Role>(member.manual_role ?? member.role ?? 'MEMBER');
  const change = useChange('PATCH /v1/organisations/{org_id}/members/{user_id}', MEMBER_READS);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    change.mutate(
      { path: { org_id: orgId, user_id: member.user_id }, body: { role } },
      {
        onSuccess: () => {
          notify(words.saved);
          onClose();
        },
      },
    );
  };
  const after = roleAfterChange(member, role);
  return (
    <Dialog open onClose={onClose} title={words.title(nameOf(member))}>
      <form className={layout.stack} onSubmit={save}>
        <ExplainedChoice
          legend={words.legend}
          value={role}
          onChange={setRole}
          options={rolesToGive(own).map((one) => [one, membersWords.roles[one], words.roleHelp[one]] as const)}
          error={change.error?.at('role')}
        />
        <div role="status">
          <h3>{words.follows}</h3>
          <p>
            {after === member.role
              ? words.same(roleName(after))
              : words.becomes(roleName(member.role), roleName(after))}
          </p>
          {member.scim_role !== null && <p>{words.byDirectory(membersWords.roles[member.scim_role])}</p>}
          {isSuspended(member) && <p>{words.suspended}</p>}
          {member.retained_last_owner && <p>{words.kept}</p>}
        </div>
        {change.error && <Problem error={change.error} />}
        <Row>
          <Button type="submit" look="primary" busy={change.isPending} disabled={role === member.manual_role}>
            {words.save}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
        </Row>
      </form>
    </Dialog>
  );
}
