import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useRead } from '../../../api/queries';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { hasDraft } from '../../../ui/draft';
import { SelectInput, TextInput } from '../../../ui/field';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Empty, Loaded } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { wholeList } from '../../../ui/whole-list';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';
import { CreateEndpoint } from './create-endpoint';
import { draftOf } from './endpoint-draft';
import { type EndpointLine, EndpointRow } from './endpoint-row';
import { ENDPOINT_STATES, matching, nameOf, stateOf } from './endpoint-state';
import { stripHours } from './strip-bars';
import { StripTable } from './strip-table';
import { listWords as words } from './words';
import styles from './webhooks.module.css';

const route = getRouteApi('/organisations/$orgId/webhooks');
const POLL_MS = 30_000;
const ROW_HEIGHT = 96;

/** The webhook endpoints of an organisation, each with its last day. */
export function WebhooksScreen() {
  const { orgId } = route.useParams();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(() => create !== undefined || hasDraft(draftOf(orgId)));
  const open = (isOpen: boolean) => {
    setCreating(isOpen);
    void navigate({ search: (former) => ({ ...former, create: isOpen ? '1' : undefined }), replace: true });
  };
  return (
    <OrganisationFrame
      orgId={orgId}
      title={organisationWords.screens.webhooks}
      actions={
        <Button look="primary" icon="plus" onClick={() => open(true)}>
          {words.create}
        </Button>
      }
    >
      <Quiet>{words.help}</Quiet>
      <Endpoints orgId={orgId} onCreate={() => open(true)} />
      {isCreating && <CreateEndpoint orgId={orgId} onClose={() => open(false)} />}
    </OrganisationFrame>
  );
}

function Endpoints({ orgId, onCreate }: { orgId: string; onCreate: () => void }) {
  const endpoints = useRead('GET /v1/webhooks', { query: { org_id: orgId } });
  const day = useRead('GET /v1/webhooks/stats', { query: { org_id: orgId } }, { pollEvery: POLL_MS });
  const lines = useMemo(() => {
    if (!endpoints.data || !day.data) return undefined;
    const { from } = day.data;
    const days = new Map(day.data.endpoints.map((one) => [one.endpoint_id, one]));
    return endpoints.data.map((endpoint): EndpointLine => {
      const own = days.get(endpoint.id);
      return {
        endpoint,
        day: own,
        state: stateOf(endpoint, own),
        hours: stripHours(from, own?.succeeded ?? [], own?.failed ?? []),
      };
    });
  }, [endpoints.data, day.data]);
  const read = {
    data: lines,
    error: endpoints.error ?? day.error,
    refetch: () => void Promise.all([endpoints.refetch(), day.refetch()]),
  };
  return (
    <Loaded read={read} lines={8}>
      {(all) =>
        all.length === 0 ? (
          <Empty>
            <p>{words.none}</p>
            <p>{words.noneHelp}</p>
            <Button look="primary" icon="plus" onClick={onCreate}>
              {words.create}
            </Button>
          </Empty>
        ) : (
          <List orgId={orgId} lines={all} />
        )
      }
    </Loaded>
  );
}

function List({ orgId, lines }: { orgId: string; lines: readonly EndpointLine[] }) {
  const { q = '', state, endpoint: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = ENDPOINT_STATES.find((one) => one === state);
  const found = useMemo(() => matching(lines, q, chosen), [lines, q, chosen]);
  const show = (next: { q?: string | undefined; state?: string | undefined; endpoint?: string | undefined }) =>
    void navigate({ search: (former) => ({ ...former, ...next }), replace: true });
  const table = lines.find(({ endpoint }) => endpoint.id === opened);
  return (
    <Stack>
      <div className={styles.filters}>
        <TextInput
          isFilter
          type="search"
          label={words.search}
          value={q}
          onChange={(event) => show({ q: event.target.value || undefined })}
        />
        <SelectInput
          label={words.state}
          value={chosen ?? ''}
          onChange={(event) => show({ state: event.target.value || undefined })}
          options={[['', words.states.all], ...ENDPOINT_STATES.map((one) => [one, words.states[one]] as const)]}
        />
      </div>
      <Row between>
        <Quiet>{words.strip.legend}</Quiet>
        <span role="status">
          <Quiet>{words.count(number(found.length), number(lines.length))}</Quiet>
        </span>
      </Row>
      <Rows
        list={wholeList(found)}
        label={words.label}
        keyOf={({ endpoint }) => endpoint.id}
        height={ROW_HEIGHT}
        row={(line) => <EndpointRow orgId={orgId} line={line} onTable={() => show({ endpoint: line.endpoint.id })} />}
        empty={
          <Empty>
            <p>{words.noHit}</p>
            <Button onClick={() => show({ q: undefined, state: undefined })}>{words.clear}</Button>
          </Empty>
        }
      />
      {table && (
        <StripTable
          orgId={orgId}
          endpointId={table.endpoint.id}
          name={shown(nameOf(table.endpoint.target_url))}
          hours={table.hours}
          onClose={() => show({ endpoint: undefined })}
        />
      )}
    </Stack>
  );
}
