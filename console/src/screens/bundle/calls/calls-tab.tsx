import { useState } from 'react';
import { useRead } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { Choice } from '../../../ui/choice';
import { Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { bundleRoute } from '../bundle-route';
import { oneOf } from '../one-of';
import { Breakdown } from './breakdown';
import { CallFigures } from './call-figures';
import { CallFilters } from './call-filters';
import { CallRecord } from './call-record';
import { beginOf, filterOf, narrowing, type View, VIEWS } from './filter';
import { OverTime } from './over-time';
import { useNames } from './use-names';
import { callsWords } from './words';

const STATISTICS_EVERY_MS = 30_000;

/** Which tools were called, who called them, and with what outcome. */
export default function CallsTab({ bundle }: { bundle: Bundle }) {
  if (!bundle.may_modify) {
    return (
      <Empty>
        <h2>{callsWords.forEditors}</h2>
        <p>{callsWords.forEditorsHelp}</p>
      </Empty>
    );
  }
  return <ReadCalls bundle={bundle} />;
}

/** What an address of this tab may say of the calls that it shows. */
export type CallSearch = Partial<Record<'by' | 'hours' | 'tool' | 'entry' | 'outcome' | 'person', string | undefined>>;

function ReadCalls({ bundle }: { bundle: Bundle }) {
  const search = bundleRoute.useSearch();
  const navigate = bundleRoute.useNavigate();
  const filter = filterOf(search);
  const view = oneOf(VIEWS, search.by);
  const [isLive, setLive] = useState(true);
  // The period ends when a view of it is opened; what comes later is read beside it.
  const [opened, setOpened] = useState(() => Date.now());
  const [isChoosing, setChoosing] = useState(false);
  const names = useNames(bundle, isChoosing);
  const choose = (next: CallSearch) => {
    const { hours, tool, entry, outcome, person, by } = { ...search, ...next };
    if ('hours' in next || 'by' in next) setOpened(Date.now());
    void navigate({ search: { tab: 'calls', by, hours, tool, entry, outcome, person }, replace: true });
  };
  const from = beginOf(filter.hours, opened);
  const statistics = useRead(
    'GET /v1/bundles/{bundle_id}/calls/statistics',
    { path: { bundle_id: bundle.id }, query: { ...narrowing(filter), from, by: groupingOf(view) } },
    { keepsFormer: true, ...(isLive && { pollEvery: STATISTICS_EVERY_MS }) },
  );
  return (
    <Stack>
      <CallFilters
        filter={filter}
        names={names}
        statistics={statistics.data}
        onChoose={choose}
        onFocus={() => setChoosing(true)}
      />
      <CallFigures read={statistics} />
      <Choice
        legend={callsWords.views.legend}
        value={view}
        onChange={(by) => choose({ by: by === 'record' ? undefined : by })}
        options={VIEWS.map((one) => [one, callsWords.views[one]] as const)}
      />
      {view === 'record' && (
        <CallRecord
          key={JSON.stringify([filter, opened])}
          bundle={bundle}
          filter={filter}
          from={from}
          names={names}
          isLive={isLive}
          onLive={setLive}
          onReopen={() => setOpened(Date.now())}
          onChoose={choose}
        />
      )}
      {view === 'time' && <OverTime bundleId={bundle.id} filter={filter} from={from} />}
      {view !== 'record' && view !== 'time' && (
        <Breakdown read={statistics} by={view} names={names} onChoose={choose} />
      )}
    </Stack>
  );
}

const groupingOf = (view: View) => (view === 'record' || view === 'time' ? 'tool' : view);
