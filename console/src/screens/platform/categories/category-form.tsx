import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { useChange } from '../../../api/queries';
import type { CategoryOverviewItem } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { TextArea, TextInput } from '../../../ui/field';
import { useFocusFirstInvalid } from '../../../ui/focus-first';
import { Facts, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import styles from './categories.module.css';
import { changedValues, differing, type FormValues } from './form-values';
import { CATEGORY_CHANGES } from './use-category-order';
import { categoryWords } from './words';

const words = categoryWords.form;
const INITIAL: FormValues = { name: '', slug: '', description: '', icon: '' };

interface Props {
  /** Absent: a new one. */
  category?: CategoryOverviewItem;
  onClose: () => void;
}

interface FormDraft {
  /** The category as it was when the form was opened. */
  opened: FormValues;
  values: FormValues;
}

/** Creates a category, or changes one. */
export function CategoryForm({ category, onClose }: Props) {
  const current = category ? valuesOf(category) : INITIAL;
  const [draft, keep, drop] = useDraft<FormDraft | null>(`category.${category?.id ?? 'new'}`, null);
  const { opened, values } = draft ?? { opened: current, values: current };
  const client = useQueryClient();
  const create = useChange('POST /v1/mcp/categories', CATEGORY_CHANGES);
  const update = useChange('PATCH /v1/mcp/categories/{category_id}', CATEGORY_CHANGES);
  const form = useRef<HTMLFormElement>(null);
  const problem = create.error ?? update.error;
  useFocusFirstInvalid(form, problem);
  // What another administrator has saved since this form was opened.
  const theirs = category ? differing(opened, current) : [];
  const isAtField = (Object.keys(INITIAL) as (keyof FormValues)[]).some((field) => errorAt(field) !== undefined);

  function errorAt(field: keyof FormValues): string | undefined {
    const at = problem?.at(field);
    if (at !== undefined || field !== 'slug' || problem?.status !== 409 || theirs.length > 0) return at;
    return category === undefined || values.slug !== opened.slug ? problem.message : undefined;
  }
  const set = (field: keyof FormValues, value: string) => keep({ opened, values: { ...values, [field]: value } });
  const done = (said: string) => {
    drop();
    notify(said);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending || update.isPending) return;
    const name = shown(values.name);
    if (!category) {
      const { slug, icon, ...rest } = values;
      const body = { ...rest, slug: slug === '' ? null : slug, icon: icon === '' ? null : icon };
      create.mutate({ body }, { onSuccess: () => done(words.created(name)) });
      return;
    }
    // What the person sees of it is from then.
    const body = { ...changedValues(opened, values), unchanged_since: category.updated_at };
    update.mutate(
      { path: { category_id: category.id }, body },
      {
        onSuccess: () => done(words.saved(name)),
        onError: ({ status }) => {
          if (status === 409) void client.invalidateQueries({ queryKey: [CATEGORY_CHANGES[0]] });
        },
      },
    );
  };
  return (
    <Dialog
      open
      title={category ? words.editTitle(shown(category.name)) : words.createTitle}
      onClose={() => {
        drop();
        onClose();
      }}
    >
      <form ref={form} onSubmit={submit} noValidate>
        <Stack>
          {theirs.length > 0 && (
            <div className={styles.notice} role="alert">
              <strong>{words.theirs}</strong>
              <p>{words.theirsHelp}</p>
              <Facts
                facts={theirs.map((field) => [
                  words[field],
                  current[field] === '' ? words.nothing : <OtherText key={field}>{current[field]}</OtherText>,
                ])}
              />
              <p>{words.theirsSave}</p>
            </div>
          )}
          <TextInput
            label={words.name}
            required
            maxLength={100}
            value={values.name}
            error={errorAt('name')}
            onChange={(event) => set('name', event.target.value)}
          />
          <TextInput
            label={words.slug}
            required={category !== undefined}
            hint={category ? words.slugChange : words.slugHint}
            maxLength={60}
            value={values.slug}
            error={errorAt('slug')}
            onChange={(event) => set('slug', event.target.value)}
          />
          <TextArea
            label={words.description}
            maxLength={500}
            value={values.description}
            error={errorAt('description')}
            onChange={(event) => set('description', event.target.value)}
          />
          <TextInput
            label={words.icon}
            hint={words.iconHint}
            maxLength={50}
            value={values.icon}
            error={errorAt('icon')}
            onChange={(event) => set('icon', event.target.value)}
          />
          {problem && !isAtField && theirs.length === 0 && <Problem error={problem} />}
          <Button type="submit" look="primary" busy={create.isPending || update.isPending}>
            {category ? words.save : words.create}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}

const valuesOf = ({ name, slug, description, icon }: CategoryOverviewItem): FormValues => ({
  name,
  slug,
  description,
  icon,
});
