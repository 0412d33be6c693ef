import { useState } from 'react';
import { useRead } from '../../api/queries';
import type { InstallClient, ListingDetail } from '../../api/schema';
import { Choice } from '../../ui/choice';
import { Dialog } from '../../ui/dialog';
import { shown } from '../../ui/other-text';
import { Loaded } from '../../ui/problem';
import type { Typed } from '../../ui/setup/fill';
import { SetupPanel } from '../../ui/setup/setup-panel';
import { CLIENTS } from './clients';
import { words } from './words';

interface InstallDialogProps {
  listing: ListingDetail;
  client: InstallClient;
  onChoose: (client: InstallClient) => void;
  onClose: () => void;
}

/** How the server gets into a client. What was typed for one client is there for the next; it goes with the dialog. */
export default function InstallDialog({ listing, client, onChoose, onClose }: InstallDialogProps) {
  const [typed, setTyped] = useState<Typed>({});
  const read = useRead('GET /v1/mcp/listings/{listing_id}/install', {
    path: { listing_id: listing.id },
    query: { client },
  });
  return (
    <Dialog open onClose={onClose} title={words.add.dialog(shown(listing.title), words.clients[client])} wide>
      <Choice
        legend={words.add.client}
        value={client}
        onChange={onChoose}
        options={CLIENTS.map((one) => [one, words.clients[one]] as const)}
      />
      <Loaded read={read} lines={6}>
        {(setup) => (
          <SetupPanel key={client} setup={setup} clientName={words.clients[client]} typed={typed} onTyped={setTyped} />
        )}
      </Loaded>
    </Dialog>
  );
}
