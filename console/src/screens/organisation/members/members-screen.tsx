import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { administers, useSignedIn } from '../../../api/me';
import { useList } from '../../../api/queries';
import { Button } from '../../../ui/button';
import { Quiet } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';
import { InviteDialog } from './invite-dialog';
import { MemberFilters } from './member-filters-bar';
import { filtersOf } from './member-filters';
import { MemberRow } from './member-row';
import { PendingInvitations } from './pending-invitations';
import { RoleExplanationDialog } from './role-explanation-dialog';
import { membersWords as words } from './words';

const ROUTE = '/organisations/$orgId/members';

/** Who belongs to an organisation, with which role, and why. */
export function MembersScreen() {
  const { orgId } = useParams({ from: ROUTE });
  const isAdministrator = administers(useSignedIn(), orgId);
  const [isInviting, setInviting] = useState(false);
  const invite = (
    <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
      {words.inviting.open}
    </Button>
  );
  return (
    <OrganisationFrame
      orgId={orgId}
      title={organisationWords.screens.members}
      forMembers
      actions={isAdministrator && invite}
    >
      {isAdministrator ? <PendingInvitations orgId={orgId} /> : <Quiet>{words.readOnly}</Quiet>}
      <Members key={orgId} orgId={orgId} isAdministrator={isAdministrator} />
      {isInviting && <InviteDialog orgId={orgId} onClose={() => setInviting(false)} />}
    </OrganisationFrame>
  );
}

function Members({ orgId, isAdministrator }: { orgId: string; isAdministrator: boolean }) {
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const filters = filtersOf(search);
  const list = useList(
    'GET /v1/organisations/{org_id}/members',
    { path: { org_id: orgId }, query: filters },
    { keepsFormer: true },
  );
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true, resetScroll: false });
  const explain = useCallback(
    (person: string) =>
      void navigate({ search: (former) => ({ ...former, person }), replace: true, resetScroll: false }),
    [navigate],
  );
  const empty = (
    <Empty>
      <p>{words.filters.none}</p>
      <p>{words.filters.noneHelp}</p>
      <Button onClick={() => void navigate({ search: {} })}>{words.filters.clear}</Button>
    </Empty>
  );
  return (
    <>
      <MemberFilters search={search} onChange={change} />
      <Rows
        list={list}
        keyOf={({ user_id }) => user_id}
        label={words.list}
        empty={empty}
        height={82}
        readsOn
        row={(member) => <MemberRow orgId={orgId} member={member} {...(isAdministrator && { onExplain: explain })} />}
      />
      {isAdministrator && search.person !== undefined && (
        <RoleExplanationDialog orgId={orgId} personId={search.person} onClose={() => change({ person: '' })} />
      )}
    </>
  );
}
