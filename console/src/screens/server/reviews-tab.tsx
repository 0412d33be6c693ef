import { useState } from 'react';
import { useSignedIn } from '../../api/me';
import { useList, useRead } from '../../api/queries';
import type { ListingDetail, Review } from '../../api/schema';
import { number } from '../../messages/text';
import { Button } from '../../ui/button';
import { hasDraft } from '../../ui/draft';
import { Card, Quiet, Section, Stack } from '../../ui/layout';
import { Empty, Loaded, Problem } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { OwnReview } from './own-review';
import { reviewDraft, ReviewForm } from './review-form';
import { ReviewRow } from './review-row';
import { speaksFor } from './speaks-for';
import { words } from './words';

/** What people think of the server, and what I think of it. */
export function ReviewsTab({ listing }: { listing: ListingDetail }) {
  const me = useSignedIn();
  const path = { listing_id: listing.id };
  const list = useList('GET /v1/mcp/listings/{listing_id}/reviews', { path });
  const listed = list.items.find(({ is_own: isOwn }) => isOwn);
  // It may be on a later page.
  const isElsewhere = list.data !== undefined && listed === undefined && list.hasNextPage;
  const mine = useRead(
    'GET /v1/mcp/listings/{listing_id}/reviews',
    { path, query: { mine: true } },
    { enabled: isElsewhere },
  );
  const { mean, count } = listing.rating;
  const own = listed ?? mine.data?.[0];
  return (
    <Stack gap="wide">
      {list.data !== undefined &&
        (isElsewhere ? (
          <Loaded read={mine} lines={2}>
            {() => <Mine key={own?.id ?? ''} listing={listing} own={own} />}
          </Loaded>
        ) : (
          <Mine key={own?.id ?? ''} listing={listing} own={own} />
        ))}
      <Section
        title={words.reviews.title}
        aside={mean !== null && count > 0 && <Quiet>{words.reviews.mean(number(mean), count)}</Quiet>}
      >
        {list.isRefetchError && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        <Rows
          list={{ ...list, items: list.items.filter(({ is_own: isOwn }) => !isOwn) }}
          label={words.reviews.label}
          keyOf={({ id }) => id}
          row={(review) => (
            <ReviewRow
              listingId={listing.id}
              review={review}
              mayAnswer={speaksFor(listing, me)}
              mayHide={me.is_platform_admin}
            />
          )}
          height={120}
          empty={
            <Empty>
              <p>{own ? words.reviews.onlyYours : words.reviews.empty}</p>
              {!own && listing.status === 'PUBLISHED' && <p>{words.reviews.emptyHelp}</p>}
            </Empty>
          }
        />
      </Section>
    </Stack>
  );
}

function Mine({ listing, own }: { listing: ListingDetail; own: Review | undefined }) {
  const [isWriting, setWriting] = useState(() => hasDraft(reviewDraft(listing.id, own)));
  if (own && !isWriting) return <OwnReview listingId={listing.id} review={own} onChange={() => setWriting(true)} />;
  if (!own && listing.status !== 'PUBLISHED') return <Quiet>{words.reviews.notPublished}</Quiet>;
  if (!isWriting) {
    return (
      <div>
        <Button icon="star" onClick={() => setWriting(true)}>
          {words.reviews.write}
        </Button>
      </div>
    );
  }
  return (
    <Card>
      <Section title={own ? words.reviews.changeYours : words.reviews.write}>
        <ReviewForm listingId={listing.id} own={own} onDone={() => setWriting(false)} />
      </Section>
    </Card>
  );
}
