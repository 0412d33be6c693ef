import { useNavigate, useSearch } from '@tanstack/react-router';
import { useList, useRead } from '../../../api/queries';
import type { OAuthClient } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { PlatformFrame } from '../platform-frame';
import { ClientDialog, DEEDS, type Deed } from './client-dialog';
import { ClientRow } from './client-row';
import { CreateClient } from './create-client';
import { words } from './words';

/** The programs that may ask people for access, and those of the company. What is done is in the address. */
export function ClientsScreen() {
  const navigate = useNavigate({ from: '/platform/clients' });
  const create = (
    <Button look="primary" icon="plus" onClick={() => void navigate({ search: { do: 'create' } })}>
      {words.create}
    </Button>
  );
  return (
    <PlatformFrame title={words.title} actions={create}>
      <Clients />
    </PlatformFrame>
  );
}

function Clients() {
  const search = useSearch({ from: '/platform/clients' });
  const navigate = useNavigate({ from: '/platform/clients' });
  const list = useList('GET /v1/oauth-clients', {});
  const open = (client?: string, deed?: Deed) =>
    void navigate({ search: { client, do: deed }, replace: true, resetScroll: false });
  return (
    <>
      <p>{words.help}</p>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(client) => <ClientRow client={client} onDo={(deed) => open(client.id, deed)} />}
        height={200}
        readsOn
        empty={
          <Empty>
            <p>{words.empty}</p>
            <p>{words.emptyHelp}</p>
          </Empty>
        }
      />
      {search.do === 'create' && <CreateClient onClose={() => open()} />}
      {search.client !== undefined && list.data !== undefined && (
        <FoundDialog
          key={search.client}
          id={search.client}
          listed={list.items.find(({ id }) => id === search.client)}
          deed={DEEDS.find((deed) => deed === search.do)}
          onClose={() => open()}
        />
      )}
    </>
  );
}

interface FoundDialogProps {
  id: string;
  /** The client, if the list has it. */
  listed: OAuthClient | undefined;
  deed: Deed | undefined;
  onClose: () => void;
}

/** The client of the address, which may be on a later page of the list. */
function FoundDialog({ id, listed, deed, onClose }: FoundDialogProps) {
  const read = useRead('GET /v1/oauth-clients/{client_id}', { path: { client_id: id } }, { enabled: !listed });
  const client = listed ?? read.data;
  if (deed === undefined || client === undefined) return null;
  return <ClientDialog client={client} deed={deed} onClose={onClose} />;
}
