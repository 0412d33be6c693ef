import { Link } from '@tanstack/react-router';
import { useSignedIn } from '../../../../api/me';
import { useRead } from '../../../../api/queries';
import type { Bundle } from '../../../../api/schema';
import { buttonClass } from '../../../../ui/button';
import { Empty, Loaded } from '../../../../ui/problem';
import { isForbidden } from '../forbidden';
import type { Detail } from '../rule-tools';
import { toolsWords } from '../words';
import { TrialForm } from './trial-form';

const words = toolsWords.try;

interface TryToolProps {
  bundle: Bundle;
  detail: Detail;
}

/** Calls a tool as oneself, under the same rules and limits as a client. */
export function TryTool({ bundle, detail }: TryToolProps) {
  const me = useSignedIn();
  const endpoint = useRead('GET /v1/bundles/{bundle_id}/endpoint', { path: { bundle_id: bundle.id } });
  const { shown: definition, state } = detail;
  if (definition === null || state === 'GONE') return <Empty>{words.notOffered[state]}</Empty>;
  if (isForbidden(detail)) return <Empty>{toolsWords.notForYouHelp}</Empty>;
  return (
    <Loaded read={endpoint}>
      {({ is_enabled: isOn }) =>
        isOn ? (
          <TrialForm key={detail.digest} bundle={bundle} detail={detail} definition={definition} person={me.name} />
        ) : (
          <Empty>
            <p>{words.endpointOff}</p>
            {bundle.may_modify ? (
              <Link
                to="/bundles/$bundleId"
                params={{ bundleId: bundle.id }}
                search={{ tab: 'endpoint' }}
                className={buttonClass()}
              >
                {words.toEndpoint}
              </Link>
            ) : (
              <p>{words.endpointOffOthers}</p>
            )}
          </Empty>
        )
      }
    </Loaded>
  );
}
