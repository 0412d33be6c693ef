import { useParams } from '@tanstack/react-router';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';

const title = organisationWords.screens.members;

export function MembersScreen() {
  const { orgId } = useParams({ from: '/organisations/$orgId/members' });
  return (
    <OrganisationFrame orgId={orgId} title={title} forMembers>
      <p>{title}</p>
    </OrganisationFrame>
  );
}
