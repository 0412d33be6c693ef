import { useParams } from '@tanstack/react-router';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';

const title = organisationWords.screens.webhooks;

export function WebhooksScreen() {
  const { orgId } = useParams({ from: '/organisations/$orgId/webhooks' });
  return (
    <OrganisationFrame orgId={orgId} title={title}>
      <p>{title}</p>
    </OrganisationFrame>
  );
}
