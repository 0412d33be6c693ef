import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client';
import type { ApiProblem } from '../../../api/problem';
import { useList, useRead } from '../../../api/queries';
import type { AllowedListing, ListingBundle } from '../../../api/schema';
import { number, t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Checks } from '../../../ui/checks';
import { Dialog } from '../../../ui/dialog';
import { Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Loaded, Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import styles from './allow-list.module.css';
import { enabledIn } from './effects';
import { CHANGED } from './use-allow';
import { words } from './words';

const text = words.stop;

interface StopDialogProps {
  orgId: string;
  listingId: string;
  onClose: () => void;
}

/** Says by what a server is allowed, and takes away what the person chooses of it. */
export function StopDialog({ orgId, listingId, onClose }: StopDialogProps) {
  const listing = useRead('GET /v1/mcp/listings/{listing_id}', { path: { listing_id: listingId } });
  const name = listing.data?.name;
  const allowed = useRead(
    'GET /v1/organisations/{org_id}/allowed-listings',
    { path: { org_id: orgId }, query: { search: name ?? '', limit: 100 } },
    { enabled: name !== undefined },
  );
  const having = useList('GET /v1/mcp/listings/{listing_id}/bundles', {
    path: { listing_id: listingId },
    query: { limit: 100 },
  });
  const row = allowed.data?.find(({ listing_id: id }) => id === listingId);
  const read = {
    data: having.data !== undefined && allowed.data !== undefined ? having.items : undefined,
    error: listing.error ?? having.error ?? allowed.error,
    refetch: () => [listing, having, allowed].forEach((one) => void one.refetch()),
  };
  return (
    <Dialog open onClose={onClose} title={text.title(shown(listing.data?.title ?? ''))}>
      <Loaded read={read} lines={4}>
        {(items) => (
          <StopForm
            orgId={orgId}
            title={shown(listing.data?.title)}
            listingId={listingId}
            row={row}
            having={items}
            onClose={onClose}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

interface StopFormProps extends StopDialogProps {
  title: string;
  /** Undefined: it is not allowed any more. */
  row: AllowedListing | undefined;
  having: readonly ListingBundle[];
}

function StopForm({ orgId, title, listingId, row, having, onClose }: StopFormProps) {
  const { changeable, others } = enabledIn(orgId, having);
  const [ids, setIds] = useState(() => changeable.map(({ id }) => id));
  const stop = useStop();
  const isOwn = row?.rules.includes('own_listing') ?? false;
  const deployed = row?.deployed_bundles ?? [];
  const isWhole = !isOwn && deployed.length === 0 && others.length === 0 && ids.length === changeable.length;
  const confirm = () =>
    stop.mutate(
      changeable.filter(({ id }) => ids.includes(id)),
      {
        onSuccess: () => {
          notify(text.done(title));
          onClose();
        },
      },
    );
  return (
    <Stack>
      {isOwn && (
        <p>
          {text.own}{' '}
          <Link to="/servers/$listingId" params={{ listingId }}>
            {text.toServer}
          </Link>
        </p>
      )}
      {changeable.length > 0 ? (
        <>
          <Checks
            legend={text.bundles}
            values={ids}
            onChange={setIds}
            options={changeable.map(
              (one) => [one.id, text.bundle(shown(one.name), number(one.follower_count))] as const,
            )}
          />
          <p>{text.settings}</p>
        </>
      ) : (
        <p>{text.none}</p>
      )}
      {others.length > 0 && (
        <>
          <p>{text.notYours}</p>
          <Names bundles={others} />
        </>
      )}
      {deployed.length > 0 && (
        <>
          <p>{text.deployments}</p>
          <Names bundles={deployed} />
        </>
      )}
      <p className={styles.warning} role="status">
        {isWhole ? text.wholly : text.partly}
      </p>
      {stop.error && <Problem error={stop.error} />}
      <Row>
        {changeable.length > 0 && (
          <Button look="danger" busy={stop.isPending} disabled={ids.length === 0} onClick={confirm}>
            {text.confirm}
          </Button>
        )}
        <Button onClick={onClose}>{t.ui.cancel}</Button>
      </Row>
    </Stack>
  );
}

const Names = ({ bundles }: { bundles: readonly { id: string; name: string }[] }) => (
  <ul className={styles.plain}>
    {bundles.map(({ id, name }) => (
      <li key={id}>
        <Link to="/bundles/$bundleId" params={{ bundleId: id }}>
          <OtherText>{name}</OtherText>
        </Link>
      </li>
    ))}
  </ul>
);

/** Disables a server in one bundle after the other; what was done stays done if a later one fails. */
function useStop() {
  const client = useQueryClient();
  return useMutation<void, ApiProblem, readonly ListingBundle[]>({
    mutationFn: async (bundles) => {
      for (const { id, entry_id: entryId } of bundles) {
        await call('PATCH /v1/bundles/{bundle_id}/entries', {
          path: { bundle_id: id },
          body: { update: [{ id: entryId, is_enabled: false }], note: text.note },
        });
      }
    },
    onSettled: () => {
      for (const changed of CHANGED) void client.invalidateQueries({ queryKey: [changed] });
    },
  });
}
