import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { addressOf } from '../../../api/client';
import { useList } from '../../../api/queries';
import type { AuditAction } from '../../../api/schema';
import { buttonClass } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { Quiet, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { OrganisationFrame } from '../organisation-frame';
import { organisationWords } from '../words';
import { AuditEntryRow } from './audit-entry-row';
import { AuditFilters } from './audit-filters';
import { type AuditFilter, filterOf, isFiltered } from './filter';
import { words } from './words';

const FROM = '/organisations/$orgId/audit-log';
const ACTIONS = Object.keys(words.actions) as AuditAction[];
const LIST = 'GET /v1/organisations/{org_id}/audit-log';

/** Who changed what in the organisation. */
export function AuditLogScreen() {
  const { orgId } = useParams({ from: FROM });
  const filter = filterOf(useSearch({ from: FROM }), ACTIONS);
  return (
    <OrganisationFrame
      orgId={orgId}
      title={organisationWords.screens.auditLog}
      actions={<Download orgId={orgId} filter={filter} />}
    >
      <Log orgId={orgId} filter={filter} />
    </OrganisationFrame>
  );
}

interface LogProps {
  orgId: string;
  filter: AuditFilter;
}

/** Read by the browser itself, so that a long file is not in the memory of the page. */
function Download({ orgId, filter }: LogProps) {
  const { url } = addressOf(LIST, { path: { org_id: orgId }, query: { ...filter, format: 'csv' } });
  return (
    <a className={buttonClass()} href={url} download>
      <Icon name="download" />
      {words.download}
    </a>
  );
}

function Log({ orgId, filter }: LogProps) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const list = useList(LIST, { path: { org_id: orgId }, query: { ...filter, limit: 50 } });
  type Search = typeof search;
  const change = (changes: { [Name in keyof Search]?: Search[Name] | undefined }) =>
    void navigate({ search: { ...search, entry: undefined, ...changes }, resetScroll: false });
  const knownActor = list.items.find(({ actor }) => actor.id !== null && actor.id === filter.actor_id)?.actor;
  return (
    <Stack>
      <Quiet>{words.help}</Quiet>
      <AuditFilters search={search} actions={ACTIONS} filter={filter} actor={knownActor} onChange={change} />
      <Quiet>{words.downloadHelp}</Quiet>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(entry) => (
          <AuditEntryRow
            entry={entry}
            isOpen={search.entry === entry.id}
            onToggle={() => change({ entry: search.entry === entry.id ? undefined : entry.id })}
            onChange={change}
          />
        )}
        height={84}
        readsOn
        empty={
          <Empty>
            <p>{isFiltered(filter) ? words.noneFiltered : words.none}</p>
            {!isFiltered(filter) && <p>{words.noneHelp}</p>}
          </Empty>
        }
      />
    </Stack>
  );
}
