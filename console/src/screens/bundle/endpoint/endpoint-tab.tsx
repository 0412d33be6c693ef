import { useSignedIn } from '../../../api/me';
import { useRead } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { Quiet, Section, Stack } from '../../../ui/layout';
import { Empty, Loaded } from '../../../ui/problem';
import { isInsider } from '../bundle-roles';
import { AddressPart } from './address-part';
import { ProblemList } from './problem-list';
import { ReportFigures } from './report-figures';
import { ServersPart } from './servers-part';
import { SettingsForm } from './settings-form';
import { SettingsFacts } from './settings-facts';
import { useEndpointState } from './use-endpoint-state';
import { endpointWords } from './words';

/** How clients reach the bundle, and what keeps its servers from being served. */
export default function EndpointTab({ bundle }: { bundle: Bundle }) {
  const read = useRead('GET /v1/bundles/{bundle_id}/endpoint', { path: { bundle_id: bundle.id } });
  return (
    <Stack gap="wide">
      <Loaded read={read} lines={3}>
        {(endpoint) => <AddressPart bundle={bundle} endpoint={endpoint} />}
      </Loaded>
      <StatePart bundle={bundle} />
      <Section title={endpointWords.settings.title}>
        <Loaded read={read} lines={6}>
          {(endpoint) =>
            bundle.may_modify ? (
              <SettingsForm bundle={bundle} endpoint={endpoint} />
            ) : (
              <SettingsFacts endpoint={endpoint} />
            )
          }
        </Loaded>
      </Section>
    </Stack>
  );
}

function StatePart({ bundle }: { bundle: Bundle }) {
  const me = useSignedIn();
  if (!isInsider(bundle, me)) return <Empty>{endpointWords.onlyMembers}</Empty>;
  return bundle.may_modify ? <StateForEditors bundle={bundle} /> : <StateForMembers bundle={bundle} />;
}

function StateForEditors({ bundle }: { bundle: Bundle }) {
  const { report, entries } = useEndpointState(bundle);
  return (
    <>
      <Section title={endpointWords.problems.title}>
        <Loaded read={report} lines={4}>
          {(read) => <ProblemList bundle={bundle} report={read} />}
        </Loaded>
      </Section>
      <Section title={endpointWords.report.title}>
        <Loaded read={report} lines={2}>
          {(read) => <ReportFigures report={read} />}
        </Loaded>
      </Section>
      {entries && <ServersPart bundle={bundle} entries={entries} />}
    </>
  );
}

function StateForMembers({ bundle }: { bundle: Bundle }) {
  const { status, entries } = useEndpointState(bundle);
  return (
    <>
      <Loaded read={status} lines={4}>
        {() => <ServersPart bundle={bundle} entries={entries ?? []} />}
      </Loaded>
      <Quiet>{endpointWords.onlyEditorsSee}</Quiet>
    </>
  );
}
