import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ItemOf } from '../../api/client';
import { useSignedIn } from '../../api/me';
import { useList } from '../../api/queries';
import { listOf, number, t } from '../../messages/text';
import { buttonClass } from '../../ui/button';
import { Card, Quiet, Section, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Rows } from '../../ui/rows';
import { When } from '../../ui/when';
import styles from './home.module.css';

type FeedItem = ItemOf<'GET /v1/users/me/feed'>;

const text = t.home;
const FIRST_ITEMS = 8;

/** What changed in the bundles that the person follows. */
export function FeedPart() {
  const isNew = useSignedIn().organisations.length === 0;
  const feed = useList('GET /v1/users/me/feed', { query: { limit: FIRST_ITEMS } });
  const empty = (
    <Stack>
      {isNew && (
        <>
          <Step words={text.beginFind}>
            <Link to="/catalogue" className={buttonClass()}>
              {text.beginFindNext}
            </Link>
          </Step>
          <Step words={text.beginBundle}>
            <Link to="/bundles" search={{ create: '1' }} className={buttonClass()}>
              {text.beginBundleNext}
            </Link>
          </Step>
        </>
      )}
      <Step words={text.feedEmpty}>
        <Link to="/bundles" className={buttonClass()}>
          {text.feedEmptyNext}
        </Link>
      </Step>
    </Stack>
  );
  return (
    <Section title={isNew && feed.data?.pages[0]?.items.length === 0 ? text.begin : text.feed}>
      <Card>
        <Rows list={feed} keyOf={({ id }) => id} row={(item) => <Item item={item} />} label={text.feed} empty={empty} />
      </Card>
    </Section>
  );
}

const Step = ({ words, children }: { words: string; children: ReactNode }) => (
  <div className={styles.item}>
    <span>{words}</span>
    {children}
  </div>
);

const Item = ({ item }: { item: FeedItem }) => (
  <div className={styles.feed}>
    <span>
      <Link to="/bundles/$bundleId" params={{ bundleId: item.bundle.id }} search={{ tab: 'versions' }}>
        <OtherText>{item.bundle.name}</OtherText>
      </Link>
      {': '}
      <bdi>{wordsOf(item)}</bdi>
      {item.note !== null && (
        <>
          {' “'}
          <OtherText>{item.note}</OtherText>
          {'”'}
        </>
      )}
    </span>
    <Quiet>
      {item.actor?.name && (
        <>
          <OtherText>{item.actor.name}</OtherText>,{' '}
        </>
      )}
      <When at={item.occurred_at} />
    </Quiet>
  </div>
);

/** What was done, in one sentence: "GitHub and Grafana added". */
function wordsOf({ type, added, removed, changed, moved, restored_from: restored }: FeedItem): string {
  if (type === 'CREATED') return text.created;
  if (type === 'RULES_CHANGED') return text.rulesChanged;
  if (restored !== null) return text.restored(number(restored));
  const parts = [
    added.count > 0 && text.added(namesOf(added)),
    removed.count > 0 && text.removed(namesOf(removed)),
    changed.count > 0 && text.changed(namesOf(changed)),
    moved > 0 && text.moved(number(moved)),
  ].filter((part) => part !== false);
  return parts.length === 0 ? text.recorded : listOf(parts);
}

function namesOf({ count, names }: FeedItem['added']): string {
  if (names.length === 0) return text.servers(count);
  const rest = count - names.length;
  return listOf([...names.map(shown), ...(rest > 0 ? [text.others(rest)] : [])]);
}
