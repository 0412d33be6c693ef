import { getRouteApi, Link } from '@tanstack/react-router';
import { useSignedIn } from '../../api/me';
import { useList } from '../../api/queries';
import type { BundleScope } from '../../api/schema';
import { Button, buttonClass } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { SelectInput } from '../../ui/field';
import { shown } from '../../ui/other-text';
import { Empty, Problem, Skeleton } from '../../ui/problem';
import { More } from '../../ui/rows';
import { Screen } from '../../ui/screen';
import styles from './bundle.module.css';
import { BundleCard } from './bundle-card';
import { CreateBundle } from './create-bundle';
import { oneOf } from './one-of';
import { bundleWords } from './words';

const words = bundleWords.list;
const route = getRouteApi('/bundles');

const SCOPES = ['mine', 'organisations', 'followed', 'public'] as const satisfies BundleScope[];

/** The bundles that concern a person, and those that everyone sees. */
export function BundlesScreen() {
  const me = useSignedIn();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const organisations = me.organisations.filter(({ role, suspended }) => role !== null && !suspended);
  const scope = oneOf(SCOPES, search.scope ?? (organisations.length > 0 ? 'organisations' : 'mine'));
  // Nobody without an organisation has bundles of one; an address that says so is answered all the same.
  const scopes = SCOPES.filter((one) => one !== 'organisations' || organisations.length > 0 || scope === one);
  const org = scope === 'organisations' ? organisations.find(({ org_id }) => org_id === search.org)?.org_id : undefined;
  const create = (isOpen: boolean) => void navigate({ search: { ...search, create: isOpen ? '1' : undefined } });
  return (
    <Screen
      title={words.title}
      actions={
        <Button look="primary" icon="plus" onClick={() => create(true)}>
          {bundleWords.create.action}
        </Button>
      }
    >
      <p>{words.help}</p>
      <div className={styles.choices}>
        <Choice
          legend={words.scope}
          value={scope}
          onChange={(next) => void navigate({ search: { scope: next } })}
          options={scopes.map((one) => [one, words.scopes[one]] as const)}
        />
        {scope === 'organisations' && organisations.length > 1 && (
          <SelectInput
            label={words.organisation}
            value={org ?? ''}
            onChange={(event) => void navigate({ search: { scope, org: event.target.value } })}
            options={[
              ['', words.everyOrganisation],
              ...organisations.map(({ org_id, name }) => [org_id, shown(name)] as const),
            ]}
          />
        )}
      </div>
      <BundleCards key={`${scope} ${org}`} scope={scope} org={org} onCreate={() => create(true)} />
      {search.create !== undefined && <CreateBundle onClose={() => create(false)} />}
    </Screen>
  );
}

interface BundleCardsProps {
  scope: BundleScope;
  org: string | undefined;
  onCreate: () => void;
}

function BundleCards({ scope, org, onCreate }: BundleCardsProps) {
  const list = useList('GET /v1/bundles', { query: { scope, org_id: org, limit: 48 } });
  if (list.data === undefined) {
    return list.error ? <Problem error={list.error} onRetry={() => void list.refetch()} /> : <Skeleton lines={8} />;
  }
  if (list.items.length === 0) return <NoBundles scope={scope} onCreate={onCreate} />;
  return (
    <>
      <ul className={styles.cards} aria-label={words.label}>
        {list.items.map((bundle) => (
          <li key={bundle.id}>
            <BundleCard bundle={bundle} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

function NoBundles({ scope, onCreate }: Omit<BundleCardsProps, 'org'>) {
  const me = useSignedIn();
  const isAlone = scope === 'organisations' && me.organisations.length === 0;
  return (
    <Empty>
      <p>{isAlone ? words.empty.noOrganisation : words.empty[scope]}</p>
      {scope === 'followed' ? (
        <Link to="/bundles" search={{ scope: 'public' }} className={buttonClass()}>
          {words.browse}
        </Link>
      ) : (
        !isAlone && (
          <Button icon="plus" onClick={onCreate}>
            {bundleWords.create.action}
          </Button>
        )
      )}
    </Empty>
  );
}
