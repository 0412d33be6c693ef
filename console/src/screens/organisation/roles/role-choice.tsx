import { useSignedIn } from '../../../api/me';
import type { Role, ScimSettings } from '../../../api/schema';
import { ExplainedChoice } from '../../../ui/explained-choice';
import { Quiet } from '../../../ui/layout';
import { rolesToGive } from '../members/member-changes';
import { membersWords } from '../members/words';
import { rolesWords } from './words';

interface Props {
  orgId: string;
  settings: ScimSettings;
  value: Role;
  onChange: (role: Role) => void;
  error?: string | undefined;
}

/** The role of a group: owner only where it is allowed, and only by an owner. */
export function RoleChoice({ orgId, settings, value, onChange, error }: Props) {
  const me = useSignedIn();
  const own = me.organisations.find(({ org_id }) => org_id === orgId)?.role ?? null;
  const offered = rolesToGive(own).filter(
    (role) => role !== 'OWNER' || settings.allow_owner_mapping || value === 'OWNER',
  );
  return (
    <>
      <ExplainedChoice
        legend={rolesWords.editing.role}
        value={value}
        onChange={onChange}
        options={offered.map((role) => [role, membersWords.roles[role], membersWords.changing.roleHelp[role]] as const)}
        error={error}
      />
      {!offered.includes('OWNER') && <Quiet>{rolesWords.editing.ownerOff}</Quiet>}
    </>
  );
}
