import { Loaded } from '../../../ui/problem';
import { Stack } from '../../../ui/layout';
import { QuarantinePart } from './quarantine-part';
import { PastRuns } from './past-runs';
import { RunningRuns } from './running-runs';
import { Sources } from './sources';
import { useImports } from './use-imports';

/** What runs, what is in quarantine, where it comes from, and what ran before. */
export function ImportsPart() {
  const { overview, runs, isRunning } = useImports();
  return (
    <Stack gap="wide">
      <Loaded read={overview} lines={3}>
        {(data) => (
          <Loaded read={runs} lines={3}>
            {(list) => <RunningRuns runs={list} overview={data} isRunning={isRunning} />}
          </Loaded>
        )}
      </Loaded>
      <QuarantinePart overview={overview.data} />
      {overview.data && <Sources overview={overview.data} />}
      {overview.data && runs.data && <PastRuns runs={runs.data} sources={overview.data.sources} />}
    </Stack>
  );
}
