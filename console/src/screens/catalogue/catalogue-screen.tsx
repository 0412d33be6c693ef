import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { readAhead, useList, useRead } from '../../api/queries';
import { number, t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Grid, Quiet, Stack } from '../../ui/layout';
import { ListingCard, ListingRow } from '../../ui/listing-card';
import { shown } from '../../ui/other-text';
import { Problem, Skeleton } from '../../ui/problem';
import { More, Rows } from '../../ui/rows';
import { Screen } from '../../ui/screen';
import styles from './catalogue.module.css';
import { Facets } from './facets';
import { type CatalogueSearch, FILTERS, filterOf, sortOf, SORTS, withoutFilters } from './filters';
import { valueName } from './value-name';
import { NoHit } from './no-hit';
import { SearchField } from './search-field';

const text = t.catalogue;
const PAGE = 20;
/** From here on cards would be too much for a page; rows are windowed. */
const MAX_CARDS = 300;

/** @returns what to ask for the servers that a search finds */
const asked = (search: CatalogueSearch) => ({ query: { ...filterOf(search), sort: sortOf(search), limit: PAGE } });

/** All servers that a person can see, found by words and narrowed by facets. Everything is in the address. */
export function CatalogueScreen() {
  const search: CatalogueSearch = useSearch({ from: '/catalogue' });
  const navigate = useNavigate({ from: '/catalogue' });
  const [showsFilters, setShowsFilters] = useState(false);
  const facetsId = useId();
  const filter = filterOf(search);
  const sort = sortOf(search);
  const list = useList('GET /v1/mcp/listings', asked(search), { keepsFormer: true });
  // The servers come first: counting them all would take their time.
  const isListed = !list.isPending && !list.isPlaceholderData;
  const facets = useRead('GET /v1/mcp/listings/facets', { query: filter }, { keepsFormer: true, enabled: isListed });
  const change = (changed: CatalogueSearch, replace = false) =>
    void navigate({ search: { ...search, ...changed }, replace, resetScroll: false });
  const chosen = FILTERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]] as const]));
  const isTooLong = list.items.length > MAX_CARDS;
  const isRows = search.view === 'rows' || isTooLong;
  return (
    <Screen title={text.title}>
      <div className={styles.bar}>
        <SearchField
          value={search.q ?? ''}
          onChange={(q) => {
            // Each of the cards that are there is a link, which the new address renders again.
            readAhead('GET /v1/mcp/listings', asked({ ...search, q }));
            change({ q }, true);
          }}
        />
        <label className={styles.sort}>
          {text.sort}{' '}
          <select value={sort} onChange={(event) => change({ sort: event.target.value })}>
            {SORTS.filter((one) => one !== 'relevance' || filter.search !== undefined).map((one) => (
              <option key={one} value={one}>
                {text.sorts[one]}
              </option>
            ))}
          </select>
        </label>
        <fieldset className={styles.view} aria-label={text.view}>
          <Button
            icon="cards"
            aria-label={text.cards}
            aria-pressed={!isRows}
            disabled={isTooLong}
            title={isTooLong ? text.tooManyCards(number(MAX_CARDS)) : undefined}
            onClick={() => change({ view: 'cards' })}
          />
          <Button icon="rows" aria-label={text.rows} aria-pressed={isRows} onClick={() => change({ view: 'rows' })} />
        </fieldset>
        <Button
          className={styles.toggle}
          aria-expanded={showsFilters}
          aria-controls={facetsId}
          onClick={() => setShowsFilters(!showsFilters)}
        >
          {text.filterButton(chosen.length)}
        </Button>
      </div>
      <div className={styles.page}>
        <Facets id={facetsId} search={search} facets={facets.data} isOpen={showsFilters} />
        <Stack>
          <div className={styles.chosen}>
            {chosen.map(([name, value]) => {
              const label = shown(valueName(name, value, facets.data));
              return (
                <Button
                  key={name}
                  icon="close"
                  aria-label={text.removeFilter(label)}
                  onClick={() => change({ [name]: undefined })}
                >
                  {label}
                </Button>
              );
            })}
            <span aria-live="polite">
              <Quiet>
                {list.isPlaceholderData || facets.isPlaceholderData || (facets.isPending && !facets.error)
                  ? text.searching
                  : facets.data && text.found(facets.data.total, number(facets.data.total))}
              </Quiet>
            </span>
          </div>
          {facets.error && <Problem error={facets.error} onRetry={() => void facets.refetch()} />}
          <Results
            list={list}
            isRows={isRows}
            search={search}
            onClear={() => void navigate({ search: withoutFilters(search) })}
          />
        </Stack>
      </div>
    </Screen>
  );
}

interface ResultsProps {
  list: ReturnType<typeof useList<'GET /v1/mcp/listings'>>;
  isRows: boolean;
  search: CatalogueSearch;
  onClear: () => void;
}

function Results({ list, isRows, search, onClear }: ResultsProps) {
  const empty = <NoHit search={search} onClear={onClear} />;
  if (isRows) {
    return (
      <Rows
        list={list}
        keyOf={({ id }) => id}
        row={(listing) => <ListingRow listing={listing} />}
        label={text.results}
        empty={empty}
        height={76}
      />
    );
  }
  if (list.data === undefined) {
    return list.error ? <Problem error={list.error} onRetry={() => void list.refetch()} /> : <Skeleton lines={8} />;
  }
  if (list.items.length === 0) return empty;
  return (
    <>
      <Grid>
        {list.items.map((listing) => (
          <ListingCard key={listing.id} listing={listing} />
        ))}
      </Grid>
      <More list={list} />
    </>
  );
}
