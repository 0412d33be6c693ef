import { useParams } from '@tanstack/react-router';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';

const title = organisationWords.screens.auditLog;

export function AuditLogScreen() {
  const { orgId } = useParams({ from: '/organisations/$orgId/audit-log' });
  return (
    <OrganisationFrame orgId={orgId} title={title}>
      <p>{title}</p>
    </OrganisationFrame>
  );
}
