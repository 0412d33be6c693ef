import { useCallback, useState } from 'react';
import { useList } from '../../../api/queries';
import type { EventType, WebhookDelivery, WebhookEndpointDetail } from '../../../api/schema';
import { date } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { SelectInput } from '../../../ui/field';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import {
  CLASSES,
  type DeliveryFilter,
  type DeliverySearch,
  filterOf,
  isNarrowed,
  PERIODS,
  periodOf,
  STATUSES,
} from './delivery-filter';
import { DeliveryColumns, DeliveryRow } from './delivery-row';
import { endpointRoute } from './endpoint-route';
import type { EndpointPart } from './endpoint-screen';
import { Inspector } from './inspector';
import { endpointWords } from './words';
import styles from './webhooks.module.css';

const words = endpointWords.deliveries;
const POLL_MS = 5_000;
/** As in the style sheet, with the line above. */
const ROW_HEIGHT = 49;
const keyOf = ({ id }: WebhookDelivery) => id;

/** What was sent to an endpoint, newest first, and one delivery of it. */
export default function DeliveriesTab({ endpoint }: EndpointPart) {
  const search = endpointRoute.useSearch();
  const navigate = endpointRoute.useNavigate();
  const filter = filterOf(search);
  const [opened, setOpened] = useState(() => Date.now());
  const show = useCallback(
    (next: DeliverySearch) =>
      void navigate({ search: (former) => ({ ...former, ...next, tab: 'deliveries' }), replace: true }),
    [navigate],
  );
  const choose = (next: DeliverySearch) => {
    setOpened(Date.now());
    show(next);
  };
  const open = useCallback((id: string) => show({ delivery: id }), [show]);
  const clear = () =>
    choose({
      status: undefined,
      type: undefined,
      class: undefined,
      hours: undefined,
      from: undefined,
      to: undefined,
    });
  const list = useList(
    'GET /v1/webhooks/{endpoint_id}/deliveries',
    {
      path: { endpoint_id: endpoint.id },
      query: {
        limit: 50,
        status: filter.status,
        event_type: filter.type as EventType | undefined,
        response_class: filter.class,
        ...periodOf(filter, opened),
      },
    },
    { pollEvery: POLL_MS },
  );
  return (
    <Stack>
      <Filters endpoint={endpoint} filter={filter} onChoose={choose} />
      {isNarrowed(filter) && (
        <Row>
          <Button icon="close" onClick={clear}>
            {words.clear}
          </Button>
          {(filter.from ?? filter.to) !== undefined && (
            <Quiet>{words.periodOf(filter.from ? date(filter.from) : '…', filter.to ? date(filter.to) : '…')}</Quiet>
          )}
        </Row>
      )}
      <section aria-label={words.label}>
        {list.items.length > 0 && <DeliveryColumns />}
        <Rows
          list={list}
          label={words.label}
          keyOf={keyOf}
          height={ROW_HEIGHT}
          readsOn
          row={(delivery) => <DeliveryRow delivery={delivery} onOpen={open} />}
          empty={
            <Empty>
              <p>{isNarrowed(filter) ? words.noHit : words.none}</p>
              {isNarrowed(filter) ? <Button onClick={clear}>{words.clear}</Button> : <p>{words.noneHelp}</p>}
            </Empty>
          }
        />
      </section>
      {search.delivery !== undefined && (
        <Inspector endpoint={endpoint} deliveryId={search.delivery} onClose={() => show({ delivery: undefined })} />
      )}
    </Stack>
  );
}

interface FiltersProps {
  endpoint: WebhookEndpointDetail;
  filter: DeliveryFilter;
  onChoose: (next: DeliverySearch) => void;
}

function Filters({ endpoint, filter, onChoose }: FiltersProps) {
  const types = [...new Set([...endpoint.event_types, ...(filter.type === undefined ? [] : [filter.type])])];
  return (
    <div className={styles.filters} role="group" aria-label={words.filters}>
      <SelectInput
        label={words.status}
        value={filter.status ?? ''}
        onChange={(event) => onChoose({ status: event.target.value || undefined })}
        options={[['', words.everyStatus], ...STATUSES.map((one) => [one, words.statuses[one]] as const)]}
      />
      <SelectInput
        label={words.type}
        value={filter.type ?? ''}
        onChange={(event) => onChoose({ type: event.target.value || undefined })}
        options={[['', words.everyType], ...types.map((type) => [type, shown(type)] as const)]}
      />
      <SelectInput
        label={words.class}
        value={filter.class ?? ''}
        onChange={(event) => onChoose({ class: event.target.value || undefined })}
        options={[['', words.everyClass], ...CLASSES.map((one) => [one, words.classes[one]] as const)]}
      />
      <SelectInput
        label={words.period}
        value={(filter.from ?? filter.to) === undefined ? filter.hours : 'fixed'}
        onChange={(event) => onChoose({ hours: event.target.value || undefined, from: undefined, to: undefined })}
        options={[
          ...PERIODS.map((one) => [one, words.periods[one]] as const),
          ...((filter.from ?? filter.to) === undefined ? [] : [['fixed', words.fixed] as const]),
        ]}
      />
    </div>
  );
}
