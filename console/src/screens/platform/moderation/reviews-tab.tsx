import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../../api/queries';
import type { ModeratedReview } from '../../../api/schema';
import { SelectInput } from '../../../ui/field';
import { Grid, Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { HideDialog } from '../../server/review-dialogs';
import { ReviewLine } from './review-line';
import { ShowDialog } from './show-dialog';
import { words } from './words';

const text = words.reviews;
const STATES = ['SHOWN', 'HIDDEN'] as const;

/** What people wrote about public servers, to hide what must not be there. */
export function ReviewsTab() {
  const search = useSearch({ from: '/platform/moderation' });
  const navigate = useNavigate({ from: '/platform/moderation' });
  const [moderated, setModerated] = useState<ModeratedReview>();
  const state = STATES.find((one) => one === search.state);
  const list = useList('GET /v1/platform/reviews', { query: { state } }, { keepsFormer: true });
  const close = () => setModerated(undefined);
  return (
    <Stack>
      <Grid>
        <SelectInput
          label={text.state}
          value={state ?? ''}
          onChange={(event) =>
            void navigate({ search: { tab: 'reviews', state: event.target.value }, replace: true, resetScroll: false })
          }
          options={(['', ...STATES] as const).map((one) => [one, text.states[one]] as const)}
        />
      </Grid>
      <Rows
        list={list}
        label={text.label}
        keyOf={({ id }) => id}
        row={(review) => <ReviewLine review={review} onModerate={() => setModerated(review)} />}
        height={128}
        readsOn
        empty={
          <Empty>
            <p>{state === 'HIDDEN' ? text.noneHidden : text.none}</p>
            <p>{text.noneHelp}</p>
          </Empty>
        }
      />
      {moderated?.is_hidden && <ShowDialog review={moderated} onClose={close} />}
      {moderated && !moderated.is_hidden && (
        <HideDialog listingId={moderated.listing.id} review={moderated} onClose={close} />
      )}
    </Stack>
  );
}
