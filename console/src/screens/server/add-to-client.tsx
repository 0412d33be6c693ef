import { lazy, Suspense } from 'react';
import type { InstallClient, ListingDetail } from '../../api/schema';
import { Button } from '../../ui/button';
import { Quiet } from '../../ui/layout';
import { CLIENTS, clientNamed, lastClient, rememberClient } from './clients';
import { serverRoute } from './server-route';
import styles from './server.module.css';
import { words } from './words';

const InstallDialog = lazy(() => import('./install-dialog'));

/** The main action: puts the server into an editor. The client is in the address, so the dialog can be shared. */
export function AddToClient({ listing }: { listing: ListingDetail }) {
  const search = serverRoute.useSearch();
  const navigate = serverRoute.useNavigate();
  const chosen = clientNamed(search.client);
  const first = lastClient();
  const choose = (client: InstallClient | undefined, replace = false) => {
    if (client) rememberClient(client);
    void navigate({ search: { ...search, client }, replace, resetScroll: false });
  };
  return (
    <div className={styles.add} role="group" aria-label={words.add.group}>
      <Button look="primary" icon="download" onClick={() => choose(first)}>
        {words.add.title(words.clients[first])}
      </Button>
      <Quiet>{words.add.or}</Quiet>
      {CLIENTS.filter((client) => client !== first).map((client) => (
        <Button key={client} aria-label={words.add.title(words.clients[client])} onClick={() => choose(client)}>
          {words.clients[client]}
        </Button>
      ))}
      {chosen && (
        <Suspense>
          <InstallDialog
            listing={listing}
            client={chosen}
            onChoose={(client) => choose(client, true)}
            onClose={() => choose(undefined, true)}
          />
        </Suspense>
      )}
    </div>
  );
}
