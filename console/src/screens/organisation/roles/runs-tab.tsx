import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSignedIn } from '../../../api/me';
import { useList } from '../../../api/queries';
import type { SyncRunSummary } from '../../../api/schema';
import { date, listOf, number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Quiet } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { When } from '../../../ui/when';
import { KINDS, totalOf } from './counts';
import styles from './roles.module.css';
import { RunDialog } from './run-dialog';
import { rolesWords } from './words';

const words = rolesWords.runs;
const ROUTE = '/organisations/$orgId/roles';

/** The syncs that people started, each with what it changed. */
export function RunsTab({ orgId }: { orgId: string }) {
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const list = useList('GET /v1/organisations/{org_id}/scim/sync-runs', { path: { org_id: orgId } });
  const open = (run?: string) => void navigate({ search: { tab: 'runs', ...(run && { run }) }, resetScroll: false });
  return (
    <>
      <Quiet>{words.help}</Quiet>
      <Rows
        list={list}
        keyOf={({ id }) => id}
        label={words.list}
        height={70}
        row={(run) => <RunRow run={run} onOpen={() => open(run.id)} />}
        empty={
          <Empty>
            <p>{words.none}</p>
            <p>{words.noneHelp}</p>
          </Empty>
        }
      />
      {search.run !== undefined && <RunDialog orgId={orgId} runId={search.run} onClose={() => open()} />}
    </>
  );
}

function RunRow({ run, onOpen }: { run: SyncRunSummary; onOpen: () => void }) {
  const me = useSignedIn();
  const by = run.started_by === null ? words.service : run.started_by === me.id ? words.you : words.other;
  const parts = KINDS.filter((kind) => run[kind] > 0).map((kind) => `${rolesWords.counts[kind]}: ${number(run[kind])}`);
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        <strong>
          <When at={run.started_at} />
        </strong>
        <span>{totalOf(run) === 0 ? words.nothing : listOf(parts)}</span>
        <Quiet>
          {words.scanned(number(run.scanned))}. {words.by} {by}.
        </Quiet>
      </div>
      {totalOf(run) > 0 && (
        <Button aria-label={words.showLabel(date(run.started_at))} onClick={onOpen}>
          {words.show}
        </Button>
      )}
    </div>
  );
}
