import { useSignedIn } from '../../../api/me';
import { useRead } from '../../../api/queries';
import type { Bundle, BundlePolicies } from '../../../api/schema';
import { Facts, Quiet, Section, Stack } from '../../../ui/layout';
import { Empty, Loaded } from '../../../ui/problem';
import { isInsider } from '../bundle-roles';
import { PoliciesEditor } from './policies-editor';
import { RuleList } from './rule-list';
import { useNames } from './use-names';
import { policiesWords } from './words';

/** Who may use which tools of the bundle. */
export default function PoliciesTab({ bundle }: { bundle: Bundle }) {
  const me = useSignedIn();
  return isInsider(bundle, me) ? <ReadPolicies bundle={bundle} /> : <Empty>{policiesWords.onlyMembers}</Empty>;
}

function ReadPolicies({ bundle }: { bundle: Bundle }) {
  const read = useRead('GET /v1/bundles/{bundle_id}/policies', { path: { bundle_id: bundle.id } });
  return (
    <Loaded read={read} lines={6}>
      {(policies) =>
        bundle.may_modify ? (
          <PoliciesEditor bundle={bundle} policies={policies} />
        ) : (
          <PoliciesFacts bundle={bundle} policies={policies} />
        )
      }
    </Loaded>
  );
}

function PoliciesFacts({ bundle, policies }: { bundle: Bundle; policies: BundlePolicies }) {
  const names = useNames(bundle, policies.rules);
  return (
    <Stack gap="wide">
      <Quiet>{policiesWords.help}</Quiet>
      <Facts facts={[[policiesWords.defaults.title, policiesWords.defaults.values[policies.default_access][0]]]} />
      <Section title={policiesWords.rules.title}>
        <Quiet>{policiesWords.rules.help}</Quiet>
        <RuleList rules={policies.rules} names={names} />
      </Section>
      <Quiet>{policiesWords.onlyEditors}</Quiet>
    </Stack>
  );
}
