import { Link } from '@tanstack/react-router';
import type { Answer } from '../../api/client';
import { useSignedIn } from '../../api/me';
import { number, t } from '../../messages/text';
import { transportName } from '../../ui/listing-card';
import { OtherText } from '../../ui/other-text';
import styles from './catalogue.module.css';
import { type CatalogueSearch, type Filter, SCOPES } from './filters';

const text = t.catalogue;

interface FacetsProps {
  id: string;
  search: CatalogueSearch;
  /** Undefined until they are read; the scopes are there before. */
  facets: Answer<'GET /v1/mcp/listings/facets'> | undefined;
  isOpen: boolean;
}

/** What a search can be narrowed by, each with its count. */
export function Facets({ id, search, facets, isOpen }: FacetsProps) {
  const me = useSignedIn();
  const scope = search.org === undefined ? (SCOPES.find((one) => one === search.scope) ?? 'visible') : undefined;
  return (
    <aside id={id} className={styles.facets} aria-label={text.filters} data-open={isOpen}>
      <div className={styles.facet}>
        <h2>{text.scope}</h2>
        <ul>
          {SCOPES.map((one) => (
            <Choice
              key={one}
              label={text.scopes[one]}
              isChosen={one === scope}
              search={{ ...search, scope: one, org: undefined }}
            />
          ))}
          {me.organisations
            .filter(({ role }) => role !== null)
            .map(({ org_id, name }) => (
              <Choice
                key={org_id}
                label={name}
                isChosen={org_id === search.org}
                search={{ ...search, org: org_id, scope: undefined }}
              />
            ))}
        </ul>
      </div>
      <Facet
        title={text.category}
        filter="category"
        search={search}
        values={facets?.categories.map(({ category, name, count }) => [category, name, count])}
      />
      <Facet
        title={text.transport}
        filter="transport"
        search={search}
        values={facets?.transports.map(({ transport, count }) => [transport, transportName(transport), count])}
      />
      <Facet
        title={text.registry}
        filter="registry"
        search={search}
        values={facets?.registry_types.map(({ registry_type, count }) => [registry_type, registry_type, count])}
      />
    </aside>
  );
}

interface FacetProps {
  title: string;
  filter: Filter;
  search: CatalogueSearch;
  /** Value, text and count. */
  values: readonly (readonly [string, string, number])[] | undefined;
}

function Facet({ title, filter, search, values = [] }: FacetProps) {
  if (values.length === 0) return null;
  return (
    <div className={styles.facet}>
      <h2>{title}</h2>
      <ul>
        {values.map(([value, label, count]) => (
          <Choice
            key={value}
            label={label}
            count={count}
            isChosen={search[filter] === value}
            search={{ ...search, [filter]: search[filter] === value ? undefined : value }}
          />
        ))}
      </ul>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  count?: number;
  isChosen: boolean;
  search: CatalogueSearch;
}

const Choice = ({ label, count, isChosen, search }: ChoiceProps) => (
  <li>
    <Link to="/catalogue" search={search} aria-current={isChosen || undefined} resetScroll={false}>
      <OtherText>{label}</OtherText>
      {count !== undefined && <span className={styles.count}>{number(count)}</span>}
    </Link>
  </li>
);
