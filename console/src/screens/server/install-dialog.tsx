import { useState } from 'react';
import { useRead } from '../../api/queries';
import type { InstallClient, ListingDetail } from '../../api/schema';
import { listOf } from '../../messages/text';
import { Choice } from '../../ui/choice';
import { Dialog } from '../../ui/dialog';
import { Icon } from '../../ui/icon';
import { shown } from '../../ui/other-text';
import { Loaded } from '../../ui/problem';
import type { Typed } from '../../ui/setup/fill';
import { SetupPanel } from '../../ui/setup/setup-panel';
import { CLIENTS } from './clients';
import { useAllowances } from './use-allowances';
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
      <NotAllowed listing={listing} />
      <Loaded read={read} lines={6}>
        {(setup) => (
          <SetupPanel key={client} setup={setup} clientName={words.clients[client]} typed={typed} onTyped={setTyped} />
        )}
      </Loaded>
    </Dialog>
  );
}

/** Says that the person's organisations do not allow the server: it can be added, and is better asked for. */
function NotAllowed({ listing }: { listing: ListingDetail }) {
  const { list } = useAllowances(listing.id);
  const refusing = list.items.filter(({ is_allowed: isAllowed }) => !isAllowed);
  if (refusing.length === 0 || refusing.length < list.items.length) return null;
  const names = listOf(refusing.map(({ organisation_name: name }) => shown(name)));
  return (
    <p>
      <Icon name="lock" /> {words.add.notAllowed(refusing.length, names)}
    </p>
  );
}
