import { Link } from '@tanstack/react-router';
import { useList } from '../../../api/queries';
import { t } from '../../../messages/text';
import { SelectInput } from '../../../ui/field';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { RequestRow } from '../../requests/request-row';
import { usePlace } from './use-place';
import { words } from './words';

const text = words.requests;
const STATUSES = ['OPEN', 'APPROVED', 'DECLINED', 'WITHDRAWN'] as const;
/** Of the choice: all of them. */
const ALL = 'all';

/** What members ask for: the open requests first, to be decided. */
export function RequestsTab() {
  const { orgId, search, go } = usePlace();
  const status = search.status === ALL ? undefined : (STATUSES.find((one) => one === search.status) ?? 'OPEN');
  const list = useList('GET /v1/organisations/{org_id}/server-requests', {
    path: { org_id: orgId },
    query: { ...(status !== undefined && { status }) },
  });
  return (
    <Stack>
      <Quiet>{text.help}</Quiet>
      <Row>
        <SelectInput
          label={t.requests.status}
          value={status ?? ALL}
          onChange={(event) => go({ status: event.target.value }, true)}
          options={[[ALL, t.requests.anyStatus], ...STATUSES.map((one) => [one, t.requests.statuses[one]] as const)]}
        />
      </Row>
      <Rows
        list={list}
        keyOf={({ id }) => id}
        row={(request) => (
          <Stack gap="tight">
            <RequestRow orgId={orgId} request={request} />
            {request.status === 'APPROVED' && request.listing_id !== null && (
              <Row>
                <Link
                  to="/organisations/$orgId/allow-list"
                  params={{ orgId }}
                  search={{ ...search, allow: request.listing_id }}
                  aria-label={text.allowNowOf(shown(request.name))}
                >
                  {text.allowNow}
                </Link>
              </Row>
            )}
          </Stack>
        )}
        label={t.requests.toDecide}
        height={96}
        empty={
          <Empty>
            <p>{status === 'OPEN' ? text.none : text.noneOther}</p>
            <p>{text.noneHelp}</p>
          </Empty>
        }
      />
    </Stack>
  );
}
