import { useParams } from '@tanstack/react-router';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';

const title = organisationWords.screens.roles;

export function RolesScreen() {
  const { orgId } = useParams({ from: '/organisations/$orgId/roles' });
  return (
    <OrganisationFrame orgId={orgId} title={title}>
      <p>{title}</p>
    </OrganisationFrame>
  );
}
