import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { administers, useSignedIn } from '../../api/me';
import { buttonClass } from '../../ui/button';
import { SelectInput } from '../../ui/field';
import { Quiet } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Screen } from '../../ui/screen';
import { ScreenLinks } from '../../ui/screen-links';
import { organisationWords as text } from './words';

interface Props {
  orgId: string;
  title: string;
  /** Whether members see the screen, too; else administrators and owners alone. */
  forMembers?: boolean;
  /** Beside the heading. */
  actions?: ReactNode;
  /** The content, which is rendered only for those who may see it. */
  children: ReactNode;
}

/** What is around each screen of an organisation. It asks nothing for people to whom the API would refuse it. */
export function OrganisationFrame({ orgId, title, forMembers = false, actions, children }: Props) {
  const me = useSignedIn();
  const own = me.organisations.find(({ org_id, role }) => org_id === orgId && role !== null);
  if (!own) {
    return (
      <Screen title={title}>
        <Empty>
          <p>{text.notYours}</p>
          <p>{text.notYoursHelp}</p>
        </Empty>
      </Screen>
    );
  }
  const isAllowed = forMembers || administers(me, orgId);
  return (
    <Screen title={title} actions={isAllowed && actions}>
      <OrganisationLinks orgId={orgId} />
      {isAllowed ? (
        children
      ) : (
        <Empty>
          <p>{text.forAdministrators}</p>
          <p>{text.forAdministratorsHelp}</p>
          <Link to="/organisations/$orgId/members" params={{ orgId }} className={buttonClass()}>
            {text.toMembers}
          </Link>
        </Empty>
      )}
    </Screen>
  );
}

function OrganisationLinks({ orgId }: { orgId: string }) {
  const me = useSignedIn();
  const navigate = useNavigate();
  const organisations = me.organisations.filter(({ role }) => role !== null);
  const params = { orgId };
  return (
    <>
      {organisations.length > 1 && (
        <SelectInput
          label={text.choose}
          value={orgId}
          onChange={(event) =>
            void navigate({ to: '/organisations/$orgId/members', params: { orgId: event.target.value } })
          }
          options={organisations.map(({ org_id, name }) => [org_id, shown(name)] as const)}
        />
      )}
      {organisations.length === 1 && <Quiet>{shown(organisations[0]?.name ?? '')}</Quiet>}
      <ScreenLinks label={text.nav}>
        <Link to="/organisations/$orgId/members" params={params}>
          {text.screens.members}
        </Link>
        {administers(me, orgId) && (
          <>
            <Link to="/organisations/$orgId/provisioning" params={params}>
              {text.screens.provisioning}
            </Link>
            <Link to="/organisations/$orgId/roles" params={params}>
              {text.screens.roles}
            </Link>
            <Link to="/organisations/$orgId/allow-list" params={params}>
              {text.screens.allowList}
            </Link>
            <Link to="/organisations/$orgId/webhooks" params={params}>
              {text.screens.webhooks}
            </Link>
            <Link to="/organisations/$orgId/audit-log" params={params}>
              {text.screens.auditLog}
            </Link>
          </>
        )}
      </ScreenLinks>
    </>
  );
}
