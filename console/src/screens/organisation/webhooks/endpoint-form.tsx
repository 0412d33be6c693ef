import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { ApiProblem } from '../../../api/problem';
import { Button } from '../../../ui/button';
import { TextArea, TextInput } from '../../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../../ui/focus-first';
import { Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { type EndpointValues, rateOf } from './endpoint-values';
import { EventTypesField } from './event-types-field';
import { HeaderLines } from './header-lines';
import { listWords } from './words';
import styles from './webhooks.module.css';

const words = listWords.form;
const FIELDS = ['target_url', 'description', 'event_types', 'headers', 'rate_limit_per_second'];

interface EndpointFormProps {
  values: EndpointValues;
  onChange: (values: EndpointValues) => void;
  onSubmit: () => void;
  /** What its button does. */
  action: string;
  busy: boolean;
  error: ApiProblem | null;
  /** Other buttons. */
  children?: ReactNode;
}

/** The form of a webhook endpoint, of a new one and of one that is changed. */
export function EndpointForm({ values, onChange, onSubmit, action, busy, error, children }: EndpointFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isTried, setTried] = useState(false);
  useFocusFirstInvalid(form, error);
  const set = (next: Partial<EndpointValues>) => onChange({ ...values, ...next });
  const isWrong = { url: values.url.trim() === '', rate: rateOf(values.rate) === undefined };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    if (isWrong.url || isWrong.rate) setTimeout(() => focusFirstInvalid(form.current));
    else onSubmit();
  };
  const placed = error?.faults.every(({ loc }) => FIELDS.includes(loc[1] ?? '')) ?? false;
  return (
    <form ref={form} onSubmit={submit} className={styles.form} noValidate>
      <TextInput
        label={words.url}
        hint={words.urlHint}
        type="url"
        value={values.url}
        onChange={(event) => set({ url: event.target.value })}
        error={isTried && isWrong.url ? words.urlMissing : error?.at('target_url')}
        maxLength={2_048}
        required
      />
      <TextArea
        label={words.description}
        hint={words.descriptionHint}
        value={values.description}
        onChange={(event) => set({ description: event.target.value })}
        error={error?.at('description')}
        maxLength={2_000}
        rows={2}
      />
      <EventTypesField values={values.types} onChange={(types) => set({ types })} error={error?.at('event_types')} />
      <HeaderLines lines={values.headers} onChange={(headers) => set({ headers })} error={error} />
      <TextInput
        label={words.rate}
        hint={words.rateHint}
        inputMode="numeric"
        value={values.rate}
        onChange={(event) => set({ rate: event.target.value })}
        error={isTried && isWrong.rate ? words.rateWrong : error?.at('rate_limit_per_second')}
      />
      {error && (error.faults.length === 0 || !placed) && <Problem error={error} />}
      <Row>
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
        {children}
      </Row>
    </form>
  );
}
