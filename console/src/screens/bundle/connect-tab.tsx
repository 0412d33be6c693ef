import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useList, useRead } from '../../api/queries';
import type { Bundle, BundleConnect, EndpointClient } from '../../api/schema';
import { listOf } from '../../messages/text';
import { Button } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { Quiet, Stack } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Empty, Loaded, Problem } from '../../ui/problem';
import type { Typed } from '../../ui/setup/fill';
import { SetupPanel } from '../../ui/setup/setup-panel';
import { notify } from '../../ui/toasts';
import { BundleToken } from './bundle-token';
import { bundleRoute } from './bundle-route';
import { oneOf } from './one-of';
import { useNewToken } from './tokens/new-token';
import { bundleWords } from './words';

const words = bundleWords.connecting;

const CLIENTS = ['vscode', 'cursor', 'claude-code', 'claude-desktop', 'curl'] as const satisfies EndpointClient[];
const WAYS = ['oauth', 'token'] as const;

/** How a client gets the endpoint of the bundle. */
export function ConnectTab({ bundle }: { bundle: Bundle }) {
  const search = bundleRoute.useSearch();
  const navigate = bundleRoute.useNavigate();
  const client = oneOf(CLIENTS, search.client);
  // curl cannot sign in, and the API refuses to be asked for that.
  const by = client === 'curl' ? undefined : oneOf(WAYS, search.by);
  const choose = (next: { client?: string; by?: string | undefined }) =>
    void navigate({ search: { tab: 'connect', client, by: search.by, ...next }, replace: true });
  const read = useRead('GET /v1/bundles/{bundle_id}/connect', {
    path: { bundle_id: bundle.id },
    query: { client, authentication: by },
  });
  return (
    <Stack>
      <Choice
        legend={words.client}
        value={client}
        onChange={(next) => choose({ client: next })}
        options={CLIENTS.map((one) => [one, words.clients[one]] as const)}
      />
      {by !== undefined && client !== 'claude-desktop' && read.data?.problem?.reason !== 'endpoint_off' && (
        <Choice
          legend={words.by}
          value={by}
          onChange={(next) => choose({ by: next })}
          options={WAYS.map((way) => [way, words.ways[way]] as const)}
        />
      )}
      <Loaded read={read} lines={6}>
        {(setup) =>
          setup.problem?.reason === 'endpoint_off' ? (
            <EndpointOff bundle={bundle} />
          ) : (
            <Setup bundle={bundle} setup={setup} client={client} />
          )
        }
      </Loaded>
    </Stack>
  );
}

function Setup({ bundle, setup, client }: { bundle: Bundle; setup: BundleConnect; client: EndpointClient }) {
  const { token, keep, forget } = useNewToken(bundle.id);
  const [typed, setTyped] = useState<Typed>({});
  // A token that was just created is filled in; what a person types there counts more.
  const field = setup.inputs.find(({ is_secret: isSecret }) => isSecret)?.name;
  const given = token === undefined || field === undefined ? {} : { [field]: token };
  return (
    <Stack>
      {setup.authentication === 'token' && (
        <BundleToken
          bundle={bundle}
          token={token}
          onCreated={(created) => {
            if (field !== undefined) setTyped(({ [field]: _former, ...others }) => others);
            keep(created);
          }}
          onDone={() => {
            setTyped({ ...given, ...typed });
            forget();
          }}
        />
      )}
      <h2>{words.setUp(words.clients[client])}</h2>
      <SetupPanel
        key={`${client} ${setup.authentication}`}
        setup={setup}
        clientName={words.clients[client]}
        typed={{ ...given, ...typed }}
        onTyped={setTyped}
      />
      <Needs bundle={bundle} />
    </Stack>
  );
}

/** What is missing before every server of the bundle can be used. */
function Needs({ bundle }: { bundle: Bundle }) {
  const { items } = useList('GET /v1/bundles/{bundle_id}/credential-needs', {
    path: { bundle_id: bundle.id },
    query: { limit: 100 },
  });
  const notServed = items.filter(({ reason }) => reason !== null).map(({ key }) => shown(key));
  const needsAccount = items.some(({ reason, credential_mode: mode }) => reason === null && mode !== 'NONE');
  if (notServed.length === 0 && !needsAccount) return null;
  return (
    <p>
      {notServed.length > 0 && <>{words.notServed(notServed.length, listOf(notServed))} </>}
      {needsAccount && <Quiet>{words.accountsFirst}</Quiet>}{' '}
      <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} search={{ tab: 'accounts' }}>
        {words.toAccounts}
      </Link>
    </p>
  );
}

function EndpointOff({ bundle }: { bundle: Bundle }) {
  const change = useChange('PATCH /v1/bundles/{bundle_id}/endpoint', ['GET /v1/bundles/{bundle_id}/connect']);
  const turnOn = () =>
    change.mutate(
      { path: { bundle_id: bundle.id }, body: { is_enabled: true } },
      { onSuccess: () => notify(words.turnedOn) },
    );
  return (
    <Empty>
      <h2>{words.off}</h2>
      <p>{words.offHelp}</p>
      {bundle.may_modify ? (
        <Button busy={change.isPending} onClick={turnOn}>
          {words.turnOn}
        </Button>
      ) : (
        <p>{words.offOthers}</p>
      )}
      {change.error && <Problem error={change.error} />}
      <Needs bundle={bundle} />
    </Empty>
  );
}
