import { useList } from '../../../api/queries';
import type { AllowanceRule } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { SelectInput, TextInput } from '../../../ui/field';
import { Quiet, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { useTyped } from '../../../ui/use-typed';
import styles from './allow-list.module.css';
import { AllowedRow } from './allowed-row';
import { usePlace } from './use-place';
import { words } from './words';

const RULES = ['bundle', 'own_listing', 'deployment'] as const satisfies readonly AllowanceRule[];

/** The servers that are allowed, each with why. */
export function ServersTab() {
  const { orgId, search, go } = usePlace();
  const rule = RULES.find((one) => one === search.rule);
  const list = useList(
    'GET /v1/organisations/{org_id}/allowed-listings',
    {
      path: { org_id: orgId },
      query: { limit: 50, ...(search.q !== undefined && { search: search.q }), ...(rule !== undefined && { rule }) },
    },
    // Not while a window is open that asks for more: it may be what a person came for.
    { keepsFormer: true, enabled: search.allow === undefined && search.stop === undefined },
  );
  const isFiltered = search.q !== undefined || rule !== undefined;
  return (
    <Stack>
      <Quiet>{words.help}</Quiet>
      <div className={styles.filters}>
        <Search key={search.q === undefined ? 'empty' : 'typed'} />
        <SelectInput
          label={words.rule}
          value={rule ?? ''}
          onChange={(event) => go({ rule: event.target.value }, true)}
          options={[['', words.anyRule], ...RULES.map((one) => [one, words.rules[one]] as const)]}
        />
      </div>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ listing_id }) => listing_id}
        row={(listing) => <AllowedRow listing={listing} onStop={() => go({ stop: listing.listing_id })} />}
        height={92}
        empty={
          isFiltered ? (
            <Empty>
              <p>{words.noHit}</p>
              <Button onClick={() => go({ q: undefined, rule: undefined }, true)}>{words.clear}</Button>
            </Empty>
          ) : (
            <Empty>
              <p>{words.none}</p>
              <p>{words.noneHelp}</p>
            </Empty>
          )
        }
      />
    </Stack>
  );
}

function Search() {
  const { search, go } = usePlace();
  const [typed, setTyped] = useTyped(search.q ?? '', (q) => go({ q: q === '' ? undefined : q }, true));
  return (
    <TextInput
      label={words.search}
      type="search"
      isFilter
      value={typed}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
