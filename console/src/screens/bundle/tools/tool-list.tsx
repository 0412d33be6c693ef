import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Button, buttonClass } from '../../../ui/button';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { bundleRoute } from '../bundle-route';
import { RefreshButton } from '../endpoint/refresh-button';
import { bundleWords } from '../words';
import { FilterBar } from './filter-bar';
import { HeldLine } from './held-line';
import { SelectionBar } from './selection-bar';
import { filtersOf, isFiltered, type ToolFilters } from './tool-filters';
import { ToolRow } from './tool-row';
import { useTools } from './use-tools';
import { toolsWords } from './words';

const words = bundleWords.tool;
const NOTHING: ToolFilters = { q: undefined, state: undefined, entry: undefined, kind: undefined, finding: undefined };

/** All tools of a bundle, to be looked at, chosen and ruled. */
export function ToolList({ bundle }: { bundle: Bundle }) {
  const filters = filtersOf(bundleRoute.useSearch());
  const navigate = bundleRoute.useNavigate();
  const path = { bundle_id: bundle.id };
  const tools = useTools(bundle, filters);
  const needs = useRead('GET /v1/bundles/{bundle_id}/credential-needs', { path, query: { limit: 100 } });
  const stateOf = new Map(needs.data?.map((need) => [need.entry_id, need.state]));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { list } = tools;
  const selected = list.items.filter(({ id }) => chosen.has(id));
  const choose = (ids: readonly string[], isChosen: boolean) =>
    setChosen((former) => {
      const next = new Set(former);
      for (const id of ids)
        if (isChosen) next.add(id);
        else next.delete(id);
      return next;
    });
  const filter = (next: Partial<ToolFilters>) =>
    void navigate({ search: { tab: 'tools', ...filters, ...next }, replace: true });
  return (
    <Stack>
      {bundle.may_modify && <HeldLine bundle={bundle} count={tools.heldCount} held={tools.held} />}
      <FilterBar filters={filters} tools={tools.whole} needs={needs.data} onChange={filter} />
      {list.data !== undefined && list.items.length > 0 && (
        <Row between>
          <Quiet>
            <span role="status">
              {tools.whole && isFiltered(filters)
                ? toolsWords.countOf(number(list.items.length), number(tools.whole.length))
                : toolsWords.count(number(list.items.length), list.items.length, list.hasNextPage)}
            </span>
          </Quiet>
          {bundle.may_modify && (
            <Row>
              <RefreshButton bundleId={bundle.id} />
              <Button
                look="plain"
                onClick={() =>
                  choose(
                    list.items.map(({ id }) => id),
                    selected.length < list.items.length,
                  )
                }
              >
                {selected.length < list.items.length ? toolsWords.chooseAll : toolsWords.chooseNone}
              </Button>
            </Row>
          )}
        </Row>
      )}
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(tool) => (
          <ToolRow
            bundle={bundle}
            tool={tool}
            need={stateOf.get(tool.entry_id) ?? null}
            isChosen={chosen.has(tool.id)}
            onChoose={(isChosen) => choose([tool.id], isChosen)}
          />
        )}
        height={72}
        empty={isFiltered(filters) ? <NoHit onClear={() => filter(NOTHING)} /> : <NoTools bundle={bundle} />}
      />
      {selected.length > 0 && <SelectionBar bundle={bundle} tools={selected} onClear={() => setChosen(new Set())} />}
    </Stack>
  );
}

const NoHit = ({ onClear }: { onClear: () => void }) => (
  <Empty>
    <p>{words.noHit}</p>
    <Button onClick={onClear}>{words.clear}</Button>
  </Empty>
);

const NoTools = ({ bundle }: { bundle: Bundle }) => (
  <Empty>
    <p>{words.empty}</p>
    <p>{words.emptyHelp}</p>
    <Link
      to="/bundles/$bundleId"
      params={{ bundleId: bundle.id }}
      search={{ tab: 'accounts' }}
      className={buttonClass()}
    >
      {bundleWords.connecting.toAccounts}
    </Link>
  </Empty>
);
