import { useParams } from '@tanstack/react-router';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';

const title = organisationWords.screens.webhooks;

export function EndpointScreen() {
  const { orgId } = useParams({ from: '/organisations/$orgId/webhooks/$endpointId' });
  return (
    <OrganisationFrame orgId={orgId} title={title}>
      <p>{title}</p>
    </OrganisationFrame>
  );
}
