import { useState } from 'react';
import { useSignedIn } from '../../../api/me';
import { useList } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { hasDraft } from '../../../ui/draft';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { isInsider } from '../bundle-roles';
import { AddDeployment } from './deployment-dialogs';
import { DeploymentLine } from './deployment-line';
import { deploymentsWords as words } from './words';

/** Where the versions of the bundle run. Members see it, editors change it. */
export default function DeploymentsTab({ bundle }: { bundle: Bundle }) {
  const me = useSignedIn();
  return isInsider(bundle, me) ? <Deployments bundle={bundle} /> : <Empty>{words.forMembers}</Empty>;
}

function Deployments({ bundle }: { bundle: Bundle }) {
  const list = useList('GET /v1/bundles/{bundle_id}/deployments', {
    path: { bundle_id: bundle.id },
    query: { limit: 50 },
  });
  const [isAdding, setAdding] = useState(() => bundle.may_modify && hasDraft(`deployment.of.${bundle.id}`));
  return (
    <Stack>
      <Row between>
        <Quiet>{words.help}</Quiet>
        {bundle.may_modify && (
          <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )}
      </Row>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(deployment) => <DeploymentLine bundle={bundle} deployment={deployment} />}
        height={120}
        empty={
          <Empty>
            <p>{words.none}</p>
            <p>{bundle.may_modify ? words.noneHelp : words.onlyEditors}</p>
          </Empty>
        }
      />
      {!bundle.may_modify && list.items.length > 0 && <Quiet>{words.onlyEditors}</Quiet>}
      {isAdding && <AddDeployment bundle={bundle} onClose={() => setAdding(false)} />}
    </Stack>
  );
}
