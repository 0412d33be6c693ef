import { useNavigate, useSearch } from '@tanstack/react-router';
import { useList } from '../../../api/queries';
import { SelectInput } from '../../../ui/field';
import { Grid, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { SearchField } from '../search-field';
import { ArchiveDialog } from './archive-dialog';
import { ModeratedListing } from './moderated-listing';
import { RestoreDialog } from './restore-dialog';
import { words } from './words';

const text = words.listings;
const STATUSES = ['PUBLISHED', 'ARCHIVED'] as const;

/** All servers that are or were public; what is done with one is in the address, so that it survives a sign-in. */
export function ListingsTab() {
  const search = useSearch({ from: '/platform/moderation' });
  const navigate = useNavigate({ from: '/platform/moderation' });
  const status = STATUSES.find((one) => one === search.status);
  const query = { scope: 'moderated', search: search.q, status } as const;
  const list = useList('GET /v1/mcp/listings', { query }, { keepsFormer: true });
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true, resetScroll: false });
  const isNarrowed = search.q !== undefined || status !== undefined;
  const found = (id: string | undefined) => list.items.find((listing) => listing.id === id);
  const [archiving, restoring] = [found(search.archive), found(search.restore)];
  return (
    <Stack>
      <Grid>
        <SearchField label={text.search} value={search.q ?? ''} onChange={(q) => change({ q })} />
        <SelectInput
          label={text.status}
          value={status ?? ''}
          onChange={(event) => change({ status: event.target.value })}
          options={(['', ...STATUSES] as const).map((one) => [one, text.statuses[one]] as const)}
        />
      </Grid>
      <Rows
        list={list}
        label={text.label}
        keyOf={({ id }) => id}
        row={(listing) => (
          <ModeratedListing
            listing={listing}
            onArchive={() => change({ archive: listing.id })}
            onRestore={() => change({ restore: listing.id })}
          />
        )}
        height={88}
        readsOn
        empty={
          <Empty>
            <p>{isNarrowed ? text.notFound : text.none}</p>
            <p>{isNarrowed ? text.notFoundHelp : text.noneHelp}</p>
          </Empty>
        }
      />
      {archiving && <ArchiveDialog listing={archiving} onClose={() => change({ archive: undefined })} />}
      {restoring && <RestoreDialog listing={restoring} onClose={() => change({ restore: undefined })} />}
    </Stack>
  );
}
