import { useParams } from '@tanstack/react-router';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';

const title = organisationWords.screens.allowList;

export function AllowListScreen() {
  const { orgId } = useParams({ from: '/organisations/$orgId/allow-list' });
  return (
    <OrganisationFrame orgId={orgId} title={title}>
      <p>{title}</p>
    </OrganisationFrame>
  );
}
