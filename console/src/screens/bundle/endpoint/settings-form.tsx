import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useChange } from '../../../api/queries';
import type { Bundle, Endpoint } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { useDraft } from '../../../ui/draft';
import { ExplainedChoice } from '../../../ui/explained-choice';
import { TextInput } from '../../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../../ui/focus-first';
import { Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { ENDPOINT_CHANGES } from './endpoint-changes';
import styles from './endpoint.module.css';
import { settingWords } from './setting-words';
import {
  budgetOf,
  MIN_BUDGET,
  MAX_BUDGET,
  onlyChanged,
  SETTINGS,
  type SettingsDraft,
  updateOf,
} from './settings-changes';
import { endpointWords } from './words';

const words = endpointWords.settings;
const NOTHING: SettingsDraft = {};

/** The values of a setting with their words, in the order in which they are offered. */
const optionsOf = <Value extends string>(values: readonly Value[], texts: Record<Value, readonly string[]>) =>
  values.map((value) => [value, texts[value][0] ?? value, texts[value][1] ?? ''] as const);

const OPTIONS = {
  naming: optionsOf(['PREFIX', 'PLAIN'], words.naming),
  presentation: optionsOf(['ALL', 'SEARCH', 'AUTO'], words.presentation),
  default_access: optionsOf(['ALLOW', 'READ_ONLY', 'DENY'], words.default_access),
  record: optionsOf(['BUFFERED', 'STRICT'], words.record),
  record_arguments: optionsOf(['NONE', 'KEYS', 'DIGEST'], words.record_arguments),
};

/** Everything of the endpoint that its editors decide. Only what was changed is sent. */
export function SettingsForm({ bundle, endpoint }: { bundle: Bundle; endpoint: Endpoint }) {
  const [kept, keep, drop] = useDraft(`endpoint.${bundle.id}`, NOTHING);
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const change = useChange('PATCH /v1/bundles/{bundle_id}/endpoint', ENDPOINT_CHANGES);
  useFocusFirstInvalid(form, change.error);
  const draft = onlyChanged(endpoint, kept);
  const changed = SETTINGS.filter((name) => draft[name] !== undefined);
  const problem = change.error;

  const set = (next: SettingsDraft) => {
    const rest = onlyChanged(endpoint, { ...draft, ...next });
    if (Object.keys(rest).length === 0) drop();
    else keep(rest);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending || changed.length === 0) return;
    setTried(true);
    const body = updateOf(draft);
    if (body === undefined) {
      requestAnimationFrame(() => focusFirstInvalid(form.current));
      return;
    }
    change.mutate(
      { path: { bundle_id: bundle.id }, body },
      {
        onSuccess: () => {
          drop();
          setTried(false);
          notify(words.saved);
        },
      },
    );
  };
  const choice = <Name extends keyof typeof OPTIONS>(name: Name) => ({
    legend: words.fields[name],
    error: problem?.at(name),
  });
  const typed = draft.name_budget ?? String(endpoint.name_budget);
  const ownError = isTried && budgetOf(typed) === undefined ? words.budgetRange(MIN_BUDGET, MAX_BUDGET) : undefined;
  const atField = SETTINGS.some((name) => problem?.at(name) !== undefined);

  return (
    <form ref={form} onSubmit={submit} className={styles.form} noValidate>
      <div className={styles.group}>
        <h3>{words.names}</h3>
        <ExplainedChoice
          {...choice('naming')}
          value={draft.naming ?? endpoint.naming}
          onChange={(naming) => set({ naming })}
          options={OPTIONS.naming}
        />
        <div className={styles.short}>
          <TextInput
            label={words.fields.name_budget}
            hint={words.budgetHint(MIN_BUDGET, MAX_BUDGET)}
            inputMode="numeric"
            value={typed}
            maxLength={3}
            required
            onChange={(event) => set({ name_budget: event.target.value })}
            error={problem?.at('name_budget') ?? ownError}
          />
        </div>
      </div>
      <div className={styles.group}>
        <h3>{words.use}</h3>
        <ExplainedChoice
          {...choice('presentation')}
          value={draft.presentation ?? endpoint.presentation}
          onChange={(presentation) => set({ presentation })}
          options={OPTIONS.presentation}
        />
        <ExplainedChoice
          {...choice('default_access')}
          value={draft.default_access ?? endpoint.default_access}
          onChange={(default_access) => set({ default_access })}
          options={OPTIONS.default_access}
        />
        <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} search={{ tab: 'policies' }}>
          {words.toRules}
        </Link>
      </div>
      <div className={styles.group}>
        <h3>{words.recording}</h3>
        <ExplainedChoice
          {...choice('record')}
          value={draft.record ?? endpoint.record}
          onChange={(record) => set({ record })}
          options={OPTIONS.record}
        />
        <ExplainedChoice
          {...choice('record_arguments')}
          value={draft.record_arguments ?? endpoint.record_arguments}
          onChange={(record_arguments) => set({ record_arguments })}
          options={OPTIONS.record_arguments}
        />
      </div>
      {problem && !atField && <Problem error={problem} />}
      {changed.length > 0 && (
        <div className={styles.bar}>
          <strong role="status">{words.unsaved(number(changed.length), changed.length)}</strong>
          <ul className={styles.changes}>
            {changed.map((name) => (
              <li key={name}>
                {words.fields[name]}:{' '}
                {words.change(settingWords(name, endpoint[name]), settingWords(name, draft[name] ?? ''))}
              </li>
            ))}
          </ul>
          <Row>
            <Button type="submit" look="primary" busy={change.isPending}>
              {words.save}
            </Button>
            <Button
              onClick={() => {
                drop();
                change.reset();
                setTried(false);
              }}
            >
              {words.discard}
            </Button>
          </Row>
        </div>
      )}
    </form>
  );
}
