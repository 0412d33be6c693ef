import { Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useRead } from '../../../api/queries';
import type { WebhookEndpointDetail } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty, Loaded, Skeleton } from '../../../ui/problem';
import { Tabs } from '../../../ui/tabs';
import { oneOf } from '../../bundle/one-of';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';
import { EndpointOff } from './endpoint-off';
import { ENDPOINT_TABS, endpointRoute, type EndpointTab } from './endpoint-route';
import { nameOf } from './endpoint-state';
import { PingDialog } from './ping-dialog';
import { endpointWords as words } from './words';
import styles from './webhooks.module.css';

export interface EndpointPart {
  orgId: string;
  endpoint: WebhookEndpointDetail;
}

const PARTS: Record<EndpointTab, ComponentType<EndpointPart>> = {
  overview: lazy(() => import('./overview-tab')),
  deliveries: lazy(() => import('./deliveries-tab')),
  recover: lazy(() => import('./recover-tab')),
  receiver: lazy(() => import('./receiver-tab')),
  settings: lazy(() => import('./settings-tab')),
};

/** One webhook endpoint: how it does, what was sent to it, and its settings. */
export function EndpointScreen() {
  const { orgId, endpointId } = endpointRoute.useParams();
  const [isPinging, setPinging] = useState(false);
  return (
    <OrganisationFrame
      orgId={orgId}
      title={organisationWords.screens.webhooks}
      actions={
        <Button icon="bell" onClick={() => setPinging(true)}>
          {words.ping}
        </Button>
      }
    >
      <Endpoint orgId={orgId} endpointId={endpointId} />
      {isPinging && <PingDialog endpointId={endpointId} onClose={() => setPinging(false)} />}
    </OrganisationFrame>
  );
}

function Endpoint({ orgId, endpointId }: { orgId: string; endpointId: string }) {
  const read = useRead('GET /v1/webhooks/{endpoint_id}', { path: { endpoint_id: endpointId } });
  const navigate = endpointRoute.useNavigate();
  const tab = oneOf(ENDPOINT_TABS, endpointRoute.useSearch().tab);
  return (
    <Loaded read={read} lines={8}>
      {(endpoint) =>
        endpoint.org_id === orgId ? (
          <Stack>
            <div>
              <Link to="/organisations/$orgId/webhooks" params={{ orgId }}>
                {words.back}
              </Link>
            </div>
            <Stack gap="tight">
              <h2 className={styles.address}>
                <bdi>{shown(nameOf(endpoint.target_url))}</bdi>
              </h2>
              {endpoint.description !== '' && (
                <Quiet>
                  <OtherText>{endpoint.description}</OtherText>
                </Quiet>
              )}
            </Stack>
            {!endpoint.is_active && <EndpointOff endpoint={endpoint} />}
            <Tabs
              label={words.tabsLabel}
              value={tab}
              onChange={(name) => void navigate({ search: { tab: name === 'overview' ? undefined : name } })}
              tabs={ENDPOINT_TABS.map(
                (name) =>
                  [name, words.tabs[name], () => <Part name={name} orgId={orgId} endpoint={endpoint} />] as const,
              )}
            />
          </Stack>
        ) : (
          <Empty>
            <p>{words.notFound}</p>
            <Row>
              <Link to="/organisations/$orgId/webhooks" params={{ orgId }}>
                {words.back}
              </Link>
            </Row>
          </Empty>
        )
      }
    </Loaded>
  );
}

function Part({ name, ...part }: EndpointPart & { name: EndpointTab }) {
  const Content = PARTS[name];
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <Content {...part} />
    </Suspense>
  );
}
