import { useNavigate, useSearch } from '@tanstack/react-router';
import { useList, useRead } from '../../../api/queries';
import type { User } from '../../../api/schema';
import { SelectInput } from '../../../ui/field';
import { Grid, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { SearchField } from '../search-field';
import { AccountDialog, DEEDS } from './account-dialog';
import { AccountRow } from './account-row';
import { words } from './words';

const STATES = ['ACTIVE', 'WAITING', 'CLOSED'] as const;

/**
 * All accounts, each with why it is there. What is done with one is in the address, so that it survives a sign-in, which
 * some of it takes.
 */
export function AccountsTab() {
  const search = useSearch({ from: '/platform/people' });
  const navigate = useNavigate({ from: '/platform/people' });
  const state = STATES.find((one) => one === search.state);
  const list = useList('GET /v1/users', { query: { search: search.q, state } }, { keepsFormer: true });
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true, resetScroll: false });
  const isNarrowed = search.q !== undefined || state !== undefined;
  return (
    <Stack>
      <Grid>
        <SearchField label={words.search} value={search.q ?? ''} onChange={(q) => change({ q })} />
        <SelectInput
          label={words.state}
          value={state ?? ''}
          onChange={(event) => change({ state: event.target.value })}
          options={[['', words.anyState], ...STATES.map((one) => [one, words.states[one]] as const)]}
        />
      </Grid>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(user) => <AccountRow user={user} onDo={(deed) => change({ person: user.id, do: deed })} />}
        height={96}
        readsOn
        empty={
          <Empty>
            <p>{isNarrowed ? words.notFound : words.none}</p>
            <p>{words.notFoundHelp}</p>
          </Empty>
        }
      />
      {search.person !== undefined && list.data !== undefined && (
        <FoundDialog
          key={search.person}
          id={search.person}
          listed={list.items.find(({ id }) => id === search.person)}
          deed={DEEDS.find((deed) => deed === search.do)}
          onClose={() => change({ person: undefined, do: undefined })}
        />
      )}
    </Stack>
  );
}

interface FoundDialogProps {
  id: string;
  /** The account, if the list has it. */
  listed: User | undefined;
  deed: (typeof DEEDS)[number] | undefined;
  onClose: () => void;
}

/** The account of the address, which may be on a later page of the list, or gone from it by what was done. */
function FoundDialog({ id, listed, deed, onClose }: FoundDialogProps) {
  const read = useRead('GET /v1/users/{user_id}', { path: { user_id: id } }, { enabled: listed === undefined });
  const user = listed ?? read.data;
  if (deed === undefined || user === undefined) return null;
  return <AccountDialog user={user} deed={deed} onClose={onClose} />;
}
