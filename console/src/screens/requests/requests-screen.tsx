import { useNavigate, useSearch } from '@tanstack/react-router';
import { administers, useSignedIn } from '../../api/me';
import { useList } from '../../api/queries';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { SelectInput } from '../../ui/field';
import { Grid } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { Screen } from '../../ui/screen';
import { AskDialog } from './ask-dialog';
import { RequestRow } from './request-row';

const text = t.requests;
const STATUSES = ['OPEN', 'APPROVED', 'DECLINED', 'WITHDRAWN'] as const;

/** A person's requests for servers; for administrators, those of their organisation. */
export function RequestsScreen() {
  const me = useSignedIn();
  const organisations = me.organisations.filter(({ role }) => role !== null);
  const [first] = organisations;
  if (!first) {
    return (
      <Screen title={text.title}>
        <Empty>
          <p>{text.noOrganisation}</p>
          <p>{text.noOrganisationHelp}</p>
        </Empty>
      </Screen>
    );
  }
  return <Requests organisations={organisations} first={first.org_id} />;
}

interface RequestsProps {
  organisations: readonly { org_id: string; name: string }[];
  first: string;
}

function Requests({ organisations, first }: RequestsProps) {
  const me = useSignedIn();
  const search = useSearch({ from: '/requests' });
  const navigate = useNavigate({ from: '/requests' });
  const orgId = organisations.find(({ org_id }) => org_id === search.org)?.org_id ?? first;
  const status = STATUSES.find((one) => one === search.status);
  const list = useList('GET /v1/organisations/{org_id}/server-requests', {
    path: { org_id: orgId },
    query: { ...(status !== undefined && { status }) },
  });
  const change = (changed: { org?: string; status?: string; ask?: string | undefined }) =>
    void navigate({ search: { ...search, ...changed } });
  const ask = (
    <Button look="primary" icon="plus" onClick={() => change({ ask: '1' })}>
      {text.ask}
    </Button>
  );
  const empty = status ? (
    <Empty>
      <p>{text.noneOf(text.statuses[status])}</p>
      <Button onClick={() => change({ status: '' })}>{text.showAll}</Button>
    </Empty>
  ) : (
    <Empty>
      <p>{text.none}</p>
      <p>{text.noneHelp}</p>
    </Empty>
  );
  return (
    <Screen title={text.title} actions={ask}>
      <Grid>
        {organisations.length > 1 && (
          <SelectInput
            label={text.organisation}
            value={orgId}
            onChange={(event) => change({ org: event.target.value })}
            options={organisations.map(({ org_id, name }) => [org_id, shown(name)] as const)}
          />
        )}
        <SelectInput
          label={text.status}
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value })}
          options={[['', text.anyStatus], ...STATUSES.map((one) => [one, text.statuses[one]] as const)]}
        />
      </Grid>
      <Rows
        list={list}
        keyOf={({ id }) => id}
        row={(request) => <RequestRow orgId={orgId} request={request} />}
        label={administers(me, orgId) ? text.toDecide : text.mine}
        empty={empty}
        height={96}
      />
      {search.ask !== undefined && <AskDialog open onClose={() => change({ ask: undefined })} />}
    </Screen>
  );
}
