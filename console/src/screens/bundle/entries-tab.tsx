import { Link } from '@tanstack/react-router';
import { useList } from '../../api/queries';
import type { Bundle, BundleEntry } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { Quiet, Row } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { ServerIcon } from '../../ui/server-icon';
import styles from './bundle.module.css';
import { bundleWords } from './words';

const words = bundleWords.entry;

/** The servers of a bundle, in their order. */
export function EntriesTab({ bundle }: { bundle: Bundle }) {
  const list = useList('GET /v1/bundles/{bundle_id}/entries', {
    path: { bundle_id: bundle.id },
    query: { limit: 100 },
  });
  const hidden = list.data && !list.hasNextPage ? bundle.entry_count - list.items.length : 0;
  return (
    <>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(entry) => <EntryRow entry={entry} />}
        height={72}
        empty={hidden > 0 ? null : <NoEntries bundle={bundle} />}
      />
      {hidden > 0 && (
        <p>
          <Quiet>{words.hidden(hidden)}</Quiet>
        </p>
      )}
    </>
  );
}

const NoEntries = ({ bundle }: { bundle: Bundle }) => (
  <Empty>
    <p>{words.empty}</p>
    {bundle.may_modify ? (
      <Link to="/bundles/$bundleId/edit" params={{ bundleId: bundle.id }} className={buttonClass()}>
        {words.emptyNext}
      </Link>
    ) : (
      <p>{words.onlyEditors}</p>
    )}
  </Empty>
);

function EntryRow({ entry }: { entry: BundleEntry }) {
  const name = entry.listing_title ?? entry.listing_name ?? bundleWords.unseen;
  return (
    <div className={styles.line}>
      <ServerIcon listing={{ id: entry.id, title: lastPart(name), has_icon: false }} />
      <div className={styles.grow}>
        {entry.listing_id === null ? (
          <OtherText>{name}</OtherText>
        ) : (
          <Link to="/servers/$listingId" params={{ listingId: entry.listing_id }} className={styles.strong}>
            <OtherText>{name}</OtherText>
          </Link>
        )}
        <ul className={styles.facts}>
          {entry.key !== null && (
            <li title={words.key}>
              <code>{shown(entry.key)}</code>
            </li>
          )}
          <li>{versionWords(entry)}</li>
          {entry.credential_mode !== 'NONE' && <li>{words.accounts[entry.credential_mode]}</li>}
        </ul>
      </div>
      <Row>
        {!entry.is_available && (
          <Badge tone="bad" icon="alert">
            {words.unavailable}
          </Badge>
        )}
        {!entry.is_enabled && <Badge icon="close">{words.disabled}</Badge>}
      </Row>
    </div>
  );
}

function versionWords({ version, listing_version }: BundleEntry): string {
  if (version !== null) return words.pinned(shown(version));
  return listing_version === null ? words.noVersion : words.newest(shown(listing_version));
}

/** The letter of `io.github.acme/weather` is that of the server, and not of its namespace. */
const lastPart = (name: string): string => name.split('/').at(-1) ?? name;
