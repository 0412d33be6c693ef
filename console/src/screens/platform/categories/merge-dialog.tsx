import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { CategoryMoved, CategoryOverviewItem } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SelectInput } from '../../../ui/field';
import { Facts, Quiet, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Problem, Skeleton } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import styles from './categories.module.css';
import { CATEGORY_CHANGES } from './use-category-order';
import { categoryWords } from './words';

const words = categoryWords.merge;
const MOVE = 'POST /v1/mcp/categories/{category_id}/move-listings';

interface Props {
  category: CategoryOverviewItem;
  others: readonly CategoryOverviewItem[];
  onClose: () => void;
}

/** Moves the listings of a category to another one, once a person has seen which. */
export function MergeDialog({ category, others, onClose }: Props) {
  const [to, setTo] = useState('');
  const [isRemoved, setRemoved] = useState(true);
  const preview = useChange(MOVE, []);
  const move = useChange(MOVE, [...CATEGORY_CHANGES, 'GET /v1/mcp/listings']);
  const name = shown(category.name);
  const target = others.find(({ slug }) => slug === to);
  const path = { category_id: category.id };
  const look = (slug: string) => preview.mutate({ path, body: { to: slug, preview: true } });
  const choose = (slug: string) => {
    setTo(slug);
    move.reset();
    preview.reset();
    if (slug !== '') look(slug);
  };
  const confirm = (counts: CategoryMoved) =>
    move.mutate(
      { path, body: { to, expected: counts.moved, remove: isRemoved } },
      {
        onSuccess: ({ moved }) => {
          notify((isRemoved ? words.doneAndDeleted : words.done)(name, shown(target?.name ?? to), moved));
          onClose();
        },
        onError: ({ status }) => status === 409 && look(to),
      },
    );
  return (
    <Dialog open title={words.title(name)} onClose={onClose}>
      {others.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Stack>
          <SelectInput
            label={words.target}
            value={to}
            error={move.error?.at('to') ?? preview.error?.at('to')}
            onChange={(event) => choose(event.target.value)}
            options={[['', words.choose], ...others.map((one) => [one.slug, shown(one.name)] as const)]}
          />
          {preview.isPending && <Skeleton lines={3} />}
          {preview.error && <Problem error={preview.error} onRetry={() => look(to)} />}
          {target && preview.data && (
            <>
              {move.error?.status === 409 && (
                <p className={styles.notice} role="alert">
                  {words.changed}
                </p>
              )}
              <Preview counts={preview.data} />
              <label className={styles.check}>
                <input type="checkbox" checked={isRemoved} onChange={(event) => setRemoved(event.target.checked)} />
                <span>{words.remove(name)}</span>
              </label>
              {move.error && move.error.status !== 409 && <Problem error={move.error} />}
              {(preview.data.moved > 0 || isRemoved) && (
                <Button look="danger" busy={move.isPending} onClick={() => confirm(preview.data)}>
                  {actionOf(preview.data.moved, isRemoved)}
                </Button>
              )}
            </>
          )}
        </Stack>
      )}
    </Dialog>
  );
}

function actionOf(moved: number, isRemoved: boolean): string {
  if (moved === 0) return words.deleteOnly;
  return isRemoved ? words.moveAndDelete(moved) : words.move(moved);
}

function Preview({ counts }: { counts: CategoryMoved }) {
  const { moved, published, drafts, archived, unseen, first } = counts;
  if (moved === 0) return <p>{words.nothing}</p>;
  return (
    <Stack gap="tight">
      <h3>{words.preview}</h3>
      <strong>{words.moved(moved)}</strong>
      <Facts
        facts={[
          [words.published, number(published)],
          [words.drafts, number(drafts)],
          [words.archived, number(archived)],
          [words.unseen, unseen > 0 ? number(unseen) : undefined],
        ]}
      />
      {unseen > 0 && <Quiet>{words.unseenHelp}</Quiet>}
      {first.length > 0 && (
        <>
          <Quiet>{words.first(first.length, moved)}</Quiet>
          <ul className={styles.first} aria-label={words.firstLabel} tabIndex={0}>
            {first.map(({ id, name, title, status }) => (
              <li key={id}>
                <OtherText>{title}</OtherText>{' '}
                <Quiet>
                  <OtherText>{name}</OtherText>, {words.statuses[status]}
                </Quiet>
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  );
}
